// Missing cells and lengths of rows, with respect to a model.
#include <algorithm>
#include <cmath>
#include <map>

#include "score/scorer.hpp"

namespace genera::score {
namespace {

using blocks::Places;

/// Counts missing cells row by row.
class MissingCounter {
 public:
  explicit MissingCounter(const BoundModel& bound)
      : bound_(bound), lacks_(static_cast<std::size_t>(bound.rows().count())) {}

  void numbers(const Places& places, Index position) {
    const Index row = bound_.rows().row(position);
    for (const Index column : places.numbers) {
      if (std::isnan(bound_.bound_rows().numbers(row, column))) missing(position);
    }
  }

  void block(const Places& places) {
    for (Index i = 0; i < bound_.rows().count(); ++i) {
      const Index row = bound_.rows().row(i);
      numbers(places, i);
      for (const Index column : places.codes) {
        if (bound_.bound_rows().codes(column)(row) < 0) missing(i);
      }
      if (places.sparse && bound_.bound_rows().sparse(places).is_missing(row)) missing(i);
    }
  }

  [[nodiscard]] MissingCells found() const { return found_; }

 private:
  void missing(Index position) {
    ++found_.cells;
    char& lacks = lacks_[static_cast<std::size_t>(position)];
    if (!lacks) ++found_.rows;
    lacks = 1;
  }

  const BoundModel& bound_;
  std::vector<char> lacks_;
  MissingCells found_;
};

/// Missing cells of a row in the order of the features, and its length, block by block.
class ShapeOfRow {
 public:
  ShapeOfRow(const BoundModel& bound, Index row) : bound_(bound.bound_rows()), row_(row) {
    for (std::size_t b = 0; b < bound.size(); ++b) {
      look(bound.places(b));
      found_.lengths.push_back(bound.block(b).given_length(row));
    }
    if (std::ranges::all_of(found_.lengths, [](Index length) { return length < 0; }))
      found_.lengths.clear();
  }
  [[nodiscard]] RowShape found() && { return std::move(found_); }

 private:
  void look(const Places& places) {
    for (const Index column : places.numbers) {
      if (std::isnan(bound_.numbers(row_, column))) found_.numbers.push_back(number_);
      ++number_;
    }
    for (std::size_t j = 0; j < places.codes.size(); ++j, ++code_) {
      const std::int32_t code = bound_.codes(places.codes[j])(row_);
      if (code < 0 || places.levels[j][static_cast<std::size_t>(code)] < 0)
        found_.codes.push_back(code_);
    }
    if (!places.sparse) return;
    if (bound_.sparse(places).is_missing(row_)) found_.texts.push_back(text_);
    ++text_;
  }

  const blocks::BoundRows& bound_;
  Index row_;
  Index number_ = 0, code_ = 0, text_ = 0;
  RowShape found_;
};

}  // namespace

MissingCells missing_cells(const BoundModel& bound, const Tally& tally) {
  const LinearModel* linear = bound.model().linear();
  /// such models refuse rows with missing cells
  if (linear && linear->needs_every_cell()) return {};
  MissingCounter counter(bound);
  for (std::size_t b = 0; b < bound.size(); ++b) {
    if (bound.part(b).pattern_columns().empty()) {
      counter.block(bound.places(b));
    } else {
      for (const Index position : tally.suspects) counter.numbers(bound.places(b), position);
    }
  }
  return counter.found();
}

std::vector<RowsOfShape> rows_by_shape(const Model& model, const Rows& rows) {
  const BoundModel bound(model, rows);
  std::map<RowShape, std::vector<Index>> groups;
  for (Index i = 0; i < rows.count(); ++i) {
    RowShape one = ShapeOfRow(bound, bound.rows().row(i)).found();
    if (!one.lacks_nothing() || !one.lengths.empty()) groups[std::move(one)].push_back(i);
  }
  std::vector<RowsOfShape> all;
  for (auto& [shape, members] : groups) all.push_back({shape, std::move(members)});
  return all;
}

}  // namespace genera::score
