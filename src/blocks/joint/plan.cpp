// The fit of joint tables.
#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/joint/kind.hpp"
#include "blocks/joint/leave_one_out.hpp"
#include "blocks/level_weights.hpp"
#include "blocks/table_sums.hpp"
#include "sums/discrete_sums.hpp"

namespace genera::blocks {
namespace {

/// Larger joint tables are refused.
constexpr double max_cells = 1e7;

/// The levels of each column that occur in any combination.
std::vector<std::vector<std::string>> levels_of(const std::vector<std::string>& joint,
                                                std::size_t columns) {
  std::vector<NameSet> seen(columns);
  for (const std::string& level : joint) {
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
  if (cells <= max_cells) return;
  constexpr std::size_t max_shown = 8;
  const bool all = sizes.size() <= max_shown;
  sizes.resize(std::min(sizes.size(), max_shown));
  throw Error(Errc::bad_model,
              fmt::format("the joint table of {} has {:.0f} cells ({}{}) for each class",
                          counted(std::ssize(levels), "column"), cells, fmt::join(sizes, " x "),
                          all ? "" : " x ..."),
              {"use {}, which takes the columns one by one, or fewer columns ({}, {})",
               {{"model", {"categorical"}}, {"features"}, {"drop"}}});
}

class JointPlan : public BlockPlan {
 public:
  JointPlan(std::vector<std::string> columns, std::vector<std::vector<std::string>> levels,
            Index classes, double smoothing)
      : columns_(std::move(columns)),
        levels_(std::move(levels)),
        classes_(classes),
        smoothing_(smoothing) {
    for (const auto& of_column : levels_) {
      places_.emplace_back(of_column);
      cells_ *= std::ssize(of_column);
    }
  }

  [[nodiscard]] std::unique_ptr<BlockSums> no_sums() const override {
    return std::make_unique<TableSums>(classes_, std::vector<Index>{cells_});
  }

  [[nodiscard]] std::unique_ptr<BlockSums> read(const Statistics& statistics) const override {
    const sums::ClassList classes = sums::sorted_classes(statistics);
    auto sums = no_sums();
    sums_as<TableSums>(*sums).weights = classes.counts;
    const std::vector<std::string>& names = statistics.levels().front().names();
    const Matrix weights = level_weights(statistics, classes, 0, names);
    for (std::size_t v = 0; v < names.size(); ++v) {
      const std::optional<Index> cell = cell_of(sums::split_level(names[v]));
      for (Index k = 0; cell && k < classes_; ++k)
        sums_as<TableSums>(*sums).tables.front()(k, *cell) = weights(k, static_cast<Index>(v));
    }
    return sums;
  }

  [[nodiscard]] Block estimate(const BlockSums& sums, const Estimating& how,
                               Report&) const override {
    const auto& from = sums_as<TableSums>(sums);
    return JointBlock({.columns = columns_,
                       .levels = levels_,
                       .probabilities = smoothed(from.tables.front(), smoothing_),
                       .smoothing = smoothing_,
                       .counts = how.class_weights});
  }

  [[nodiscard]] std::unique_ptr<const LeaveOneOut> leave_one_out(
      const LeaveOneOutInput& input) const override {
    return leave_cell_out(input);
  }

  [[nodiscard]] double log_likelihood(const Block& block, const BlockSums& sums) const override {
    return blocks::log_likelihood(sums_as<TableSums>(sums).tables.front(), table_of(block));
  }
  [[nodiscard]] double log_prior(const Block& block,
                                 std::span<const CollapsePrior>) const override {
    return log_smoothing(smoothing_, table_of(block));
  }
  [[nodiscard]] double change(const Block& before, const Block& after) const override {
    return largest_difference(table_of(before), table_of(after));
  }

 private:
  [[nodiscard]] static const Matrix& table_of(const Block& block) {
    return block_as<JointBlock>(block).parameters().probabilities;
  }

  /// Empty if a level no longer occurs.
  [[nodiscard]] std::optional<Index> cell_of(const std::vector<std::string>& parts) const {
    Index cell = 0;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const auto level = places_[j].find(parts[j]);
      if (!level) return std::nullopt;
      cell = cell * places_[j].size() + *level;
    }
    return cell;
  }

  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> levels_;
  std::vector<NameSet> places_;
  Index cells_ = 1;
  Index classes_;
  double smoothing_;
};

}  // namespace

BlockPlans JointKind::plans(const PlanInput& input, Report& report) {
  BlockPlans plans;
  const auto sets = input.statistics.schema().coded();
  if (!input.statistics.schema().joint || sets.empty()) return plans;
  const std::vector<std::string> joint = levels_seen(input, 0);
  if (joint.empty()) {
    for (const std::string& column : sets.front()) report.columns_left_out.push_back(column);
    report.notes.push_back({"no row has all of the categories: they are left out"});
    return plans;
  }
  auto levels = levels_of(joint, sets.front().size());
  refuse_excess(levels);
  plans.push_back(std::make_unique<JointPlan>(sets.front(), std::move(levels), input.classes.size(),
                                              input.recipe.discrete.smoothing));
  return plans;
}

}  // namespace genera::blocks
