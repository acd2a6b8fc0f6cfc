#include "kernel/normal_box.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/normal.hpp"
#include "kernel/normal_box_parts.hpp"

namespace genera::kernel {
namespace {

StandardBox standardised(std::span<const Interval> box, const Matrix& covariance) {
  StandardBox s{{}, covariance};
  Vector sd;
  for (Index i = 0; i < covariance.rows(); ++i) sd.push_back(std::sqrt(covariance(i, i)));
  for (Index i = 0; i < covariance.rows(); ++i) {
    for (Index j = 0; j < covariance.rows(); ++j)
      s.correlation(i, j) = covariance(i, j) / sd[at(i)] / sd[at(j)];
    s.correlation(i, i) = 1;
    s.box.push_back({box[at(i)].low / sd[at(i)], box[at(i)].high / sd[at(i)]});
  }
  return s;
}

bool is_diagonal(const Matrix& correlation) {
  for (Index i = 0; i < correlation.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (correlation(i, j) != 0) return false;
    }
  }
  return true;
}

constexpr double lost = -1e15;  // whose last digit is 0.125

}  // namespace

/// The lattice, and what quadrature needs if there are three columns.
class NormalBox::Lattice {
 public:
  Lattice(StandardBox all, const Rng& rng) : all_(std::move(all)), lattice_(all_, rng) {}

  [[nodiscard]] bool by_quadrature() const {
    return all_.box.size() == 3 && lattice_.next_evaluations() > max_quadrature_evaluations;
  }
  [[nodiscard]] Index next_evaluations() const {
    return by_quadrature() ? max_quadrature_evaluations : lattice_.next_evaluations();
  }
  LogProbability refine(int threads) {
    lattice_.refine(threads);
    return lattice_.estimate();
  }
  [[nodiscard]] LogProbability quadrature() const { return box_by_quadrature(all_); }

 private:
  StandardBox all_;
  BoxLattice lattice_;
};

NormalBox::NormalBox(std::span<const Interval> box, const Matrix& covariance, const Rng& rng) {
  StandardBox all = standardised(box, covariance);
  double sum = 0;
  for (const Interval& own : all.box) {
    const double log = log_normal_between(own.low, own.high);
    sum += log;
    largest_log_ = std::min(largest_log_, log);
  }
  estimate_ = {sum, 0};
  if (is_diagonal(all.correlation)) return;
  if (largest_log_ < lost)
    accept({-infinity, 0});
  else if (box.size() == 2)
    accept(box_by_quadrature(all));
  else {
    estimate_.relative_error = 1;
    lattice_ = std::make_unique<Lattice>(std::move(all), rng);
  }
}

NormalBox::NormalBox(NormalBox&&) noexcept = default;
NormalBox& NormalBox::operator=(NormalBox&&) noexcept = default;
NormalBox::~NormalBox() = default;

Index NormalBox::next_evaluations() const { return lattice_ ? lattice_->next_evaluations() : 0; }

void NormalBox::refine(int threads) {
  if (!lattice_) return;
  if (lattice_->by_quadrature()) {
    accept(lattice_->quadrature());
    lattice_ = nullptr;
  } else {
    accept(lattice_->refine(threads));
  }
}

void NormalBox::accept(LogProbability found) {
  if (found.log < lost) found.log = -infinity, found.relative_error = 0;
  found.log = std::min(found.log, largest_log_);
  estimate_ = found;
}

}  // namespace genera::kernel
