#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/decisions.hpp>
#include <genera/error.hpp>

#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"

namespace genera {
namespace {

constexpr double smallest_change = 1e-10;
constexpr int max_iterations = 10'000;
/// Rows summed together; fixed, so that sums do not depend on the number of threads.
constexpr Index rows_per_part = 4096;
/// Tolerated deviation of the sum of posteriors from one, since they may have been stored as
/// floats.
constexpr double tolerated_sum_error = 1e-3;

void require_posteriors(const Model& model, const Matrix& posterior) {
  const Vector& prior = model.prior().probabilities();
  if (posterior.rows() == 0)
    throw Error(Errc::bad_data, "there are no rows to estimate the priors from",
                "give a table with rows");
  if (posterior.columns() != static_cast<Index>(prior.size()))
    throw Error(Errc::bad_argument,
                fmt::format("posteriors of {} are given for a model of {}",
                            counted(posterior.columns(), "class", "classes"), prior.size()),
                "give the posteriors of the rows under the model");
  for (Index i = 0; i < posterior.rows(); ++i) {
    double sum = 0;
    bool possible = true;
    for (std::size_t k = 0; k < prior.size(); ++k) {
      const double p = posterior(i, static_cast<Index>(k));
      possible = possible && p >= 0 && (prior[k] > 0 || p == 0);
      sum += p;
    }
    if (possible && std::abs(sum - 1) <= tolerated_sum_error) continue;
    throw Error(Errc::bad_argument,
                fmt::format("row {}: these are not posteriors under the model's prior", i + 1),
                "give the posteriors of the rows under the model");
  }
}

/// One EM step from prior to prior; the posteriors under the model's own prior are fixed.
class Step {
 public:
  Step(const Model& model, const Matrix& posterior, int threads)
      : base_(model.prior().probabilities()),
        posterior_(posterior),
        threads_(threads),
        parts_((posterior.rows() + rows_per_part - 1) / rows_per_part),
        sums_(parts_, posterior.columns()) {}

  /// pi_k <- mean over rows of the posterior of k under pi.
  [[nodiscard]] Vector operator()(const Vector& prior) {
    Vector ratios(prior.size());
    for (std::size_t k = 0; k < prior.size(); ++k)
      ratios[k] = base_[k] > 0 ? prior[k] / base_[k] : 0;
    kernel::parallel_for(parts_, threads_, [&](Index part) { add_rows(ratios, prior, part); });
    Vector next(prior.size());
    for (Index part = 0; part < parts_; ++part)
      for (std::size_t k = 0; k < next.size(); ++k) next[k] += sums_(part, static_cast<Index>(k));
    for (double& p : next) p /= static_cast<double>(posterior_.rows());
    return next;
  }

 private:
  void add_rows(const Vector& ratios, const Vector& prior, Index part) {
    const std::span<double> sums = sums_.row(part);
    std::ranges::fill(sums, 0.0);
    const Index end = std::min(posterior_.rows(), (part + 1) * rows_per_part);
    for (Index i = part * rows_per_part; i < end; ++i) {
      const std::span<const double> p = posterior_.row(i);
      double whole = 0;
      for (std::size_t k = 0; k < p.size(); ++k) whole += p[k] * ratios[k];
      const bool possible = whole > 0;  // false if all classes underflow
      for (std::size_t k = 0; k < p.size(); ++k)
        sums[k] += possible ? p[k] * ratios[k] / whole : prior[k];
    }
  }

  const Vector& base_;
  const Matrix& posterior_;
  int threads_;
  Index parts_;
  Matrix sums_;
};

double largest_change(const Vector& a, const Vector& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

}  // namespace

PriorEstimate estimate_priors(const Model& model, const Matrix& posterior, const Control& control) {
  require_posteriors(model, posterior);
  Step step(model, posterior, control.threads);
  kernel::ProgressMeter meter(control, Progress::Task::iterating);
  Vector prior = model.prior().probabilities();
  int iterations = 0;
  bool converged = false;
  while (!converged && iterations < max_iterations) {
    Vector next = step(prior);
    converged = largest_change(prior, next) < smallest_change;
    prior = std::move(next);
    ++iterations;
    meter.advance(1);
  }
  return {Prior(std::move(prior)), iterations, converged};
}

PriorEstimate estimate_priors(const Model& model, RowsRef rows, const Control& control) {
  const auto classes = static_cast<Index>(model.classes().size());
  std::vector<Matrix> parts = rows->reduce(
      control, [] { return std::vector<Matrix>(); },
      [&](const RowChunk& chunk) { return posterior(model, chunk.rows(), chunk.control()); },
      [](std::vector<Matrix>& all, Matrix&& part) { all.push_back(std::move(part)); });
  if (parts.size() == 1) return estimate_priors(model, parts.front(), control);
  Vector all;
  for (const Matrix& part : parts)
    all.insert(all.end(), part.data(), part.data() + part.rows() * part.columns());
  return estimate_priors(model, Matrix(std::ssize(all) / classes, classes, all), control);
}

}  // namespace genera
