#include "query/class_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <span>

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
  Refinable(kernel::NormalBox& own, double log_factor) : box(&own) {
    const LogProbability& now = own.estimate();
    // Includes the error of steps of the integrand that no point has met yet.
    const double unseen = 1.0 / static_cast<double>(std::max<Index>(now.evaluations, 1));
    log_error = log_factor + now.log + std::log(std::max(now.error(), unseen));
    log_gain = 2 * log_error - std::log(own.next_evaluations());
  }

  kernel::NormalBox* box;
  double log_error;  ///< possible error of its share of the total
  double log_gain;   ///< reduction of the squared error per evaluation, up to a common factor
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
          found.emplace_back(*term.box, log_others + term.log_weight);
      }
    }
  }
  return found;
}

/// The work of bounding so many boxes, or of comparing their errors and adding them up.
Index comparison_work(std::size_t boxes) { return 30 * static_cast<Index>(boxes); }

/// Integrates boxes in decreasing order of their bounds, as far as `limit` allows, but at least
/// one; beyond half of the usual evaluations only as long as what the other bounds add up to
/// exceeds the error of the rest. Returns how many.
std::ptrdiff_t integrate(std::vector<ClassBox>& classes, std::span<const Refinable> boxes,
                         const BoxEffort& effort) {
  Index work = comparison_work(boxes.size());
  for (std::size_t done = 0, judged = 1; done < boxes.size(); ++done) {
    const Index next = boxes[done].box->next_evaluations();
    if (done > 0 && work + next > effort.limit(false)) return static_cast<std::ptrdiff_t>(done);
    if (2 * (work + next) > effort.usual_evaluations && done >= judged) {
      const LogProbability now = total_of(classes);
      if (now.relative_bound <= now.relative_error || effort.reached(now))
        return static_cast<std::ptrdiff_t>(done);
      judged = 2 * done;  // a judgement takes time, too
    }
    boxes[done].box->refine(effort.threads);
    work += boxes[done].box->estimate().evaluations;
  }
  return std::ssize(boxes);
}

/// The error of few points is itself uncertain: all get four, unless half of the usual evaluations
/// are done.
void settle(std::vector<ClassBox>& classes, const BoxEffort& effort) {
  std::vector<Refinable> boxes = refinable(classes);
  std::ranges::sort(boxes, std::ranges::greater(), &Refinable::log_error);
  boxes.erase(boxes.begin() + integrate(classes, boxes, effort), boxes.end());
  Index work = total_of(classes).evaluations;
  for (int doubling = 0; doubling < 2; ++doubling) {
    for (const Refinable& one : boxes) {
      work += one.box->next_evaluations();
      if (2 * work > effort.usual_evaluations) return;
      one.box->refine(effort.threads);
    }
  }
}

/// Refines those that gain about as much as the best does, within `affordable` evaluations. Returns
/// how many were compared; 0 if none is worth it.
std::size_t refine_best(std::vector<ClassBox>& classes, Index affordable, int threads) {
  std::vector<Refinable> boxes = refinable(classes);
  const std::size_t compared = boxes.size();
  double largest = -kernel::infinity;
  for (const Refinable& one : boxes) largest = std::max(largest, one.log_error);
  // In quadrature, a hundredth of the largest error adds 1e-4 of it.
  const double negligible = largest - std::log(100);
  std::erase_if(boxes, [&](const Refinable& one) {
    return one.box->next_evaluations() > affordable || !(one.log_error > negligible);
  });
  if (boxes.empty()) return 0;
  std::ranges::sort(boxes, std::ranges::greater(), &Refinable::log_gain);
  // Twice the points halve the squared error: the gain of the next ones is a quarter.
  const double worth = boxes.front().log_gain - std::log(4);
  for (const Refinable& one : boxes) {
    const Index evaluations = one.box->next_evaluations();
    if (one.log_gain < worth) break;
    if (evaluations > affordable) continue;
    one.box->refine(threads);
    affordable -= evaluations;
  }
  return compared;
}

}  // namespace

LogProbability ClassBox::estimate() const {
  LogProbability product{blocks.empty() ? -kernel::infinity : 0.0};
  for (const blocks::BoxTerms& terms : blocks)
    product = blocks::product_of(product, estimate_of(terms));
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
  settle(classes, effort);
  Index compared = 0;  // work
  while (true) {
    const LogProbability now = total_of(classes);
    const Index affordable = effort.limit(effort.reached(now)) - now.evaluations - compared;
    const std::size_t boxes = refine_best(classes, affordable, effort.threads);
    if (boxes == 0) return;
    compared += comparison_work(boxes);
  }
}

}  // namespace genera::query
