// Categories, all columns together.
#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "fit/discrete.hpp"
#include "sums/discrete_sums.hpp"

namespace genera::fit_detail {
namespace {

/// A joint table beyond this is no use to anybody.
constexpr double most_cells = 1e7;

/// The levels of each column that occur in any combination.
std::vector<std::vector<std::string>> levels_of(const LevelWeights& joint, std::size_t columns) {
  std::vector<NameSet> seen(columns);
  for (const std::string& level : joint.levels) {
    const std::vector<std::string> parts = sums::split_level(level);
    for (std::size_t j = 0; j < columns; ++j) seen[j].add(parts[j]);
  }
  std::vector<std::vector<std::string>> levels;
  for (NameSet& names : seen) {
    levels.push_back(std::move(names).take_names());
    sort_labels(levels.back());
  }
  return levels;
}

void refuse_excess(const std::vector<std::vector<std::string>>& levels) {
  double cells = 1;
  std::vector<std::size_t> sizes;
  for (const auto& of_column : levels) {
    cells *= static_cast<double>(of_column.size());
    sizes.push_back(of_column.size());
  }
  if (cells <= most_cells) return;
  constexpr std::size_t most_shown = 8;
  const bool all = sizes.size() <= most_shown;
  sizes.resize(std::min(sizes.size(), most_shown));
  throw Error(Errc::bad_model,
              fmt::format("the joint table of {} columns has {:.0f} cells ({}{}) for each class",
                          levels.size(), cells, fmt::join(sizes, " x "), all ? "" : " x ..."),
              {"use {}, which takes the columns one by one, or fewer columns ({}, {})",
               {{"model", {"categorical"}}, {"features"}, {"drop"}}});
}

Index cell_of(const std::vector<std::string>& parts, const std::vector<NameSet>& places) {
  Index cell = 0;
  for (std::size_t j = 0; j < parts.size(); ++j)
    cell = cell * places[j].size() + *places[j].find(parts[j]);
  return cell;
}

}  // namespace

std::optional<Block> joint_block(const DiscreteInput& input, Report& report) {
  const auto sets = input.statistics.schema().coded();
  if (sets.empty()) return std::nullopt;
  const LevelWeights joint = weights_of(input, 0);
  if (joint.levels.empty()) {
    for (const std::string& column : sets.front()) report.columns_left_out.push_back(column);
    report.notes.push_back({"no row has all of the categories: they are left out"});
    return std::nullopt;
  }
  JointParameters p{.columns = sets.front(),
                    .levels = levels_of(joint, sets.front().size()),
                    .smoothing = input.options.smoothing,
                    .counts = input.classes.counts};
  refuse_excess(p.levels);
  std::vector<NameSet> places;
  Index cells = 1;
  for (const auto& levels : p.levels) {
    places.emplace_back(levels);
    cells *= std::ssize(levels);
  }
  Matrix weights(input.classes.size(), cells);
  for (std::size_t v = 0; v < joint.levels.size(); ++v) {
    const Index cell = cell_of(sums::split_level(joint.levels[v]), places);
    for (Index k = 0; k < weights.rows(); ++k)
      weights(k, cell) = joint.weights(k, static_cast<Index>(v));
  }
  p.probabilities = smoothed(std::move(weights), p.smoothing);
  return JointBlock(std::move(p));
}

}  // namespace genera::fit_detail
