#include "query/generate/model_rows.hpp"

#include <limits>

#include "blocks/kinds.hpp"

namespace genera::query {

ModelRows unknown_rows(const Model& model, Index rows) {
  ModelRows own;
  Table& table = own.table;
  Index numbers = 0;
  for (const Block& block : model.blocks()) {
    const blocks::Layout layout =
        blocks::visit(block, [](auto kind, const auto& b) { return kind.layout(b); });
    own.places.push_back({numbers, std::ssize(table.levels)});
    for (Index j = 0; j < layout.numbers && layout.patterned; ++j)
      own.pattern_columns.push_back(numbers + j);
    own.patterned.push_back(std::ssize(own.pattern_columns));
    numbers += layout.numbers;
    table.levels.insert(table.levels.end(), layout.levels.begin(), layout.levels.end());
    if (layout.text.empty()) continue;
    SparseColumns& sparse = table.sparse.emplace_back();
    sparse.name = layout.text;
    sparse.text_options = model.text_options();
    sparse.begins.assign(static_cast<std::size_t>(rows) + 1, 0);
    sparse.missing.assign(static_cast<std::size_t>(rows), 1);
  }
  table.columns = model.features();
  table.row_count = rows;
  table.target = model.target();
  table.classes = model.classes();
  table.labels.assign(static_cast<std::size_t>(rows), -1);
  table.numbers = Matrix(rows, numbers, std::numeric_limits<double>::quiet_NaN());
  table.codes = Codes(rows, std::ssize(table.levels));
  return own;
}

Fillers::Fillers(const Model& model, const blocks::FillRules& rules) {
  for (const Block& block : model.blocks())
    fillers_.push_back(
        blocks::visit(block, [&](auto kind, const auto& b) { return kind.filler(b, rules); }));
}

RowFiller::RowFiller(const Fillers& fillers, ModelRows& rows) : rows_(rows) {
  for (const auto& filler : fillers.all()) workers_.push_back(filler->worker());
}

blocks::Cells RowFiller::cells(std::size_t b) const {
  return {.table = rows_.table, .number = rows_.places[b].number, .code = rows_.places[b].code};
}

void RowFiller::observe(std::span<const Index> columns) {
  for (std::size_t b = 0; b < workers_.size(); ++b) {
    const Index first = rows_.patterned[b], last = rows_.patterned[b + 1];
    own_.clear();
    for (const Index column : columns) {
      if (column >= first && column < last) own_.push_back(column - first);
    }
    if (last > first) workers_[b]->observe(own_);
  }
}

void RowFiller::expect(std::span<const Index> some, const double* classes) {
  for (std::size_t b = 0; b < workers_.size(); ++b) workers_[b]->expect(cells(b), some, classes);
}

void RowFiller::draw(std::span<const Index> some, Index k, std::span<Rng> streams,
                     std::vector<std::vector<blocks::TermCounts>>& texts) {
  for (std::size_t b = 0; b < workers_.size(); ++b) {
    blocks::Cells own = cells(b);
    own.texts = &texts;
    workers_[b]->draw(own, some, k, streams);
  }
}

}  // namespace genera::query
