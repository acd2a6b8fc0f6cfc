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

}  // namespace

LogProbability normal_box(std::span<const Interval> box, const Matrix& covariance, const Rng& rng,
                          int threads) {
  const StandardBox all = standardised(box, covariance);
  double sum = 0, smallest = 0;
  for (const Interval& own : all.box) {
    const double log = log_normal_between(own.low, own.high);
    sum += log;
    smallest = std::min(smallest, log);
  }
  if (is_diagonal(all.correlation)) return {sum, 0};
  constexpr double lost = -1e15;        // its last digit is 0.125
  constexpr double underflow = -745.2;  // log of the smallest double
  if (smallest < lost) return {-infinity, 0};
  constexpr std::size_t most_by_quadrature = 3;
  constexpr Index max_coordinates = 5'000'000, max_coordinates_of_logarithm = 50'000;
  LogProbability found =
      box.size() <= most_by_quadrature
          ? box_by_quadrature(all)
          : box_by_lattices(all,
                            smallest < underflow ? max_coordinates_of_logarithm : max_coordinates,
                            rng, threads);
  if (found.log < lost) return {-infinity, 0, found.evaluations};
  found.log = std::min(found.log, smallest);
  return found;
}

}  // namespace genera::kernel
