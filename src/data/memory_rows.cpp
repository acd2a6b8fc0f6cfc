#include "data/memory_rows.hpp"

#include "data/columns.hpp"
#include "data/few_values.hpp"

namespace genera::data {

RowsSchema schema_of(const DataView& data) {
  const auto matrix = sparse_features(data);
  return {.columns = data.columns,
          .target = data.target,
          .label_type = data.label_type,
          .sparse_matrix = matrix ? std::optional(data.sparse[*matrix].kind) : std::nullopt,
          .all_columns = matrix && data.sparse[*matrix].all_columns,
          .text = data.sparse.empty() ? TextOptions{} : data.sparse.front().text_options,
          .frequencies = data.frequencies};
}

MemoryRows::MemoryRows(const Rows& rows) : given_(rows), rows_(rows), name_(rows.data().source) {}

MemoryRows::MemoryRows(RowSource& source, const Control& control)
    : table_(read_rows(source, control)),
      given_(table_),
      rows_(given_),
      name_(source.name()),
      notes_(source.notes()) {}

void MemoryRows::set_types(const ColumnTypes& types) { rows_ = with_types(given_, types); }

void MemoryRows::run(const Control& control, const Work& work,
                     const std::function<void()>& /*start_again*/) {
  work(RowChunk(rows_, control))();
}

void KeptRows::keep(const Control& control) {
  if (source_->in_memory() != nullptr) return;
  kept_ = std::make_unique<MemoryRows>(*source_, control);
  source_ = kept_.get();
}

}  // namespace genera::data
