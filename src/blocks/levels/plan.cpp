// The fit of naive categorical columns.
#include <algorithm>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "blocks/level_weights.hpp"
#include "blocks/levels/kind.hpp"
#include "blocks/levels/leave_one_out.hpp"
#include "blocks/table_sums.hpp"
#include "kernel/index.hpp"
#include "sums/discrete_sums.hpp"

namespace genera::blocks {

using kernel::at;

std::vector<std::string> levels_seen(const PlanInput& input, std::size_t coded) {
  const std::vector<std::string>& names = input.statistics.levels()[coded].names();
  std::vector<std::string> levels;
  for (std::size_t v = 0; v < names.size(); ++v) {
    const bool occurs = std::ranges::any_of(input.classes.statistics, [&](const auto* c) {
      return sums::sum_at(c->levels[coded], v) > 0;
    });
    if (occurs) levels.push_back(names[v]);
  }
  sort_labels(levels);
  return levels;
}

Matrix level_weights(const Statistics& statistics, const sums::ClassList& classes,
                     std::size_t coded, const std::vector<std::string>& levels) {
  Matrix weights(classes.size(), std::ssize(levels));
  for (std::size_t v = 0; v < levels.size(); ++v) {
    const auto place = statistics.levels()[coded].find(levels[v]);
    for (Index k = 0; place && k < weights.rows(); ++k)
      weights(k, static_cast<Index>(v)) =
          sums::sum_at(classes.statistics[at(k)]->levels[coded], static_cast<std::size_t>(*place));
  }
  return weights;
}

namespace {

/// With at least this many rows, a column with one level per row looks like an identifier.
constexpr double min_rows_of_ids = 20;

struct LevelsColumn {
  std::string name;
  std::size_t coded;  // index among the coded columns of the statistics
  std::vector<std::string> levels;
};

class LevelsPlan : public BlockPlan {
 public:
  LevelsPlan(CategoricalParameters::Kind kind, Index classes, double smoothing)
      : kind_(kind), classes_(classes), smoothing_(smoothing) {}

  void add(LevelsColumn column) { columns_.push_back(std::move(column)); }
  [[nodiscard]] bool empty() const { return columns_.empty(); }

  [[nodiscard]] std::unique_ptr<BlockSums> no_sums() const override {
    std::vector<Index> sizes;
    for (const LevelsColumn& column : columns_) sizes.push_back(std::ssize(column.levels));
    return std::make_unique<TableSums>(classes_, sizes);
  }

  [[nodiscard]] std::unique_ptr<BlockSums> read(const Statistics& statistics) const override {
    const sums::ClassList classes = sums::sorted_classes(statistics);
    auto sums = no_sums();
    sums_as<TableSums>(*sums).weights = classes.counts;
    for (std::size_t j = 0; j < columns_.size(); ++j)
      sums_as<TableSums>(*sums).tables[j] =
          level_weights(statistics, classes, columns_[j].coded, columns_[j].levels);
    return sums;
  }
  [[nodiscard]] bool complete_rows_are_statistics() const override { return true; }

  [[nodiscard]] Block estimate(const BlockSums& sums, const Estimating& how,
                               Report&) const override {
    const auto& from = sums_as<TableSums>(sums);
    CategoricalParameters p{.kind = kind_, .smoothing = smoothing_, .counts = how.class_weights};
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      p.columns.push_back(columns_[j].name);
      p.levels.push_back(columns_[j].levels);
      p.probabilities.push_back(smoothed(from.tables[j], smoothing_, how.threads));
    }
    return CategoricalBlock(std::move(p));
  }

  [[nodiscard]] std::unique_ptr<const LeaveOneOut> leave_one_out(
      const LeaveOneOutInput& input) const override {
    return leave_level_out(input);
  }

