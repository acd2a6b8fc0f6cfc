#include <genera/stream.hpp>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <genera/error.hpp>
#include "data/column_types.hpp"
#include "data/csv_sniff.hpp"
#include "data/join_tables.hpp"
#include "data/parse_block.hpp"
#include "data/record_cutter.hpp"
#include "data/roles.hpp"
#include "kernel/parallel.hpp"
#include "kernel/text.hpp"

namespace genera {
namespace {

using data::RecordCutter;

constexpr std::size_t sample_size = std::size_t{1} << 20;
constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

std::vector<std::string> numbered_names(std::size_t columns) {
  std::vector<std::string> names;
  for (std::size_t j = 1; j <= columns; ++j)
    names.push_back(std::string("c").append(std::to_string(j)));
  return names;
}

bool are_mostly_numbers(const std::vector<std::string>& names) {
  double ignored = 0;
  const auto numbers = std::count_if(names.begin(), names.end(), [&](const std::string& name) {
    return kernel::parse_whole(name, ignored);
  });
  return 2 * numbers > static_cast<std::ptrdiff_t>(names.size());
}

// Predictions are answered row by row. Where labels are needed, sums over rows are wanted, whose
// bits must not depend on when the rows arrive.
bool answers_rows(const Roles& roles) {
  return roles.expected && (!roles.use_target || roles.target_optional);
}

std::string list_places(const data::NotNumbers& cells, const std::string& source) {
  std::string text;
  for (const auto& [line, cell] : cells.first) {
    if (!text.empty()) text += ", ";
    text += source + ":" + std::to_string(line) + " '" + cell + "'";
  }
  return text + (cells.count > static_cast<Index>(cells.first.size()) ? ", ..." : "");
}

std::string share(const data::NotNumbers& cells, Index present) {
  return std::to_string(cells.count) + " of " + std::to_string(present) + " cells";
}

}  // namespace

struct RowStream::State {
  State(std::string given_source, CsvOptions given_options, Roles given_roles)
      : source(std::move(given_source)),
        options(std::move(given_options)),
        roles(std::move(given_roles)),
        cutter(source, roles.expected ? data::Reread::never : data::Reread::possible,
               answers_rows(roles) ? RecordCutter::Pause::answer : RecordCutter::Pause::wait) {
    file.source = data::shown_name(source);
    recognise_text();
    if (options.header) read_header();
    const auto rows = first_rows(roles.expected ? 1 : all);
    if (!options.header)
      file.names = numbered_names(data::split_record(rows[0].data(), file.format).size());
    if (!roles.expected)
      file.guesses = data::guess_columns(rows, static_cast<Index>(file.names.size()), file.format);
    layout = data::assign_roles(file, roles);
    describe();
  }

  void recognise_text() {
    const int enough = options.header ? 2 : 1;
    std::string_view start = cutter.look_ahead(sample_size, enough);
    data::check_text(start, file.source);
    // A header may be so wide that the sample ends in it.
    for (std::size_t size = sample_size; start.size() == size && start.find('\n') == start.npos &&
                                         size <= RecordCutter::longest_record;)
      start = cutter.look_ahead(size *= 2, enough);
    mark = data::mark_size(start);
    cutter.skip(mark);
    file.format = data::recognise_format(start.substr(mark), options);
  }

  void read_header() {
    const auto header = cutter.next(1, file.format.delimiter);
    if (!header) return;
    file.header_line = header->first_line;
    file.names = data::split_record(header->text.data(), file.format);
    if (header->text.find('\0') != std::string_view::npos)
      refuse_header("there is a NUL byte in the header", "this is no text, or it is damaged");
    if (!data::is_utf8(header->text))
      refuse_header("the header is not UTF-8",
                    "convert the file, for example with: iconv -f LATIN1 -t UTF-8");
    if (data::has_text_after_quote(header->text.data(), file.format))
      refuse_header("there is text between a closing quote and the delimiter",
                    "double the quotes that belong to a name (\"\")");
  }

  [[noreturn]] void refuse_header(const std::string& what, const std::string& hint) const {
    throw Error(Errc::bad_data, file.source + ":" + std::to_string(file.header_line) + ": " + what,
                hint);
  }

  // Whole rows from the start; where they are so wide that the sample holds none, it grows.
  std::vector<std::string_view> first_rows(std::size_t most) {
    std::size_t size = sample_size;
    while (true) {
      const std::string_view text = cutter.look_ahead(size, 1);
      auto rows = data::whole_records(text, file.format.delimiter, most);
      if (!rows.empty()) return rows;
      const bool everything = text.size() < size && cutter.saw_end();
      if (everything || size > 2 * RecordCutter::longest_record) break;
      if (text.size() == size) size *= 2;
    }
    static_cast<void>(cutter.next(1, file.format.delimiter));  // says what is wrong with the first
    throw Error(Errc::bad_data, file.source + ": there are no rows after the header",
                "give a table with rows, or say --no-header if the first line is data");
  }

  void describe() {
    notes = data::describe_choices(file, layout, roles);
    if (!roles.expected && options.header && are_mostly_numbers(file.names))
      notes.push_back(
          "the first line holds mostly numbers and is taken for the header; if it is data, "
          "say --no-header");
  }

