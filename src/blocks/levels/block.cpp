#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/levels/tables.hpp"
#include "blocks/probabilities.hpp"

namespace genera {
namespace detail {

LevelTables::LevelTables(const CategoricalParameters& parameters)
    : classes_(parameters.probabilities.front().rows()), begins_{0} {
  for (const Matrix& table : parameters.probabilities) {
    for (Index level = 0; level < table.columns(); ++level) {
      for (Index k = 0; k < classes_; ++k) logs_.push_back(std::log(table(k, level)));
    }
    begins_.push_back(begins_.back() + table.columns());
  }
  for (const auto& levels : parameters.levels) names_.emplace_back(levels);
}

}  // namespace detail

namespace {

void validate(const CategoricalParameters& p) {
  using detail::refuse_model;
  if (p.columns.empty()) refuse_model("a categorical block needs a column", "give at least one");
  if (p.levels.size() != p.columns.size() || p.probabilities.size() != p.columns.size())
    refuse_model(fmt::format("{}, but levels of {} and probabilities of {}",
                             counted(std::ssize(p.columns), "column"), p.levels.size(),
                             p.probabilities.size()),
                 "give levels and probabilities for every column");
  for (std::size_t j = 0; j < p.columns.size(); ++j) {
    const std::string what = fmt::format("column '{}'", p.columns[j]);
    detail::check_levels(p.levels[j], what);
    if (p.kind == CategoricalParameters::Kind::bernoulli && p.levels[j].size() != 2)
      refuse_model(
          fmt::format("{} has {}, expected two", what, counted(std::ssize(p.levels[j]), "level")),
          "a binary column has two levels");
    detail::check_probabilities(p.probabilities[j], static_cast<Index>(p.levels[j].size()), what);
    detail::check_classes(p.probabilities[j].rows(), p.probabilities.front().rows(), what);
  }
  detail::check_counts(p.counts, p.probabilities.front().rows());
}

}  // namespace

CategoricalBlock::CategoricalBlock(CategoricalParameters parameters)
    : parameters_(std::move(parameters)) {
  validate(parameters_);
  density_ = std::make_shared<const detail::LevelTables>(parameters_);
}

std::vector<Column> CategoricalBlock::features() const {
  const bool binary = parameters_.kind == CategoricalParameters::Kind::bernoulli;
  std::vector<Column> features;
  for (const std::string& name : parameters_.columns)
    features.push_back({name, binary ? ColumnType::binary : ColumnType::categorical});
  return features;
}

Index CategoricalBlock::free_parameters() const {
  Index count = 0;
  for (const Matrix& table : parameters_.probabilities)
    count += table.rows() * (table.columns() - 1);
  return count;
}

std::string_view name_of(CategoricalParameters::Kind kind) {
  return kind == CategoricalParameters::Kind::bernoulli ? "bernoulli" : "categorical";
}

}  // namespace genera
