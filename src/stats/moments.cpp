#include <algorithm>
#include <cmath>

#include <genera/stats.hpp>

#include "kernel/double_double.hpp"

namespace genera {
namespace {

using kernel::HighLow;

HighLow mean_of(const Moments& m, std::size_t j) { return {m.mean[j], m.mean_low[j]}; }

void set_mean(Moments& m, std::size_t j, HighLow value) {
  m.mean[j] = value.high;
  m.mean_low[j] = value.low;
}

bool is_full(const Moments& m) { return m.scatter.rows() == static_cast<Index>(m.mean.size()); }

/// Lower triangle (or diagonal) of: scatter += other + factor * shift shift'.
void add_scatter(Moments& m, const Matrix& other, const Vector& shift, double sign, double factor) {
  const Index d = static_cast<Index>(shift.size());
  if (!is_full(m) || d == 1) {
    for (Index j = 0; j < d; ++j) {
      const double s = shift[static_cast<std::size_t>(j)];
      m.scatter(0, j) += sign * other(0, j) + factor * s * s;
    }
    return;
  }
  for (Index i = 0; i < d; ++i) {
    double* row = m.scatter.data() + i * d;
    const double* added = other.data() + i * d;
    const double scaled = factor * shift[static_cast<std::size_t>(i)];
    for (Index j = 0; j <= i; ++j)
      row[j] += sign * added[j] + scaled * shift[static_cast<std::size_t>(j)];
  }
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < i; ++j) m.scatter(j, i) = m.scatter(i, j);
  }
}

void clamp_diagonal(Moments& m) {
  const bool full = is_full(m);
  for (Index j = 0; j < m.scatter.columns(); ++j) {
    double& variance = m.scatter(full ? j : 0, j);
    variance = std::max(variance, 0.0);
  }
}

}  // namespace

Moments::Moments(Index d, Scatter kind)
    : mean(static_cast<std::size_t>(d)),
      mean_low(static_cast<std::size_t>(d)),
      scatter(kind == Scatter::full ? d : 1, d) {}

void Moments::merge(const Moments& other) {
  if (other.weight == 0) return;
  if (weight == 0) {
    *this = other;
    return;
  }
  // Chan, Golub and LeVeque 1979: S = S_a + S_b + w_a w_b / (w_a + w_b) (m_b - m_a)(m_b - m_a)'.
  const double total = weight + other.weight;
  Vector shift(mean.size());
  for (std::size_t j = 0; j < mean.size(); ++j) {
    shift[j] = kernel::difference(mean_of(*this, j), mean_of(other, j));
    set_mean(*this, j, kernel::add(mean_of(*this, j), shift[j] * (other.weight / total)));
  }
  add_scatter(*this, other.scatter, shift, 1, weight * (other.weight / total));
  weight = total;
}

void Moments::subtract(const Moments& other) {
  if (other.weight == 0) return;
  const double rest = weight - other.weight;
  if (rest <= 0) {
    *this = Moments(static_cast<Index>(mean.size()),
                    is_full(*this) ? Scatter::full : Scatter::diagonal);
    return;
  }
  Vector shift(mean.size());  // from the mean of the rest to that of `other`
  for (std::size_t j = 0; j < mean.size(); ++j) {
    const double from_total = kernel::difference(mean_of(*this, j), mean_of(other, j));
    set_mean(*this, j, kernel::add(mean_of(*this, j), -from_total * (other.weight / rest)));
    shift[j] = from_total * (weight / rest);
  }
  add_scatter(*this, other.scatter, shift, -1, -rest * (other.weight / weight));
  clamp_diagonal(*this);
  weight = rest;
}

}  // namespace genera