  void rewind() {
    cutter.rewind();
    static_cast<void>(cutter.look_ahead(mark, 1));
    cutter.skip(mark);
    if (options.header) static_cast<void>(cutter.next(1, file.format.delimiter));
    seen = {};
  }

  bool types_held() {
    if (roles.expected) return true;
    std::vector<std::string> corrections;
    for (std::size_t j = 0; j < layout.uses.size(); ++j)
      if (const auto correction = contradiction(layout.uses[j]); !correction.empty()) {
        file.guesses[j].type = ColumnType::categorical;
        corrections.push_back(correction);
      }
    if (corrections.empty()) return true;
    layout = data::assign_roles(file, roles);
    describe();
    notes.insert(notes.end(), corrections.begin(), corrections.end());
    rewind();
    return false;
  }

  // Why the column must become categorical; empty if it need not.
  [[nodiscard]] std::string contradiction(const data::FieldUse& use) const {
    const std::string& name = layout.columns[static_cast<std::size_t>(use.feature)].name;
    const bool feature =
        use.part == data::FieldUse::Part::number || use.part == data::FieldUse::Part::code;
    if (!feature) return {};
    if (const auto found = seen.not_numbers.find(use.feature); found != seen.not_numbers.end()) {
      const Index present = seen.rows - seen.missing[static_cast<std::size_t>(use.place)];
      if (data::are_few(found->second.count, present)) refuse_few(name, found->second, present);
      return "column '" + name + "' is categorical: " + share(found->second, present) +
             " are not numbers: " + list_places(found->second, file.source);
    }
    const auto levels = seen.binary_levels.find(use.feature);
    if (levels == seen.binary_levels.end() || levels->second.size() < 3) return {};
    if (use.strict)
      throw Error(Errc::bad_data,
                  file.source + ": column '" + name + "' is told to be binary but holds " +
                      kernel::quoted_list(levels->second),
                  "say --type " + data::as_argument(name + "=categorical"));
    return "column '" + name + "' is categorical: it holds " + kernel::quoted_list(levels->second);
  }

  [[noreturn]] void refuse_few(const std::string& name, const data::NotNumbers& cells,
                               Index present) const {
    throw Error(Errc::bad_data,
                file.source + ": column '" + name + "' looks numeric, but " +
                    share(cells, present) + " are not numbers: " + list_places(cells, file.source),
                "mend them, or say --missing-token " + data::as_argument(cells.first.front().text) +
                    " if it means missing, --type " + data::as_argument(name + "=categorical") +
                    ", or --drop " + data::as_argument(name));
  }

  /// After an error nobody should wait for more input.
  template <class Action>
  auto or_give_up(Action action) -> decltype(action()) {
    try {
      return action();
    } catch (...) {
      cutter.give_up();
      throw;
    }
  }

  std::string source;
  CsvOptions options;
  Roles roles;
  std::function<void(Index)> progress;
  RecordCutter cutter;
  std::size_t mark = 0;  // bytes before the header
  data::FileColumns file;
  data::Layout layout;
  std::vector<std::string> notes;
  data::Observations seen;
};

RowStream::RowStream(std::string source, CsvOptions options, Roles roles) {
  data::validate(options);
  state_ = std::make_unique<State>(std::move(source), std::move(options), std::move(roles));
}
RowStream::RowStream(RowStream&&) noexcept = default;
RowStream& RowStream::operator=(RowStream&&) noexcept = default;
RowStream::~RowStream() = default;

const std::vector<Column>& RowStream::columns() const { return state_->layout.columns; }
const std::string& RowStream::target() const { return state_->layout.target; }
const std::vector<std::string>& RowStream::notes() const { return state_->notes; }
const std::string& RowStream::name() const { return state_->source; }
bool RowStream::types_held() { return state_->types_held(); }
void RowStream::rewind() { state_->rewind(); }

void RowStream::on_progress(std::function<void(Index)> report) {
  state_->progress = std::move(report);
}

void RowStream::for_each_block(int threads,
                               const std::function<std::function<void()>(Table&&)>& work) {
  State& state = *state_;
  const Index most = rows_per_block(state.layout.numbers);
  kernel::run_in_order(threads, [&]() -> std::optional<kernel::Task> {
    auto chunk = state.cutter.next(most, state.file.format.delimiter);
    if (!chunk) return std::nullopt;
    return [&state, &work, chunk = std::move(*chunk)]() -> kernel::Finish {
      return state.or_give_up([&]() -> kernel::Finish {
        data::ParsedBlock block = data::parse_block(state.layout, chunk);
        const Index rows = block.table.rows();
        return [&state, rows, seen = std::move(block.seen), finish = work(std::move(block.table))] {
          state.or_give_up([&] {
            state.seen.merge(seen);
            finish();
            if (state.progress) state.progress(rows);
          });
        };
      });
    };
  });
}

Table read_csv(const std::string& source, const Roles& roles, const CsvOptions& options,
               int threads) {
  RowStream stream(source, options, roles);
  std::vector<Table> blocks;
  do {
    blocks.clear();
    stream.for_each_block(threads, [&](Table&& block) -> std::function<void()> {
      return [&blocks, held = std::make_shared<Table>(std::move(block))] {
        blocks.push_back(std::move(*held));
      };
    });
  } while (!stream.types_held());
  return data::join(std::move(blocks));
}

}  // namespace genera
