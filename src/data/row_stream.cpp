#include <genera/stream.hpp>

#include <utility>

#include <genera/error.hpp>
#include "data/csv/csv_rows.hpp"
#include "data/join_tables.hpp"
#include "data/row_source.hpp"
#include "data/svmlight/svmlight_rows.hpp"
#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"

namespace genera {
namespace {

using ChunkWork = std::function<std::function<void()>(Table&&)>;

std::unique_ptr<data::RowSource> open(const data::RowRequest& request) {
  validate(request.text());
  return request.source.format() == Source::Format::svmlight ? data::open_svmlight(request)
                                                             : data::open_csv(request);
}

}  // namespace

struct RowStream::State {
  explicit State(data::RowRequest what) : request(std::move(what)), source(open(request)) {}

  data::RowRequest request;
  std::unique_ptr<data::RowSource> source;
  ChunkForm form;           // if it changes them
  bool begun = false;       // the source does not stand at its beginning
  bool types_hold = false;  // a whole pass has agreed with them

  void pass(const Control& control, const ChunkWork& work) {
    if (begun) source->rewind();
    begun = true;
    kernel::ProgressMeter meter(control, Progress::Task::reading);
    kernel::run_in_order(control.threads, [&]() -> std::optional<kernel::Task> {
      auto chunk = source->next();
      if (!chunk) return std::nullopt;
      return [this, &work, &meter, chunk = std::move(*chunk),
              share = source->share_read()]() -> kernel::Finish {
        return or_give_up(
            [&] { return finish_of(formed(source->parse(chunk)), work, meter, share); });
      };
    });
  }

  data::RowChunk formed(data::RowChunk chunk) const {
    if (form.change) chunk.table = form.change(std::move(chunk.table));
    return chunk;
  }

  kernel::Finish finish_of(data::RowChunk chunk, const ChunkWork& work,
                           kernel::ProgressMeter& meter, std::optional<double> share) {
    const Index rows = chunk.table.rows();
    return [this, &meter, rows, share, remember = std::move(chunk.remember),
            finish = work(std::move(chunk.table))] {
      or_give_up([&] {
        if (remember) remember();
        finish();
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

const std::vector<Column>& RowStream::columns() const {
  return state_->form.change ? state_->form.columns : state_->source->columns();
}
const std::string& RowStream::target() const { return state_->source->target(); }
const std::vector<Note>& RowStream::notes() const { return state_->source->notes(); }
const std::string& RowStream::name() const { return state_->request.source.name(); }
std::optional<SparseKind> RowStream::sparse_matrix() const {
  return state_->form.change ? state_->form.sparse_matrix : state_->source->sparse_matrix();
}
bool RowStream::all_columns() const { return state_->form.change && state_->form.sparse_matrix; }
TextOptions RowStream::text_options() const { return state_->request.text(); }
CsvOptions RowStream::format() const { return state_->source->format(); }

bool RowStream::frequencies() const { return state_->request.frequencies(); }
const Roles* RowStream::roles() const { return state_->request.told(); }

void RowStream::read_as(Roles roles) {
  if (!state_->request.told())
    throw Error(Errc::bad_argument, name() + ": the columns are those that a model expects",
                "open the source again to read it otherwise");
  state_->request.roles = std::move(roles);
  validate(state_->request.text());
  state_->source->read_as(state_->request);
  state_->types_hold = false;
}

void RowStream::give_as(ChunkForm form) { state_->form = std::move(form); }

void RowStream::for_each_chunk(const Control& control, const ChunkWork& work,
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

Table read_rows(RowStream& rows, const Control& control) {
  return data::join(rows.reduce(
      control, [] { return std::vector<Table>(); }, [](Table&& chunk) { return std::move(chunk); },
      [](std::vector<Table>& all, Table&& chunk) { all.push_back(std::move(chunk)); }));
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
