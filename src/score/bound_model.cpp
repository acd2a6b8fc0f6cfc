#include "score/bound_model.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/kinds.hpp"
#include "data/densified.hpp"

namespace genera::score {
namespace {

using blocks::BoundRows;

/// A sparse matrix is laid out with zeros where a block reads dense rows.
bool needs_dense(const Model& model, const DataView& data) {
  return data::sparse_features(data) && std::ranges::any_of(model.blocks(), [](const Block& block) {
           return blocks::visit(block,
                                [](auto kind, const auto& b) { return kind.needs_dense(b); });
         });
}

std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> names;
  for (const Column& feature : model.features()) names.push_back(feature.name);
  return names;
}

data::NumberColumns all_numbers(const DataView& data) {
  Index count = 0;
  for (const NumbersView& piece : data.numbers) count += piece.columns;
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return {data, all};
}

BoundRows prepared(const Model& model, const Rows& rows) {
  BoundRows bound{.rows = rows};
  if (needs_dense(model, rows.data())) {
    bound.owned = std::make_shared<const Table>(data::densified(rows, names_of(model)));
    bound.rows = *bound.owned;
  }
  bound.numbers = all_numbers(bound.rows.data());
  const auto texts = std::ranges::count_if(
      model.features(), [](const Column& column) { return column.type == ColumnType::text; });
  bound.several_texts = texts > 1;
  return bound;
}

void check_positions(const Model& model, Index columns) {
  for (const Column& feature : model.features()) {
    if (feature.type == ColumnType::text)
      throw Error(
          Errc::bad_argument,
          fmt::format("the feature '{}' is text, which has no place among numbers", feature.name),
          "ask with a table, as read_csv gives it");
  }
  const auto d = static_cast<Index>(model.features().size());
  if (columns != d)
    throw Error(Errc::bad_argument,
                fmt::format("the rows have {} columns, the model has {} features", columns, d),
                "give the features of the model, in its order");
}

}  // namespace

BoundModel::BoundModel(const Model& model, const Rows& rows)
    : model_(model), rows_(prepared(model, rows)), first_{0} {
  const DataView& data = rows_.rows.data();
  if (data.by_position) check_positions(model, rows_.numbers.count());
  blocks::Finder finder(data);
  for (const Block& block : model.blocks())
    places_.push_back(
        blocks::visit(block, [&](auto kind, const auto& b) { return kind.locate(b, finder); }));
  bind_blocks();
}

BoundModel::BoundModel(const Model& model, const BoundModel& like)
    : model_(model), rows_(like.rows_), places_(like.places_), first_{0} {
  bind_blocks();
}

void BoundModel::bind_blocks() {
  for (std::size_t b = 0; b < places_.size(); ++b) {
    blocks_.push_back(blocks::visit(model_.blocks()[b], [&](auto kind, const auto& block) {
      return kind.bind(block, rows_, places_[b]);
    }));
    const std::span<const Index> columns = blocks_.back()->pattern_columns();
    pattern_columns_.insert(pattern_columns_.end(), columns.begin(), columns.end());
    first_.push_back(std::ssize(pattern_columns_));
  }
}

}  // namespace genera::score
