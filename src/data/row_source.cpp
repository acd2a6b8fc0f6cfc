#include <genera/row_source.hpp>

#include <utility>

#include <genera/error.hpp>

#include "data/densified.hpp"
#include "data/few_values.hpp"
#include "data/join_tables.hpp"
#include "data/memory_rows.hpp"
#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"

namespace genera {

RowChunk::RowChunk(Table table) : data_(std::move(table)) {}
RowChunk::RowChunk(Rows rows, Control control)
    : data_(std::move(rows)), control_(std::move(control)) {}
RowChunk::RowChunk(RowChunk&&) noexcept = default;
RowChunk& RowChunk::operator=(RowChunk&&) noexcept = default;
RowChunk::~RowChunk() = default;

Rows RowChunk::rows() const {
  const Table* own = std::get_if<Table>(&data_);
  return own ? Rows(*own) : std::get<Rows>(data_);
}

Table RowChunk::table() && {
  Table* own = std::get_if<Table>(&data_);
  return own ? std::move(*own) : data::table_of(std::get<Rows>(data_));
}

const std::vector<Note>& RowSource::notes() const {
  static const std::vector<Note> none;
  return none;
}

namespace {

Index count(const std::optional<RowChunk>& chunk) { return chunk ? chunk->rows().count() : -1; }

/// A chunk without rows does not show whether there are labels.
RowsSchema schema_of_chunk(const RowChunk& chunk) {
  const Rows rows = chunk.rows();
  RowsSchema schema = data::schema_of(rows.data());
  if (rows.data().labels.empty() && rows.count() > 0) schema.target.clear();
  return schema;
}

}  // namespace

CallbackRows::CallbackRows(Next next, CallbackOptions options)
    : next_(std::move(next)), options_(std::move(options)) {
  first_ = next_();
  if (!first_)
    throw Error(Errc::bad_data, name() + ": is empty", "return at least one chunk with columns");
  while (count(first_) == 0) {
    std::optional<RowChunk> chunk = next_();
    if (!chunk) break;
    first_ = std::move(chunk);
  }
  given_ = schema_of_chunk(*first_);
  schema_ = given_;
}

void CallbackRows::set_types(const ColumnTypes& types) {
  types_ = types;
  schema_ = data::with_types(given_, types);
}

std::optional<RowChunk> CallbackRows::next_chunk() {
  if (first_) return std::exchange(first_, std::nullopt);
  std::optional<RowChunk> chunk = next_();
  while (count(chunk) == 0) chunk = next_();
  if (chunk && schema_of_chunk(*chunk) != given_)
    throw Error(Errc::bad_data, name() + ": a chunk has other columns than the first one",
                "return chunks with the same columns, target and text options");
  return chunk;
}

void CallbackRows::run(const Control& control, const Work& work,
                       const std::function<void()>& /*start_again*/) {
  if (begun_) {
    if (!options_.restart)
      throw Error(Errc::bad_data, name() + ": the rows can be read only once",
                  "give a function that restarts them, or read them into memory first");
    first_.reset();
    options_.restart();
  }
  begun_ = true;
  kernel::ProgressMeter meter(control, Progress::Task::reading);
  kernel::run_in_order(control.threads, [&]() -> std::optional<kernel::Task> {
    auto next = next_chunk();
    if (!next) return std::nullopt;
    return [&, chunk = std::make_shared<RowChunk>(*std::move(next))]() -> kernel::Finish {
      const Index count = chunk->rows().count();
      auto finish = types_.types.empty() && !types_.default_type
                        ? work(std::move(*chunk))
                        : work(data::with_types(chunk->rows(), types_));
      return [&meter, chunk, count, finish = std::move(finish)] {
        finish();
        meter.advance(count);
      };
    };
  });
}

RowsRef::RowsRef(RowSource& source) : source_(std::shared_ptr<RowSource>(), &source) {}
RowsRef::RowsRef(const Rows& rows) : source_(std::make_shared<data::MemoryRows>(rows)) {}
RowsRef::RowsRef(const Table& table) : RowsRef(Rows(table)) {}

Table read_rows(RowsRef rows, const Control& control) {
  if (const Rows* all = rows->in_memory()) return data::table_of(*all);
  return data::join(rows->reduce(
      control, [] { return std::vector<Table>(); },
      [](RowChunk&& chunk) { return std::move(chunk).table(); },
      [](std::vector<Table>& all, Table&& chunk) { all.push_back(std::move(chunk)); }));
}

}  // namespace genera
