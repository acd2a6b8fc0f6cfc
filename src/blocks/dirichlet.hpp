#pragma once

#include <numeric>
#include <span>

#include <boost/random/gamma_distribution.hpp>

#include <genera/random.hpp>
#include <genera/types.hpp>

namespace genera::blocks {

[[nodiscard]] inline double gamma_draw(double shape, Rng& rng) {
  return shape > 0 ? boost::random::gamma_distribution<double>(shape)(rng) : 0;
}

/// A draw from Dirichlet(total p); zero probabilities stay zero.
inline void draw_shares(std::span<double> p, double total, Rng& rng) {
  Vector drawn;
  for (const double share : p) drawn.push_back(gamma_draw(total * share, rng));
  const double sum = std::accumulate(drawn.begin(), drawn.end(), 0.0);
  if (!(sum > 0)) return;  // all underflowed
  for (std::size_t i = 0; i < drawn.size(); ++i) p[i] = drawn[i] / sum;
}

/// The same for each class: the counts of an estimate are p (N + s V), with N from `rows`.
inline void draw_rows(Matrix& probabilities, const Vector& rows, double smoothing, Rng& rng) {
  const auto values = static_cast<double>(probabilities.columns());
  for (Index k = 0; k < probabilities.rows(); ++k)
    draw_shares(probabilities.row(k), rows[static_cast<std::size_t>(k)] + smoothing * values, rng);
}

}  // namespace genera::blocks
