// Categories, column by column.
#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "fit/discrete.hpp"
#include "kernel/parallel.hpp"
#include "kernel/text.hpp"

namespace genera::fit_detail {
namespace {

/// So many rows that as many levels are an identifier.
constexpr double telling_rows = 20;

}  // namespace

LevelWeights weights_of(const DiscreteInput& input, std::size_t coded) {
  const NameSet& names = input.statistics.levels()[coded];
  LevelWeights found;
  for (std::size_t v = 0; v < names.names().size(); ++v) {
    const bool occurs =
        std::any_of(input.classes.statistics.begin(), input.classes.statistics.end(),
                    [&](const ClassStatistics* c) { return sum_at(c->levels[coded], v) > 0; });
    if (occurs) found.levels.push_back(names.names()[v]);
  }
  sort_labels(found.levels);
  const NameSet places(names.names());
  found.weights = Matrix(input.classes.size(), std::ssize(found.levels));
  for (Index v = 0; v < found.weights.columns(); ++v) {
    const auto place =
        static_cast<std::size_t>(*places.find(found.levels[static_cast<std::size_t>(v)]));
    for (Index k = 0; k < input.classes.size(); ++k)
      found.weights(k, v) =
          sum_at(input.classes.statistics[static_cast<std::size_t>(k)]->levels[coded], place);
  }
  return found;
}

Matrix smoothed(Matrix weights, double smoothing, int threads) {
  const auto levels = static_cast<double>(weights.columns());
  kernel::parallel_for(weights.rows(), threads, [&](Index k) {
    double total = smoothing * levels;
    for (const double w : weights.row(k)) total += w;
    for (double& p : weights.row(k)) p = total > 0 ? (p + smoothing) / total : 1 / levels;
  });
  return weights;
}

namespace {

/// The other of two levels, of which only one was seen.
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

void add_counterpart(LevelWeights& found) {
  std::vector<std::string> levels{found.levels.front(), counterpart(found.levels.front())};
  sort_labels(levels);
  Matrix weights(found.weights.rows(), 2);
  const Index place = levels.front() == found.levels.front() ? 0 : 1;
  for (Index k = 0; k < weights.rows(); ++k) weights(k, place) = found.weights(k, 0);
  found = {std::move(levels), std::move(weights)};
}

void note_identifier(const LevelWeights& found, const std::string& column, Report& report) {
  double rows = 0;
  for (Index k = 0; k < found.weights.rows(); ++k) {
    for (const double w : found.weights.row(k)) rows += w;
  }
  if (rows <= telling_rows || static_cast<double>(found.levels.size()) < rows) return;
  report.notes.push_back(
      {Advice(fmt::format("column '{}' has as many levels as rows: it looks like an identifier; if "
                          "it is one, use ",
                          column)) +
       OptionUse{"drop", {column}}});
}

void append(CategoricalParameters& to, const std::string& column, LevelWeights found,
            double smoothing) {
  to.columns.push_back(column);
  to.probabilities.push_back(smoothed(std::move(found.weights), smoothing));
  to.levels.push_back(std::move(found.levels));
}

bool is_binary(const Statistics& statistics, const std::string& column) {
  for (const Column& feature : statistics.schema().features) {
    if (feature.name == column) return feature.type == ColumnType::binary;
  }
  return false;
}

}  // namespace

std::vector<Block> naive_blocks(const DiscreteInput& input, Report& report) {
  using Kind = CategoricalParameters::Kind;
  const double smoothing = input.options.smoothing;
  const CategoricalParameters empty{.smoothing = smoothing, .counts = input.classes.counts};
  CategoricalParameters binary = empty;
  CategoricalParameters categorical = empty;
  binary.kind = Kind::bernoulli;
  const auto sets = input.statistics.schema().coded();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::string& column = sets[i].front();
    LevelWeights found = weights_of(input, i);
    if (found.levels.empty()) {
      report.columns_left_out.push_back(column);
      report.notes.push_back({fmt::format("column '{}' has no value and is left out", column)});
      continue;
    }
    note_identifier(found, column, report);
    const bool two = is_binary(input.statistics, column) && found.levels.size() <= 2;
    if (two && found.levels.size() == 1) add_counterpart(found);
    append(two ? binary : categorical, column, std::move(found), smoothing);
  }
  std::vector<Block> blocks;
  if (!binary.columns.empty()) blocks.emplace_back(CategoricalBlock(std::move(binary)));
  if (!categorical.columns.empty()) blocks.emplace_back(CategoricalBlock(std::move(categorical)));
  return blocks;
}

}  // namespace genera::fit_detail
