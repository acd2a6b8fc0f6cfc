#include "query/class_boxes.hpp"

#include <cmath>

namespace genera::query {
namespace {

using kernel::LogProbability;

LogProbability estimate_of(const blocks::BoxTerms& terms) {
  std::vector<LogProbability> parts;
  for (const blocks::BoxTerm& term : terms) parts.push_back(term.estimate());
  return blocks::sum_of(parts);
}

/// A term of the total, and the logarithm of the factor by which the total multiplies it.
struct Refinable {
  kernel::NormalBox* box;
  double log_factor;

  /// Reduction of the squared error per evaluation, up to a common factor.
  [[nodiscard]] double log_gain() const {
    const LogProbability& now = box->estimate();
    // Includes the error of steps of the integrand that no point has met yet.
    const double error = std::max(now.relative_error, 1.0 / static_cast<double>(now.evaluations));
    return 2 * (log_factor + now.log + std::log(error)) - std::log(box->next_evaluations());
  }
};

std::vector<Refinable> refinable(std::vector<ClassBox>& classes) {
  std::vector<Refinable> found;
  for (ClassBox& one : classes) {
    const double log_class = one.log_share + one.estimate().log;
    if (std::isinf(log_class)) continue;
    for (blocks::BoxTerms& terms : one.blocks) {
      const double log_others = log_class - estimate_of(terms).log;
      for (blocks::BoxTerm& term : terms) {
        if (term.box && term.box->next_evaluations() > 0)
          found.push_back({&*term.box, log_others + term.log_weight});
      }
    }
  }
  return found;
}

/// The box to refine next among those that need at most `affordable` evaluations.
kernel::NormalBox* next_of(std::vector<ClassBox>& classes, Index affordable) {
  kernel::NormalBox* best = nullptr;
  double largest = -kernel::infinity;
  for (const Refinable& one : refinable(classes)) {
    if (one.box->next_evaluations() > affordable || !(one.log_gain() > largest)) continue;
    best = one.box;
    largest = one.log_gain();
  }
  return best;
}

}  // namespace

LogProbability ClassBox::estimate() const {
  LogProbability product{blocks.empty() ? -kernel::infinity : 0.0, 0};
  for (const blocks::BoxTerms& terms : blocks) {
    const LogProbability own = estimate_of(terms);
    product.log += own.log;
    product.relative_error = std::hypot(product.relative_error, own.relative_error);
    product.evaluations += own.evaluations;
  }
  return product;
}

LogProbability total_of(const std::vector<ClassBox>& classes) {
  std::vector<LogProbability> parts;
  for (const ClassBox& one : classes) {
    parts.push_back(one.estimate());
    parts.back().log += one.log_share;
  }
  return blocks::sum_of(parts);
}

void refine(std::vector<ClassBox>& classes, const BoxEffort& effort) {
  for (const Refinable& one : refinable(classes)) one.box->refine(effort.threads);
  while (true) {
    const LogProbability now = total_of(classes);
    const bool precise = std::exp(now.log) * now.relative_error <= effort.precision;
    const Index limit = precise ? effort.usual_evaluations : effort.max_evaluations;
    kernel::NormalBox* next = next_of(classes, limit - now.evaluations);
    if (!next) return;
    next->refine(effort.threads);
  }
}

}  // namespace genera::query
