#include "kernel/normal_box.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/normal.hpp"
#include "kernel/normal_box_parts.hpp"

namespace genera::kernel {
namespace {

std::vector<Index> all_of(Index columns) {
  std::vector<Index> all(at(columns));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

constexpr double lost = -1e15;  // whose last digit is 0.125

}  // namespace

LogProbability middle_of(double log_most, double least) {
  const double ratio = std::max(least, 0.0) / std::exp(log_most);  // at most 1 but for rounding
  const double share = ratio > 0 ? std::min(ratio, 1.0) : 0;       // also if it is 0 / 0
  return {log_most + std::log1p(share) - std::numbers::ln2, 0, (1 - share) / (1 + share)};
}

Covariance::Covariance(Matrix whole)
    : whole_(std::make_shared<const Matrix>(std::move(whole))), columns_(all_of(whole_->rows())) {}

/// What is integrated, once it is made.
struct NormalBox::Question {
  Question(std::vector<Interval> asked, Covariance all, const Rng& random)
      : box(std::move(asked)), covariance(std::move(all)), rng(random) {
    for (std::size_t i = 0; i < box.size(); ++i) {
      const double sd = std::sqrt(covariance(i, i));
      inverse_sd.push_back(1 / sd);
      box[i].low /= sd;
      box[i].high /= sd;
      logs.push_back(log_normal_between(box[i].low, box[i].high));
    }
  }

  [[nodiscard]] bool independent() const {
    for (std::size_t i = 0; i < box.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (covariance(i, j) != 0) return false;
      }
    }
    return true;
  }

  /// The least probable columns first.
  [[nodiscard]] std::vector<std::size_t> ordered() const {
    std::vector<std::size_t> order(box.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return logs[i]; });
    return order;
  }

  [[nodiscard]] StandardBox standardised(std::span<const std::size_t> order) const {
    const Index d = std::ssize(order);
    const Index padded = (d + outer_columns - 1) / outer_columns * outer_columns;
    StandardBox all{{}, Matrix(d, padded)};
    for (Index i = 0; i < d; ++i) {
      const std::size_t own = order[at(i)];
      all.box.push_back(box[own]);
      for (Index j = 0; j < i; ++j) {
        const std::size_t other = order[at(j)];
        all.correlation(i, j) = covariance(own, other) * inverse_sd[own] * inverse_sd[other];
      }
      all.correlation(i, i) = 1;
    }
    return all;
  }

  std::vector<Interval> box;  // in standard deviations
  Covariance covariance;
  Rng rng;
  Vector inverse_sd{}, logs{};  // of each column
};

/// The lattice, and what quadrature needs if there are three columns.
class NormalBox::Lattice {
 public:
  Lattice(const StandardBox& all, const Rng& rng) : lattice_(all, rng) {
    if (all.box.size() == 3) all_ = all;
  }

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

struct NormalBox::Later {
  LaterBox box;
  Rng rng;

  /// Of making it and of the probabilities of its columns.
  [[nodiscard]] Index work() const { return box.work + scalar_evaluations * box.columns; }
};

NormalBox::NormalBox(std::vector<Interval> box, Covariance covariance, const Rng& rng)
    : question_(std::make_unique<Question>(std::move(box), std::move(covariance), rng)) {
  begin();
}

NormalBox::NormalBox(LaterBox later, const Rng& rng)
    : largest_log_(later.bound.log + std::log1p(later.bound.relative_bound)),
      estimate_(later.bound) {
  if (largest_log_ < lost)
    accept({-infinity});
  else
    later_ = std::make_unique<Later>(Later{std::move(later), rng});
}

NormalBox::NormalBox(NormalBox&&) noexcept = default;
NormalBox& NormalBox::operator=(NormalBox&&) noexcept = default;
NormalBox::~NormalBox() = default;

void NormalBox::begin() {
  largest_log_ = std::ranges::min(question_->logs);
  if (question_->logs.size() == 1 || largest_log_ < lost) {
    accept({largest_log_});
    question_ = nullptr;
  } else {
    bound();
  }
}

void NormalBox::make() {
  const std::unique_ptr<Later> later = std::move(later_);
  made_ = later->work();
  auto [box, covariance] = later->box.make();
  question_ = std::make_unique<Question>(std::move(box), std::move(covariance), later->rng);
  begin();
}

/// Between the bounds of Fréchet: 1 less the sum of what the columns miss, and the least of their
/// probabilities.
void NormalBox::bound() {
  double low = 1;
  for (const double log : question_->logs) low += std::expm1(log);
  estimate_ = middle_of(largest_log_, low);
}

Index NormalBox::next_evaluations() const {
  if (later_) return later_->work() + first_evaluations(std::min(later_->box.columns, max_columns));
  if (question_) return first_evaluations(std::min(std::ssize(question_->box), max_columns));
  return lattice_ ? lattice_->next_evaluations() : 0;
}

void NormalBox::refine(int threads) {
  if (later_) make();
  if (question_) start();
  if (!lattice_) return;
  if (lattice_->by_quadrature()) {
    accept(lattice_->quadrature());
    lattice_ = nullptr;
  } else {
    accept(lattice_->refine(threads));
  }
}

void NormalBox::start() {
  if (question_->independent()) {
    accept({std::accumulate(question_->logs.begin(), question_->logs.end(), 0.0)});
  } else {
    std::vector<std::size_t> order = question_->ordered();
    for (; std::ssize(order) > max_columns; order.pop_back())
      missed_ -= std::expm1(question_->logs[order.back()]);
    const StandardBox all = question_->standardised(order);
    if (all.box.size() == 2) {
      LogProbability found = box_by_quadrature(all);
      found.evaluations *= scalar_evaluations;
      accept(found);
    } else {
      lattice_ = std::make_unique<Lattice>(all, question_->rng);
    }
  }
  question_ = nullptr;
}

void NormalBox::accept(LogProbability found) {
  if (found.log < lost) found.log = -infinity, found.relative_error = 0;
  found.log = std::min(found.log, largest_log_);
  if (missed_ > 0 && found.log > -infinity) {
    const LogProbability middle = middle_of(found.log, std::exp(found.log) - missed_);
    found.relative_error *= std::exp(found.log - middle.log);
    found.log = middle.log;
    found.relative_bound = middle.relative_bound;
  }
  found.evaluations += made_;
  estimate_ = found;
}

}  // namespace genera::kernel
