// The fit of averaged one-dependence estimators.
#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/aode/kind.hpp"
#include "blocks/aode/table.hpp"
#include "blocks/level_weights.hpp"
#include "blocks/table_sums.hpp"
#include "kernel/index.hpp"
#include "sums/pair_sums.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

struct AodeColumns {
  std::vector<Column> columns{};
  std::vector<std::vector<std::string>> levels{};
  std::vector<std::size_t> coded{};  // index among the coded columns of the statistics
};

void refuse_excess(const AodeColumns& of, Index classes) {
  const double cells = genera::detail::aode_cells(static_cast<double>(classes), of.levels);
  if (cells <= genera::detail::max_aode_cells) return;
  double levels = 0;
  for (const auto& of_column : of.levels) levels += static_cast<double>(of_column.size());
  throw Error(Errc::bad_model,
              fmt::format("aode needs {:.1f} GB for {:.0f} levels and bins of {} in {}, and 1.1 "
                          "are allowed",
                          cells * 8e-9, levels, counted(std::ssize(of.columns), "column"),
                          counted(classes, "class", "classes")),
              {"lower {}, leave columns with many levels out ({}), or use {}",
               {{"max_bins", {"8"}}, {"drop"}, {"model", {"gnb"}}}});
}

class AodePlan : public BlockPlan {
 public:
  AodePlan(AodeColumns columns, Index classes, double smoothing)
      : columns_(std::move(columns)), classes_(classes), smoothing_(smoothing) {}

  /// One table for each column, then one for each pair.
  [[nodiscard]] std::unique_ptr<BlockSums> no_sums() const override {
    std::vector<Index> sizes;
    for (const auto& levels : columns_.levels) sizes.push_back(std::ssize(levels));
    for (std::size_t a = 0; a < count(); ++a)
      for (std::size_t b = a + 1; b < count(); ++b) sizes.push_back(sizes[a] * sizes[b]);
    return std::make_unique<TableSums>(classes_, sizes);
  }

  [[nodiscard]] std::unique_ptr<BlockSums> read(const Statistics& statistics) const override {
    const sums::ClassList classes = sums::sorted_classes(statistics);
    auto sums = no_sums();
    auto& to = sums_as<TableSums>(*sums);
    to.weights = classes.counts;
    for (std::size_t j = 0; j < count(); ++j)
      to.tables[j] = level_weights(statistics, classes, columns_.coded[j], columns_.levels[j]);
    std::size_t next = count();
    for (std::size_t a = 0; a < count(); ++a)
      for (std::size_t b = a + 1; b < count(); ++b)
        read_pair(statistics, classes, {a, b}, to.tables[next++]);
    return sums;
  }
  [[nodiscard]] bool complete_rows_are_statistics() const override { return true; }

  [[nodiscard]] Block estimate(const BlockSums& sums, const Estimating& how,
                               Report&) const override {
    const auto& from = sums_as<TableSums>(sums);
    const auto pairs = from.tables.begin() + std::ssize(columns_.columns);
    return AodeBlock({.columns = numbers_restored(),
                      .levels = columns_.levels,
                      .weights = {from.tables.begin(), pairs},
                      .pairs = {pairs, from.tables.end()},
                      .smoothing = smoothing_,
                      .counts = how.class_weights});
  }

  /// The super-parent of a row is never known.
  [[nodiscard]] bool statistics_tell_likelihood() const override { return false; }
  [[nodiscard]] double log_likelihood(const Block&, const BlockSums&) const override { return 0; }
  [[nodiscard]] double log_prior(const Block&, std::span<const CollapsePrior>) const override {
    return 0;
  }
  [[nodiscard]] double change(const Block& before, const Block& after) const override {
    const AodeParameters& a = block_as<AodeBlock>(before).parameters();
    const AodeParameters& b = block_as<AodeBlock>(after).parameters();
    double max = 0;
    for (std::size_t j = 0; j < count(); ++j)
      max = std::max(max, largest_difference(smoothed(a.weights[j], smoothing_),
                                             smoothed(b.weights[j], smoothing_)));
    return max;
  }

 private:
  [[nodiscard]] std::size_t count() const { return columns_.columns.size(); }

  /// The columns of the data: numbers with their cuts.
  [[nodiscard]] std::vector<Column> numbers_restored() const {
    std::vector<Column> columns = columns_.columns;
    for (Column& column : columns)
      if (column.cut) column.type = ColumnType::numeric;
    return columns;
  }

  struct Two {
    std::size_t a, b;
  };
  void read_pair(const Statistics& statistics, const sums::ClassList& classes, const Two& of,
                 Matrix& to) const {
    const std::size_t first = columns_.coded[of.a], second = columns_.coded[of.b];
    const auto places = [&](std::size_t j) {
      std::vector<Index> found;
      for (const std::string& level : columns_.levels[j])
        found.push_back(statistics.levels()[columns_.coded[j]].find(level).value_or(-1));
      return found;
    };
    const std::vector<Index> rows = places(of.a), columns = places(of.b);
    const std::size_t place = sums::pair_place(first, second, statistics.levels().size());
    for (Index k = 0; k < classes_; ++k) {
      const Matrix& from = classes.statistics[at(k)]->pairs[place];
      for (std::size_t u = 0; u < rows.size(); ++u) {
        for (std::size_t v = 0; v < columns.size(); ++v) {
          const bool known = rows[u] >= 0 && rows[u] < from.rows() && columns[v] >= 0 &&
                             columns[v] < from.columns();
          if (known) to(k, static_cast<Index>(u * columns.size() + v)) = from(rows[u], columns[v]);
        }
      }
    }
  }

  AodeColumns columns_;
  Index classes_;
  double smoothing_;
};

void leave_out(const std::string& name, const char* why, Report& report) {
  report.columns_left_out.push_back(name);
  report.notes.push_back({fmt::format("column '{}' {} and is left out", name, why)});
}

AodeColumns columns_of(const PlanInput& input, Report& report) {
  AodeColumns found;
  std::size_t coded = 0;
  for (const Column& column : input.statistics.schema().features) {
    if (column.type != ColumnType::categorical && column.type != ColumnType::binary) continue;
    const std::size_t place = coded++;
    std::vector<std::string> levels = levels_seen(input, place);
    if (levels.empty()) {
      leave_out(column.name, "has no value", report);
      continue;
    }
    if (column.cut && column.cut->limits.empty()) {
      leave_out(column.name, "is constant", report);
      continue;
    }
    if (column.cut) {
      levels.clear();
      for (Index b = 0; b < column.cut->bins(); ++b) levels.push_back(std::to_string(b));
    }
    found.columns.push_back(column);
    found.levels.push_back(std::move(levels));
    found.coded.push_back(place);
  }
  return found;
}

}  // namespace

BlockPlans AodeKind::plans(const PlanInput& input, Report& report) {
  BlockPlans plans;
  if (!input.recipe.discrete.pairs) return plans;
  AodeColumns columns = columns_of(input, report);
  if (columns.columns.empty()) return plans;
  refuse_excess(columns, input.classes.size());
  plans.push_back(std::make_unique<AodePlan>(std::move(columns), input.classes.size(),
                                             input.recipe.discrete.smoothing));
  return plans;
}

}  // namespace genera::blocks
