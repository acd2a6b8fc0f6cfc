// Scores without one row, for Poisson columns.
#include "blocks/poisson/leave_one_out.hpp"

#include <cmath>

#include "blocks/plan.hpp"
#include "blocks/poisson/kind.hpp"
#include "blocks/table_sums.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

class PoissonLeftOut : public LeaveOneOut {
 public:
  explicit PoissonLeftOut(const LeaveOneOutInput& input)
      : block_(block_as<PoissonBlock>(input.block)),
        sums_(sums_as<TableSums>(input.sums).tables[0]),
        weights_(sums_as<TableSums>(input.sums).tables[1]),
        columns_(input.rows.rows.data(), input.places.numbers),
        all_sums_(at(sums_.columns())),
        all_weights_(at(sums_.columns())) {
    for (Index k = 0; k < sums_.rows(); ++k) {
      for (Index j = 0; j < sums_.columns(); ++j) {
        all_sums_[at(j)] += sums_(k, j);
        all_weights_[at(j)] += weights_(k, j);
      }
    }
  }

  [[nodiscard]] std::unique_ptr<LeaveOneOutWorker> worker() const override;
  [[nodiscard]] double operations() const override {
    return static_cast<double>(sums_.rows()) * static_cast<double>(sums_.columns());
  }

  bool add(const OneRow& one, std::span<double> scores) const {
    const double s = block_.parameters().smoothing;
    for (Index j = 0; j < sums_.columns(); ++j) {
      const double x = columns_(one.row, j);
      if (std::isnan(x)) continue;
      const double left = all_sums_[at(j)] - one.weight * x;
      // A column without events has no information.
      if (vanishes(left, all_sums_[at(j)])) continue;
      const double mean = left / (all_weights_[at(j)] - one.weight);
      for (Index k = 0; k < sums_.rows(); ++k) {
        const double own = k == one.of_class ? one.weight : 0;
        double sum = sums_(k, j) - own * x, weight = weights_(k, j) - own;
        if (vanishes(sum, sums_(k, j))) sum = 0;
        if (vanishes(weight, weights_(k, j))) weight = 0;
        const double rate = weight + s > 0 ? (sum + s * mean) / (weight + s) : mean;
        scores[at(k)] += (x > 0 ? x * std::log(rate) : 0) - rate;
      }
    }
    return true;
  }

 private:
  const PoissonBlock& block_;
  const Matrix &sums_, &weights_;
  data::NumberColumns columns_;
  Vector all_sums_, all_weights_;
};

class PoissonLeftOutWorker : public LeaveOneOutWorker {
 public:
  explicit PoissonLeftOutWorker(const PoissonLeftOut& of) : of_(of) {}
  bool add(const OneRow& one, std::span<double> scores) override { return of_.add(one, scores); }

 private:
  const PoissonLeftOut& of_;
};

std::unique_ptr<LeaveOneOutWorker> PoissonLeftOut::worker() const {
  return std::make_unique<PoissonLeftOutWorker>(*this);
}

}  // namespace

std::unique_ptr<const LeaveOneOut> leave_counts_out(const LeaveOneOutInput& input) {
  return std::make_unique<PoissonLeftOut>(input);
}

}  // namespace genera::blocks