  [[nodiscard]] double log_likelihood(const Block& block, const BlockSums& sums) const override {
    double total = 0;
    for (std::size_t j = 0; j < columns_.size(); ++j)
      total += blocks::log_likelihood(sums_as<TableSums>(sums).tables[j], tables_of(block)[j]);
    return total;
  }
  [[nodiscard]] double log_prior(const Block& block,
                                 std::span<const CollapsePrior>) const override {
    double total = 0;
    for (const Matrix& table : tables_of(block)) total += log_smoothing(smoothing_, table);
    return total;
  }
  [[nodiscard]] double change(const Block& before, const Block& after) const override {
    double max = 0;
    for (std::size_t j = 0; j < columns_.size(); ++j)
      max = std::max(max, largest_difference(tables_of(before)[j], tables_of(after)[j]));
    return max;
  }

 private:
  [[nodiscard]] static const std::vector<Matrix>& tables_of(const Block& block) {
    return block_as<CategoricalBlock>(block).parameters().probabilities;
  }

  CategoricalParameters::Kind kind_;
  Index classes_;
  double smoothing_;
  std::vector<LevelsColumn> columns_;
};

/// The other level of a two-level column, if only one was seen.
std::string counterpart(const std::string& level) {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"0", "1"}, {"no", "yes"},     {"false", "true"}, {"n", "y"},
      {"f", "t"}, {"No", "Yes"},     {"False", "True"}, {"N", "Y"},
      {"F", "T"}, {"FALSE", "TRUE"}, {"NO", "YES"}};
  for (const auto& [a, b] : pairs) {
    if (level == a) return b;
    if (level == b) return a;
  }
  return "(not " + level + ")";
}

void note_identifier(const PlanInput& input, const LevelsColumn& column, Report& report) {
  const Matrix weights =
      level_weights(input.statistics, input.classes, column.coded, column.levels);
  double rows = 0;
  for (Index k = 0; k < weights.rows(); ++k) {
    for (const double w : weights.row(k)) rows += w;
  }
  if (rows <= min_rows_of_ids || static_cast<double>(column.levels.size()) < rows) return;
  report.notes.push_back(
      {Advice(fmt::format("column '{}' has as many levels as rows: it looks like an identifier; if "
                          "it is one, use ",
                          column.name)) +
       OptionUse{"drop", {column.name}}});
}

std::unordered_set<std::string_view> binary_columns(const StatisticsSchema& schema) {
  std::unordered_set<std::string_view> names;
  for (const Column& feature : schema.features)
    if (feature.type == ColumnType::binary) names.insert(feature.name);
  return names;
}

}  // namespace

/// One block for all binary columns, one for all categorical columns.
BlockPlans LevelsKind::plans(const PlanInput& input, Report& report) {
  BlockPlans plans;
  if (input.statistics.schema().joint || input.recipe.discrete.pairs) return plans;
  using Kind = CategoricalParameters::Kind;
  const double smoothing = input.recipe.discrete.smoothing;
  auto binary = std::make_unique<LevelsPlan>(Kind::bernoulli, input.classes.size(), smoothing);
  auto categorical =
      std::make_unique<LevelsPlan>(Kind::categorical, input.classes.size(), smoothing);
  const auto sets = input.statistics.schema().coded();
  const auto declared_binary = binary_columns(input.statistics.schema());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    LevelsColumn column{sets[i].front(), i, levels_seen(input, i)};
    if (column.levels.empty()) {
      report.columns_left_out.push_back(column.name);
      report.notes.push_back(
          {fmt::format("column '{}' has no value and is left out", column.name)});
      continue;
    }
    note_identifier(input, column, report);
    const bool two = declared_binary.contains(column.name) && column.levels.size() <= 2;
    if (two && column.levels.size() == 1) {
      column.levels.push_back(counterpart(column.levels.front()));
      sort_labels(column.levels);
    }
    (two ? binary : categorical)->add(std::move(column));
  }
  if (!binary->empty()) plans.push_back(std::move(binary));
  if (!categorical->empty()) plans.push_back(std::move(categorical));
  return plans;
}

}  // namespace genera::blocks
