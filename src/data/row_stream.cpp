#include <genera/stream.hpp>

#include <utility>

#include "data/csv/csv_rows.hpp"
#include "data/join_tables.hpp"
#include "data/row_source.hpp"
#include "data/svmlight/svmlight_rows.hpp"
#include "kernel/parallel.hpp"

namespace genera {
namespace {

std::unique_ptr<data::RowSource> open(const std::string& source, const CsvOptions& options,
                                      const Roles& roles) {
  return data::is_svmlight(source) ? data::open_svmlight(source, options, roles)
                                   : data::open_csv(source, options, roles);
}

}  // namespace

struct RowStream::State {
  std::string name;
  std::unique_ptr<data::RowSource> source;
  TextOptions text;
  std::function<void(Index)> progress;

  template <class Action>
  auto or_give_up(Action action) -> decltype(action()) {
    try {
      return action();
    } catch (...) {
      source->give_up();
      throw;
    }
  }
};

RowStream::RowStream(std::string source, CsvOptions options, Roles roles)
    : state_(std::make_unique<State>()) {
  validate(roles.text);
  state_->text = roles.text;
  state_->source = open(source, options, roles);
  state_->name = std::move(source);
}
RowStream::RowStream(RowStream&&) noexcept = default;
RowStream& RowStream::operator=(RowStream&&) noexcept = default;
RowStream::~RowStream() = default;

const std::vector<Column>& RowStream::columns() const { return state_->source->columns(); }
const std::string& RowStream::target() const { return state_->source->target(); }
const std::vector<std::string>& RowStream::notes() const { return state_->source->notes(); }
const std::string& RowStream::name() const { return state_->name; }
bool RowStream::is_svmlight() const { return data::is_svmlight(state_->name); }
TextOptions RowStream::text_options() const { return state_->text; }
CsvOptions RowStream::format() const { return state_->source->format(); }
bool RowStream::types_held() { return state_->source->types_held(); }
void RowStream::rewind() { state_->source->rewind(); }

void RowStream::on_progress(std::function<void(Index)> report) {
  state_->progress = std::move(report);
}

void RowStream::for_each_block(int threads,
                               const std::function<std::function<void()>(Table&&)>& work) {
  State& state = *state_;
  kernel::run_in_order(threads, [&]() -> std::optional<kernel::Task> {
    auto chunk = state.source->next();
    if (!chunk) return std::nullopt;
    return [&state, &work, chunk = std::move(*chunk)]() -> kernel::Finish {
      return state.or_give_up([&]() -> kernel::Finish {
        data::RowBlock block = state.source->parse(chunk);
        const Index rows = block.table.rows();
        return [&state, rows, remember = std::move(block.remember),
                finish = work(std::move(block.table))] {
          state.or_give_up([&] {
            if (remember) remember();
            finish();
            if (state.progress) state.progress(rows);
          });
        };
      });
    };
  });
}

Table read_rows(RowStream& rows, int threads) {
  std::vector<Table> blocks;
  do {
    blocks.clear();
    rows.for_each_block(threads, [&](Table&& block) -> std::function<void()> {
      return [&blocks, held = std::make_shared<Table>(std::move(block))] {
        blocks.push_back(std::move(*held));
      };
    });
  } while (!rows.types_held());
  return data::join(std::move(blocks));
}

Table read_csv(const std::string& source, const Roles& roles, const CsvOptions& options,
               int threads) {
  RowStream stream(source, options, roles);
  return read_rows(stream, threads);
}

}  // namespace genera
