#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/joint/table.hpp"
#include "blocks/probabilities.hpp"

namespace genera {
namespace detail {

JointTable::JointTable(const JointParameters& parameters)
    : strides_(parameters.levels.size()), probabilities_(parameters.probabilities) {
  Index stride = 1;
  for (std::size_t j = parameters.levels.size(); j-- > 0;) {
    strides_[j] = stride;
    stride *= static_cast<Index>(parameters.levels[j].size());
  }
  for (const auto& levels : parameters.levels) {
    levels_.push_back(std::ssize(levels));
    names_.emplace_back(levels);
  }
}

double JointTable::log_probability(Index k, std::span<const std::int32_t> cells) const {
  return std::log(sum(k, cells, 0, 0));
}

double JointTable::sum(Index k, std::span<const std::int32_t> cells, std::size_t column,
                       Index cell) const {
  for (; column < cells.size() && cells[column] >= 0; ++column)
    cell += strides_[column] * cells[column];
  if (column == cells.size()) return probabilities_(k, cell);
  double total = 0;
  for (Index level = 0; level < levels_[column]; ++level)
    total += sum(k, cells, column + 1, cell + level * strides_[column]);
  return std::min(total, 1.0);  // the sum over all cells may exceed 1 by rounding
}

}  // namespace detail

namespace {

void validate(const JointParameters& p) {
  if (p.columns.empty() || p.levels.size() != p.columns.size())
    detail::refuse_model(fmt::format("{}, but levels of {}",
                                     counted(std::ssize(p.columns), "column"), p.levels.size()),
                         "give the levels of every column");
  Index cells = 1;
  for (std::size_t j = 0; j < p.columns.size(); ++j) {
    detail::check_levels(p.levels[j], fmt::format("column '{}'", p.columns[j]));
    cells *= std::ssize(p.levels[j]);
    if (cells > p.probabilities.columns()) break;  // avoids overflow; the size is wrong anyway
  }
  detail::check_probabilities(p.probabilities, cells, "the joint table");
  detail::check_counts(p.counts, p.probabilities.rows());
}

}  // namespace

JointBlock::JointBlock(JointParameters parameters) : parameters_(std::move(parameters)) {
  validate(parameters_);
  density_ = std::make_shared<const detail::JointTable>(parameters_);
}

std::vector<Column> JointBlock::features() const {
  std::vector<Column> features;
  for (const std::string& name : parameters_.columns)
    features.push_back({name, ColumnType::categorical});
  return features;
}

Index JointBlock::free_parameters() const {
  return classes() * (parameters_.probabilities.columns() - 1);
}

}  // namespace genera
