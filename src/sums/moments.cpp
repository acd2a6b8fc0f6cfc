#include <algorithm>
#include <cmath>

#include <genera/error.hpp>
#include <genera/stats.hpp>

#include "kernel/double_double.hpp"
#include "sums/min_scatter.hpp"

namespace genera {
namespace {

using kernel::HighLow;

HighLow mean_of(const Moments& m, std::size_t j) { return {m.mean[j], m.mean_low[j]}; }

void set_mean(Moments& m, std::size_t j, HighLow value) {
  m.mean[j] = value.high;
  m.mean_low[j] = value.low;
}

/// What is further below zero (as a part of the scatter before) was not there.
constexpr double rounding = 1e-9;

bool is_full(const Moments& m) { return m.scatter.rows() == static_cast<Index>(m.mean.size()); }

/// scatter += sign (other + factor shift shift'); as symmetric as `other` is.
void add_scatter(Moments& m, const Matrix& other, Vector shift, double sign, double factor) {
  const Index d = static_cast<Index>(shift.size());
  const double root = std::sqrt(factor);
  for (double& s : shift) s *= root;
  if (!is_full(m) || d == 1) {
    for (Index j = 0; j < d; ++j) {
      const double s = shift[static_cast<std::size_t>(j)];
      m.scatter(0, j) += sign * (other(0, j) + s * s);
    }
    return;
  }
  for (Index i = 0; i < d; ++i) {
    double* row = m.scatter.data() + i * d;
    const double* added = other.data() + i * d;
    const double s = shift[static_cast<std::size_t>(i)];
    for (Index j = 0; j < d; ++j)
      row[j] += sign * (added[j] + s * shift[static_cast<std::size_t>(j)]);
  }
}

/// Of a sum of squares no more is known than that it is within the accuracy of the subtraction: the
/// column is constant, and has no products with the others.
void clear_rounding(Moments& after, const Matrix& before) {
  const bool full = is_full(after);
  for (Index j = 0; j < before.columns(); ++j) {
    const Index row = full ? j : 0;
    if (after.scatter(row, j) > Moments::forgetting_accuracy * before(row, j)) continue;
    for (Index i = 0; i < after.scatter.rows(); ++i) after.scatter(i, j) = 0;
    for (Index i = 0; full && i < after.scatter.columns(); ++i) after.scatter(j, i) = 0;
  }
}

void require_same_size(const Moments& a, const Moments& b) {
  if (a.mean.size() == b.mean.size() && a.scatter.rows() == b.scatter.rows()) return;
  throw Error(Errc::bad_argument, "moments of different columns cannot be combined",
              "combine moments of the same columns and kind");
}

[[noreturn]] void refuse_foreign() {
  throw Error(Errc::bad_data, "the rows to be forgotten are not among those that were learned",
              "forget only rows that were learned, with the same weights");
}

void refuse_foreign(const Moments& after, const Matrix& before) {
  const bool full = is_full(after);
  for (Index j = 0; j < before.columns(); ++j) {
    if (after.scatter(full ? j : 0, j) < -rounding * before(full ? j : 0, j)) refuse_foreign();
  }
}

/// If nothing would be left, they should be the same rows. What was learned may have lost digits by
/// forgetting before: only a mean that is a deviation off, or half or twice the squares, tells; of
/// a constant a mean that is a hundredth off. What is left of 0 after forgetting may be any
/// rounding, so that a 0 to be forgotten tells nothing.
void refuse_others(const Moments& learned, const Moments& forgotten) {
  const bool full = is_full(learned);
  for (std::size_t j = 0; j < learned.mean.size(); ++j) {
    const auto column = static_cast<Index>(j);
    const double squares = learned.scatter(full ? column : 0, column);
    const double other = forgotten.scatter(full ? column : 0, column);
    const double shift = kernel::difference(mean_of(learned, j), mean_of(forgotten, j));
    constexpr double clearly = 0.01;
    const double to_forget = std::abs(forgotten.mean[j]);
    const double max = std::max(std::abs(learned.mean[j]), to_forget);
    if (squares == 0 && to_forget > 0 && std::abs(shift) > clearly * max) refuse_foreign();
    if (!(squares > 0)) continue;
    if (learned.weight * shift * shift > squares || other > 2 * squares || 2 * other < squares)
      refuse_foreign();
  }
}

}  // namespace

Moments::Moments(Index d, Scatter kind)
    : mean(static_cast<std::size_t>(d)),
      mean_low(static_cast<std::size_t>(d)),
      scatter(kind == Scatter::full || d == 0 ? d : 1, d) {}

void Moments::merge(const Moments& other) {
  if (other.weight == 0) return;
  if (weight == 0) {
    *this = other;
    return;
  }
  require_same_size(*this, other);
  // Chan, Golub and LeVeque 1979: S = S_a + S_b + w_a w_b / (w_a + w_b) (m_b - m_a)(m_b - m_a)'.
  const double total = weight + other.weight;
  Vector shift(mean.size());
  for (std::size_t j = 0; j < mean.size(); ++j) {
    shift[j] = kernel::difference(mean_of(*this, j), mean_of(other, j));
    set_mean(*this, j, kernel::add(mean_of(*this, j), shift[j] * (other.weight / total)));
  }
  add_scatter(*this, other.scatter, shift, 1, weight * (other.weight / total));
  for (std::size_t j = 0; j < mean.size(); ++j) {
    const auto column = static_cast<Index>(j);
    double& squares = scatter(is_full(*this) ? column : 0, column);
    if (squares == 0 && sums::is_notable_deviation(shift[j], mean[j])) squares = sums::min_scatter;
  }
  weight = total;
}

void Moments::subtract(const Moments& other) {
  if (other.weight == 0) return;
  require_same_size(*this, other);
  const double left = weight - other.weight;
  Moments rest(static_cast<Index>(mean.size()), is_full(*this) ? Scatter::full : Scatter::diagonal);
  if (left > 0) {
    rest = *this;
    Vector shift(mean.size());  // from the mean of the rest to that of `other`
    for (std::size_t j = 0; j < mean.size(); ++j) {
      const double from_total = kernel::difference(mean_of(*this, j), mean_of(other, j));
      set_mean(rest, j, kernel::add(mean_of(*this, j), -from_total * (other.weight / left)));
      shift[j] = from_total * (weight / left);
    }
    add_scatter(rest, other.scatter, shift, -1, left * (other.weight / weight));
    refuse_foreign(rest, scatter);
    clear_rounding(rest, scatter);
    rest.weight = left;
  } else {
    refuse_others(*this, other);
  }
  *this = std::move(rest);
}

}  // namespace genera
