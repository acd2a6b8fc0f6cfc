// The fit of Poisson columns.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "blocks/poisson/kind.hpp"
#include "blocks/poisson/leave_one_out.hpp"
#include "blocks/table_sums.hpp"
#include "kernel/index.hpp"
#include "sums/discrete_sums.hpp"

namespace genera::blocks {
namespace {

using kernel::at;
using sums::sum_at;

struct PoissonColumn {
  std::string name;
  std::size_t place;  // index among the count columns of the statistics
  double mean;        // over all rows with a value
};

class PoissonPlan : public BlockPlan {
 public:
  PoissonPlan(std::vector<PoissonColumn> columns, Index classes, double smoothing)
      : columns_(std::move(columns)), classes_(classes), smoothing_(smoothing) {}

  /// The sums of the counts, and the weights of the rows that have them.
  [[nodiscard]] std::unique_ptr<BlockSums> no_sums() const override {
    return std::make_unique<TableSums>(classes_, std::vector<Index>(2, std::ssize(columns_)));
  }

  [[nodiscard]] std::unique_ptr<BlockSums> read(const Statistics& statistics) const override {
    const sums::ClassList classes = sums::sorted_classes(statistics);
    auto sums = no_sums();
    auto& to = sums_as<TableSums>(*sums);
    to.weights = classes.counts;
    for (Index k = 0; k < classes_; ++k) {
      const CountSums& from = classes.statistics[at(k)]->counts;
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        to.tables[0](k, static_cast<Index>(j)) = sum_at(from.sums, columns_[j].place);
        to.tables[1](k, static_cast<Index>(j)) = sum_at(from.observed, columns_[j].place);
      }
    }
    return sums;
  }

  [[nodiscard]] Block estimate(const BlockSums& sums, const Estimating& how,
                               Report&) const override {
    const auto& from = sums_as<TableSums>(sums);
    PoissonParameters p{.rates = Matrix(classes_, std::ssize(columns_)),
                        .smoothing = smoothing_,
                        .counts = how.class_weights};
    for (const PoissonColumn& column : columns_) p.columns.push_back(column.name);
    each_rate([&](Index k, Index j) {
      p.rates(k, j) = rate({from.tables[0](k, j), from.tables[1](k, j)}, mean(j));
    });
    return PoissonBlock(std::move(p));
  }

  [[nodiscard]] std::unique_ptr<const LeaveOneOut> leave_one_out(
      const LeaveOneOutInput& input) const override {
    return leave_counts_out(input);
  }

  [[nodiscard]] bool statistics_tell_likelihood() const override { return false; }
  [[nodiscard]] double log_likelihood(const Block& block, const BlockSums& sums) const override {
    const auto& from = sums_as<TableSums>(sums);
    double total = from.constant;
    each_rate([&](Index k, Index j) {
      total += weighed({from.tables[0](k, j), from.tables[1](k, j)}, rates_of(block)(k, j));
    });
    return total;
  }
  [[nodiscard]] double log_prior(const Block& block,
                                 std::span<const CollapsePrior>) const override {
    double total = 0;
    each_rate([&](Index k, Index j) {
      total += weighed({smoothing_ * mean(j), smoothing_}, rates_of(block)(k, j));
    });
    return total;
  }
  /// In units of the standard deviation, the square root of the rate.
  [[nodiscard]] double change(const Block& before, const Block& after) const override {
    double max = 0;
    each_rate([&](Index k, Index j) {
      const double a = rates_of(before)(k, j), b = rates_of(after)(k, j);
      if (a != b) max = std::max(max, std::abs(a - b) / std::sqrt(std::max(a, b)));
    });
    return max;
  }

 private:
  struct Counts {
    double sum, weight;
  };

  [[nodiscard]] static const Matrix& rates_of(const Block& block) {
    return block_as<PoissonBlock>(block).parameters().rates;
  }
  [[nodiscard]] double mean(Index j) const { return columns_[at(j)].mean; }

  /// A prior of `smoothing` rows with the mean of the column. A class without data and without
  /// smoothing gets the mean.
  [[nodiscard]] double rate(Counts seen, double mean) const {
    const double weight = seen.weight + smoothing_;
    return weight > 0 ? (seen.sum + smoothing_ * mean) / weight : mean;
  }
  /// sum log rate - weight rate; columns without events contribute 0.
  [[nodiscard]] static double weighed(Counts counts, double rate) {
    return (counts.sum > 0 ? counts.sum * std::log(rate) : 0) - counts.weight * rate;
  }

  template <class Visit>
  void each_rate(Visit visit) const {
    for (Index k = 0; k < classes_; ++k) {
      for (Index j = 0; j < std::ssize(columns_); ++j) visit(k, j);
    }
  }

  std::vector<PoissonColumn> columns_;
  Index classes_;
  double smoothing_;
};

/// Leaves out columns without any event: their rate is 0 in every class.
std::vector<PoissonColumn> columns_of(const PlanInput& input, Report& report) {
  std::vector<PoissonColumn> columns;
  const auto names = input.statistics.schema().names_of(ColumnType::count);
  for (std::size_t j = 0; j < names.size(); ++j) {
    double sum = 0, weight = 0;
    for (const ClassStatistics* c : input.classes.statistics) {
      sum += sum_at(c->counts.sums, j);
      weight += sum_at(c->counts.observed, j);
    }
    if (sum != 0) {
      columns.push_back({names[j], j, sum / weight});
      continue;
    }
    report.columns_left_out.push_back(names[j]);
    report.notes.push_back({fmt::format("column '{}' {} and is left out", names[j],
                                        weight > 0 ? "is 0 in every row" : "has no value")});
  }
  return columns;
}

}  // namespace

BlockPlans PoissonKind::plans(const PlanInput& input, Report& report) {
  BlockPlans plans;
  if (input.recipe.discrete.counts != CountModel::poisson) return plans;
  std::vector<PoissonColumn> columns = columns_of(input, report);
  if (columns.empty()) return plans;
  plans.push_back(std::make_unique<PoissonPlan>(std::move(columns), input.classes.size(),
                                                input.recipe.discrete.smoothing));
  return plans;
}

}  // namespace genera::blocks
