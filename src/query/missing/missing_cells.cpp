#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "query/missing/incomplete_rows.hpp"

namespace genera::query {
namespace {

/// Cells that lack something, counted row by row.
class Count {
 public:
  explicit Count(Index rows) : lacks_(static_cast<std::size_t>(rows)) {}

  void missing(Index row) {
    ++found_.cells;
    char& lacks = lacks_[static_cast<std::size_t>(row)];
    if (!lacks) ++found_.rows;
    lacks = 1;
  }

  void numbers(const MatrixView& view, const std::vector<Index>& columns, Index row) {
    for (const Index column : columns) {
      if (std::isnan(view(row, column))) missing(row);
    }
  }

  void block(const BoundBlock& bound, const Rows& rows) {
    for (Index i = 0; i < rows.count(); ++i) {
      numbers(rows.numbers, bound.numbers, i);
      for (const Index column : bound.codes) {
        if (rows.table->codes(i, column) < 0) missing(i);
      }
      if (!bound.sparse) continue;
      const std::vector<std::uint8_t>& gone = rows.table->sparse[*bound.sparse].missing;
      if (!gone.empty() && gone[static_cast<std::size_t>(i)]) missing(i);
    }
  }

  [[nodiscard]] MissingCells found() const { return found_; }

 private:
  std::vector<char> lacks_;
  MissingCells found_;
};

}  // namespace

MissingCells missing_cells(const Model& model, const Rows& rows, std::span<const Index> suspects) {
  Count count(rows.count());
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const BoundBlock& bound = rows.blocks[b];
    const bool measured = std::holds_alternative<GaussianBlock>(model.blocks()[b]) ||
                          std::holds_alternative<MixtureBlock>(model.blocks()[b]);
    if (!measured) {
      count.block(bound, rows);
    } else if (!bound.sparse) {
      for (const Index row : suspects) count.numbers(rows.numbers, bound.numbers, row);
    }
  }
  return count.found();
}

namespace {

/// What a row lacks, block by block, in the order of the features.
class Lacks {
 public:
  Lacks(const Model& model, const Rows& rows, Index row) : rows_(rows), row_(row) {
    for (std::size_t b = 0; b < model.blocks().size(); ++b) look(rows.blocks[b]);
  }
  [[nodiscard]] Lacking found() && { return std::move(found_); }

 private:
  void look(const BoundBlock& bound) {
    for (const Index column : bound.numbers) {
      if (std::isnan(rows_.numbers(row_, column))) found_.numbers.push_back(number_);
      ++number_;
    }
    for (std::size_t j = 0; j < bound.codes.size(); ++j, ++code_) {
      const std::int32_t code = rows_.table->codes(row_, bound.codes[j]);
      if (code < 0 || bound.levels[j][static_cast<std::size_t>(code)] < 0)
        found_.codes.push_back(code_);
    }
    if (!bound.sparse) return;
    const std::vector<std::uint8_t>& gone = rows_.table->sparse[*bound.sparse].missing;
    if (!gone.empty() && gone[static_cast<std::size_t>(row_)]) found_.texts.push_back(text_);
    ++text_;
  }

  const Rows& rows_;
  Index row_;
  Index number_ = 0, code_ = 0, text_ = 0;
  Lacking found_;
};

}  // namespace

std::vector<Lacking> lacking_rows(const Model& model, const Table& table) {
  const Rows rows = rows_of(model, table);
  std::map<std::tuple<std::vector<Index>, std::vector<Index>, std::vector<Index>>,
           std::vector<Index>>
      groups;
  for (Index i = 0; i < rows.count(); ++i) {
    Lacking one = Lacks(model, rows, i).found();
    if (one.numbers.empty() && one.codes.empty() && one.texts.empty()) continue;
    groups[{std::move(one.numbers), std::move(one.codes), std::move(one.texts)}].push_back(i);
  }
  std::vector<Lacking> all;
  for (auto& [cells, members] : groups)
    all.push_back({std::get<0>(cells), std::get<1>(cells), std::get<2>(cells), std::move(members)});
  return all;
}

}  // namespace genera::query
