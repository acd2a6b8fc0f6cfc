#include <genera/stream.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <genera/error.hpp>
#include "data/csv/csv_rows.hpp"
#include "data/digest_of_lines.hpp"
#include "data/row_reader.hpp"
#include "data/svmlight/svmlight_rows.hpp"
#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"
#include "kernel/text.hpp"

namespace genera {
namespace {

using ChunkWork = RowSource::Work;

std::unique_ptr<data::RowReader> open(const data::RowRequest& request) {
  validate(request.text());
  return request.source.format() == Source::Format::svmlight ? data::open_svmlight(request)
                                                             : data::open_csv(request);
}

}  // namespace

struct RowStream::State {
  explicit State(data::RowRequest what) : request(std::move(what)), source(open(request)) {}

  data::RowRequest request;
  std::optional<Roles> given;  // set by the user, before set_types
  std::unique_ptr<data::RowReader> source;
  bool begun = false;       // the source is not at its beginning
  bool types_hold = false;  // a complete pass has confirmed them
  bool complete = false;    // a pass has seen all rows
  std::uint64_t digest = 0;

  void read_as(Roles roles) {
    request.roles = std::move(roles);
    validate(request.text());
    source->read_as(request);
    types_hold = false;
  }

  void pass(const Control& control, const ChunkWork& work) {
    if (begun) source->rewind();
    begun = true;
    complete = false;
    digest = 0;
    kernel::ProgressMeter meter(control, Progress::Task::reading);
    kernel::run_in_order(control.threads, [&]() -> std::optional<kernel::Task> {
      auto chunk = source->next();
      if (!chunk) return std::nullopt;
      return [this, &work, &meter, chunk = std::move(*chunk),
              share = source->share_read()]() -> kernel::Finish {
        return or_give_up([&] {
          return finish_of(source->parse(chunk), data::digest_of_lines(chunk.text), work, meter,
                           share);
        });
      };
    });
    complete = true;
  }

  kernel::Finish finish_of(data::ReadChunk chunk, std::uint64_t lines, const ChunkWork& work,
                           kernel::ProgressMeter& meter, std::optional<double> share) {
    const Index rows = chunk.table.rows();
    return [this, &meter, rows, share, lines, remember = std::move(chunk.remember),
            finish = work(std::move(chunk.table))] {
      or_give_up([&] {
        if (remember) remember();
        finish();
        digest += lines;
        meter.advance(rows, share);
      });
    };
  }

  template <class Action>
  auto or_give_up(Action action) -> decltype(action()) {
    try {
      return action();
    } catch (...) {
      source->give_up();
      throw;
    }
  }

  std::vector<std::string> correct_types() {
    std::vector<std::string> corrections;
    if (!types_hold) corrections = source->correct_types();
    types_hold = corrections.empty();
    return corrections;
  }
};

RowStream::RowStream(Source source, CsvOptions csv, Roles roles, StreamOptions options)
    : state_(std::make_unique<State>(data::RowRequest{std::move(source), std::move(csv),
                                                      std::move(roles), std::move(options)})) {}
RowStream::RowStream(Source source, CsvOptions csv, ExpectedRoles roles, StreamOptions options)
    : state_(std::make_unique<State>(data::RowRequest{std::move(source), std::move(csv),
                                                      std::move(roles), std::move(options)})) {}
RowStream::RowStream(RowStream&&) noexcept = default;
RowStream& RowStream::operator=(RowStream&&) noexcept = default;
RowStream::~RowStream() = default;

const std::vector<Column>& RowStream::columns() const { return state_->source->columns(); }
const std::string& RowStream::target() const { return state_->source->target(); }
std::optional<Error> RowStream::target_refusal() const { return state_->source->target_refusal(); }
const std::vector<Note>& RowStream::notes() const { return state_->source->notes(); }
const std::string& RowStream::name() const { return state_->request.source.name(); }
std::optional<SparseKind> RowStream::sparse_matrix() const {
  return state_->source->sparse_matrix();
}
std::string RowStream::fingerprint() const {
  return state_->complete ? fmt::format("{:016x}", state_->digest) : "";
}
CsvOptions RowStream::format() const { return state_->source->format(); }

RowsSchema RowStream::schema() const {
  const bool has_text = std::ranges::any_of(
      columns(), [](const Column& column) { return column.type == ColumnType::text; });
  return {.columns = columns(),
          .target = target(),
          .sparse_matrix = sparse_matrix(),
          .text = has_text ? state_->request.text() : TextOptions{},
          .frequencies = state_->request.frequencies()};
}

Passes RowStream::passes() const {
  const bool once = state_->source->is_pipe() ||
                    std::holds_alternative<Source::Read>(state_->request.source.bytes());
  return once && !state_->request.may_reread() ? Passes::one : Passes::many;
}

const Roles* RowStream::roles() const { return state_->request.given(); }

void RowStream::read_as(Roles roles) {
  if (!state_->request.given())
    throw Error(Errc::bad_argument, name() + ": the columns are those that a model expects",
                "open the source again to read it otherwise");
  state_->read_as(std::move(roles));
  state_->given.reset();
}

std::vector<std::string> RowStream::fixed_types() const {
  std::vector<std::string> names;
  const Roles* declared = state_->given ? &*state_->given : roles();
  for (const Column& column : columns()) {
    const auto is_it = [&](const auto& type) { return kernel::matches(column.name, type.first); };
    if (!declared || std::ranges::any_of(declared->types, is_it)) names.push_back(column.name);
  }
  return names;
}

void RowStream::set_types(const ColumnTypes& types) {
  const bool as_given = !state_->given && types.types.empty() && !types.default_type;
  if (!roles() || as_given) return;
  if (!state_->given) state_->given = *roles();
  Roles all = *state_->given;
  all.types.insert(all.types.end(), types.types.begin(), types.types.end());
  if (types.default_type) all.default_type = types.default_type;
  state_->read_as(std::move(all));
}

void RowStream::run(const Control& control, const Work& work,
                    const std::function<void()>& start_again) {
  state_->pass(control, work);
  for (auto corrections = state_->correct_types(); !corrections.empty();
       corrections = state_->correct_types()) {
    if (!start_again)
      throw Error(
          Errc::bad_data,
          name() + ": " + corrections.front() + ", which showed after rows had been given out",
          "give the type of the column from the start");
    start_again();
    state_->pass(control, work);
  }
}

Table read_csv(const Source& source, const Roles& roles, const CsvOptions& csv,
               const Control& control) {
  RowStream stream(source, csv, roles);
  return read_rows(stream, control);
}

Table read_csv(const Source& source, const ExpectedRoles& roles, const CsvOptions& csv,
               const Control& control) {
  RowStream stream(source, csv, roles);
  return read_rows(stream, control);
}

}  // namespace genera
