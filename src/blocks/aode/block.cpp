#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/aode/table.hpp"
#include "blocks/probabilities.hpp"
#include "sums/pair_sums.hpp"

namespace genera {
namespace {

using detail::refuse_model;

void check_weights(const Matrix& weights, Index rows, Index columns, const std::string& what) {
  if (weights.rows() != rows || weights.columns() != columns)
    refuse_model(fmt::format("{} has {} x {} weights, expected {} x {}", what, weights.rows(),
                             weights.columns(), rows, columns),
                 "give a weight of each level in each class");
  for (Index k = 0; k < rows; ++k)
    for (const double weight : weights.row(k))
      if (!(weight >= 0) || std::isinf(weight))
        refuse_model(fmt::format("{} has the weight {}", what, weight),
                     "weights are finite and at least 0");
}

void check_column(const Column& column, const std::vector<std::string>& levels) {
  const std::string what = fmt::format("column '{}'", column.name);
  detail::check_levels(levels, what);
  const bool number = column.type == ColumnType::numeric;
  if (number != column.cut.has_value())
    refuse_model(what + (number ? " is numeric and has no limits" : " has limits and no numbers"),
                 "give limits to numeric columns only");
  if (!number && column.type != ColumnType::categorical && column.type != ColumnType::binary)
    refuse_model(fmt::format("{} has the type {}", what, name_of(column.type)),
                 "give numeric, categorical or binary columns");
  if (number && column.cut->limits.empty())
    refuse_model(what + " has no limit", "leave out columns that are constant");
  if (number && column.cut->bins() != std::ssize(levels))
    refuse_model(fmt::format("{} has {} and {}", what, counted(column.cut->bins(), "bin"),
                             counted(std::ssize(levels), "level")),
                 "give one more level than limits");
}

void validate(const AodeParameters& p) {
  const std::size_t columns = p.columns.size();
  if (columns == 0) refuse_model("a block of estimators needs a column", "give at least one");
  if (p.levels.size() != columns || p.weights.size() != columns ||
      p.pairs.size() != sums::count_of_pairs(columns))
    refuse_model(fmt::format("{}, but levels of {}, weights of {} and {}",
                             counted(std::ssize(p.columns), "column"), p.levels.size(),
                             p.weights.size(), counted(std::ssize(p.pairs), "pair")),
                 "give levels and weights of every column, and weights of every pair");
  if (!(p.smoothing >= 0) || std::isinf(p.smoothing))
    refuse_model(fmt::format("the smoothing is {}", p.smoothing), "give at least 0");
  const Index classes = p.weights.front().rows();
  if (classes == 0) refuse_model("there are no weights", "give those of at least one class");
  for (std::size_t j = 0; j < columns; ++j) {
    check_column(p.columns[j], p.levels[j]);
    check_weights(p.weights[j], classes, std::ssize(p.levels[j]),
                  fmt::format("column '{}'", p.columns[j].name));
  }
  if (detail::aode_cells(static_cast<double>(classes), p.levels) > detail::max_aode_cells)
    refuse_model("the block has more than 1 GiB of probabilities", "give fewer columns or levels");
  for (std::size_t a = 0; a < columns; ++a)
    for (std::size_t b = a + 1; b < columns; ++b)
      check_weights(p.pairs[sums::pair_place(a, b, columns)], classes,
                    std::ssize(p.levels[a]) * std::ssize(p.levels[b]),
                    fmt::format("the pair '{}', '{}'", p.columns[a].name, p.columns[b].name));
  detail::check_counts(p.counts, classes);
}

}  // namespace

AodeBlock::AodeBlock(AodeParameters parameters) : parameters_(std::move(parameters)) {
  validate(parameters_);
  density_ = std::make_shared<const detail::AodeTable>(parameters_);
}

std::vector<Column> AodeBlock::features() const {
  std::vector<Column> features;
  for (const Column& column : parameters_.columns) features.push_back({column.name, column.type});
  return features;
}

/// Those of p(x_i | k) and p(x_j | k, x_i), for all i and j.
Index AodeBlock::free_parameters() const {
  Index all = 0, own = 0, pairs = 0;
  for (const auto& levels : parameters_.levels) all += std::ssize(levels) - 1;
  for (const auto& levels : parameters_.levels) {
    own += std::ssize(levels) - 1;
    pairs += std::ssize(levels) * (all - (std::ssize(levels) - 1));
  }
  return classes() * (own + pairs);
}

}  // namespace genera
