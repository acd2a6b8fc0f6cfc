// Intervals of counts.
#include <algorithm>
#include <cmath>

#include "blocks/poisson/kind.hpp"
#include "blocks/poisson/rate_table.hpp"

namespace genera::blocks {
namespace {

using kernel::infinity;
using kernel::Interval;

/// The sum of log-concave terms from the largest outwards, until no more is added. Of neighbours
/// that hardly differ, `together` are taken as so many of the one in their middle.
template <class LogTerm>
double log_sum_from(double start, const Interval& counts, double together, LogTerm log_term) {
  const double largest = log_term(start);
  double sum = 1;
  const auto add = [&](double direction, double left) {
    for (double done = 0; done < left; done += together) {
      const double size = std::min(together, left - done);
      const double middle = start + direction * (done + 0.5 * (size + 1));
      const double term = size * std::exp(log_term(middle) - largest);
      sum += term;
      if (term < 1e-18 * sum) break;
    }
  };
  add(1, counts.high - start);
  add(-1, start - counts.low);
  return largest + std::log(sum);
}

double log_between_counts(const genera::detail::RateTable& table, double rate, Index column,
                          Index k, Interval asked) {
  const Interval counts{std::max(0.0, std::ceil(asked.low)), std::floor(asked.high)};
  if (!(counts.low <= counts.high)) return -infinity;
  if (rate == 0) return counts.low == 0 ? 0 : -infinity;
  const double start = std::clamp(std::floor(rate), counts.low, counts.high);
  // Of a million or more in a standard deviation: the middle errs by (size / deviation)^2 / 24.
  constexpr double summands = 1e6;
  const double together = std::max(1.0, std::floor(std::sqrt(start) / summands));
  return log_sum_from(start, counts, together, [&](double count) {
    return table.score(column, count, k) + genera::detail::RateTable::common(count);
  });
}

}  // namespace

/// Columns are independent within a class: what is known of others changes nothing.
kernel::LogProbability PoissonKind::box(const Block& block, Index k, const BoxQuestion& question) {
  kernel::LogProbability product;
  for (Index j = 0; j < std::ssize(question.numbers); ++j) {
    const Interval& asked = question.numbers[static_cast<std::size_t>(j)];
    if (is_bounded(asked))
      product.log +=
          log_between_counts(block.density(), block.parameters().rates(k, j), j, k, asked);
  }
  return product;
}

}  // namespace genera::blocks
