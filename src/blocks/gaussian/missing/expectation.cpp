#include "blocks/gaussian/missing/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "blocks/gaussian/density/panel_rows.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using detail::GaussianConditional;
using kernel::at;
using kernel::panel_rows;

constexpr Index buffered_rows = 256;

}  // namespace

ComponentExpectation::ComponentExpectation(ClassComponents components,
                                           const detail::GaussianDensity& density,
                                           const data::NumberColumns& natural,
                                           const data::NumberColumns& ordered)
    : components_(std::move(components)),
      density_(density),
      natural_(natural),
      ordered_(ordered),
      buffers_(components_.weights.size()) {
  for (const double weight : components_.weights) log_weights_.push_back(std::log(weight));
}

double ComponentExpectation::add(const Rows& rows, Index begin, Index end, const double* weights,
                                 GaussianConditional* conditional, bool likelihood,
                                 ComponentSums& to) {
  negligible_ = negligible_weight(rows, begin, end);
  if (conditional) return add_incomplete(rows, begin, end, weights, *conditional, to);
  return add_complete(rows, begin, end, weights, likelihood, to);
}

/// Adds complete rows directly to the sums, once for each component.
double ComponentExpectation::add_complete(const Rows& rows, Index begin, Index end,
                                          const double* weights, bool likelihood,
                                          ComponentSums& to) {
  const Index n = end - begin;
  const double log_likelihood = !single() || likelihood ? share_out(rows, begin, end, weights) : 0;
  list_.clear();
  for (Index i = begin; i < end; ++i) list_.push_back(rows.row(i));
  sums::RowMoments moments(natural_, {}, to.kind());
  for (Index c = 0; c < to.components(); ++c) {
    const double* own = single() ? weights + c * n : shares_.row(c).data();
    taken_.clear();
    taken_weights_.clear();
    for (Index i = 0; i < n; ++i) {
      if (!(own[i] > negligible_)) continue;
      taken_.push_back(list_[at(i)]);
      taken_weights_.push_back(own[i]);
    }
    if (!taken_.empty()) to.moments[at(c)].merge(moments.of(taken_, taken_weights_));
  }
  return log_likelihood;
}

/// Weights of rows by class -> by component.
double ComponentExpectation::share_out(const Rows& rows, Index begin, Index end,
                                       const double* weights) {
  const Index n = end - begin, size = density_.dimension() * panel_rows;
  const Index group = density_.panels_per_group();
  shares_ = Matrix(static_cast<Index>(log_weights_.size()), n);
  panels_.resize(at(group * size));
  scratch_.resize(at(density_.scratch_size()));
  squares_.resize(at(group * density_.result_size()));
  scores_.resize(at(density_.result_size()));
  probabilities_.resize(at(density_.result_size()));
  alignas(64) double log_sums[panel_rows];
  double log_likelihood = 0;
  for (Index first = 0; first < n; first += group * panel_rows) {
    const Index some = std::min(group * panel_rows, n - first), panels = panels_of(some);
    gather_panels(ordered_, rows, begin + first, begin + first + some, panels_.data(), true);
    density_.distances({panels_.data(), panels, lanes_of(some, panels - 1)}, scratch_.data(),
                       squares_.data());
    for (Index p = 0; p < panels; ++p) {
      const double* squares = squares_.data() + p * density_.result_size();
      for (Index k = 0; k < components_.classes(); ++k) {
        const Index begin_c = components_.first[at(k)], end_c = components_.first[at(k) + 1];
        const Index place = first + p * panel_rows, lanes = lanes_of(some, p);
        const double* own = weights + k * n + place;
        if (std::none_of(own, own + lanes, [](double w) { return w > 0; })) continue;
        for (Index c = begin_c; c < end_c; ++c) {
          const double offset = log_weights_[at(c)] + density_.log_constants()[at(c)];
          for (Index lane = 0; lane < panel_rows; ++lane)
            scores_[at((c - begin_c) * panel_rows + lane)] =
                offset - 0.5 * squares[c * panel_rows + lane];
        }
        kernel::softmax(scores_.data(), end_c - begin_c, log_sums, probabilities_.data());
        for (Index lane = 0; lane < lanes; ++lane) {
          if (!(own[lane] > 0)) continue;
          log_likelihood += own[lane] * log_sums[lane];
          for (Index c = begin_c; c < end_c; ++c)
            shares_(c, place + lane) =
                own[lane] * probabilities_[at((c - begin_c) * panel_rows + lane)];
        }
      }
    }
  }
  return log_likelihood;
}

double ComponentExpectation::add_incomplete(const Rows& rows, Index begin, Index end,
                                            const double* weights, GaussianConditional& conditional,
                                            ComponentSums& to) {
  const Index n = end - begin;
  panels_.resize(at(density_.dimension() * panel_rows));
  scores_.resize(at(density_.result_size()));
  probabilities_.resize(at(density_.result_size()));
  pattern_weights_.assign(log_weights_.size(), 0.0);
  double log_likelihood = 0;
  for (Index first = 0; first < n; first += panel_rows) {
    const Index lanes = std::min(panel_rows, n - first);
    gather_panels(natural_, rows, begin + first, begin + first + lanes, panels_.data(), true);
    log_likelihood += add_panel(lanes, weights + first, n, conditional, to);
  }
  for (Index c = 0; c < to.components(); ++c) {
    if (pattern_weights_[at(c)] > 0)
      conditional.add_covariance(c, pattern_weights_[at(c)], buffers_[at(c)].spread);
  }
  return log_likelihood;
}

void ComponentExpectation::finish(ComponentSums& to) {
  for (Index c = 0; c < to.components(); ++c) {
    Buffer& buffer = buffers_[at(c)];
    if (buffer.rows.empty()) continue;
    flush(c, to);
    Matrix& scatter = to.moments[at(c)].scatter;
    for (Index i = 0; i < buffer.spread.rows(); ++i) {
      for (Index j = 0; j < buffer.spread.columns(); ++j) scatter(i, j) += buffer.spread(i, j);
    }
    buffer.spread = Matrix(buffer.spread.rows(), buffer.spread.columns());
  }
}

double ComponentExpectation::add_panel(Index lanes, const double* weights, Index stride,
                                       GaussianConditional& conditional, ComponentSums& to) {
  alignas(64) double squares[panel_rows], log_sums[panel_rows], shares[panel_rows] = {};
  double log_likelihood = 0;
  for (Index k = 0; k < components_.classes(); ++k) {
    const double* own = weights + k * stride;
    if (std::none_of(own, own + lanes, [&](double w) { return w > negligible_; })) continue;
    const Index begin = components_.first[at(k)], end = components_.first[at(k) + 1];
    for (Index c = begin; c < end && end > begin + 1; ++c) {
      conditional.distances(c, panels_.data(), squares, lanes);
      const double offset = log_weights_[at(c)] + conditional.log_constant(c);
      for (Index lane = 0; lane < panel_rows; ++lane)
        scores_[at((c - begin) * panel_rows + lane)] = offset - 0.5 * squares[lane];
    }
    if (end > begin + 1) {
      kernel::softmax(scores_.data(), end - begin, log_sums, probabilities_.data());
      for (Index lane = 0; lane < lanes; ++lane) {
        if (own[lane] > 0) log_likelihood += own[lane] * log_sums[lane];
      }
    }
    for (Index c = begin; c < end; ++c) {
      conditional.fill(c, panels_.data(), squares, lanes);
      for (Index lane = 0; lane < lanes; ++lane) {
        if (end == begin + 1) {
          shares[lane] = own[lane];
          if (own[lane] > 0)
            log_likelihood += own[lane] * (conditional.log_constant(c) - 0.5 * squares[lane]);
        } else {
          shares[lane] = own[lane] * probabilities_[at((c - begin) * panel_rows + lane)];
        }
      }
      keep(c, lanes, shares, to);
      pattern_weights_[at(c)] += std::accumulate(shares, shares + lanes, 0.0);
    }
  }
  return log_likelihood;
}

/// Copies the completed rows of the panel with a weight that is not negligible.
void ComponentExpectation::keep(Index c, Index lanes, const double* weights, ComponentSums& to) {
  const Index d = density_.dimension();
  Buffer& buffer = buffers_[at(c)];
  if (buffer.rows.empty()) {
    buffer.rows = Matrix(buffered_rows, d);
    buffer.spread = Matrix(to.kind() == Scatter::full ? d : 1, d);
  }
  for (Index lane = 0; lane < lanes; ++lane) {
    if (!(weights[lane] > negligible_)) continue;
    if (std::ssize(buffer.weights) == buffered_rows) flush(c, to);
    double* row = buffer.rows.row(std::ssize(buffer.weights)).data();
    for (Index j = 0; j < d; ++j) row[j] = panels_[at(j * panel_rows + lane)];
    buffer.weights.push_back(weights[lane]);
  }
}

void ComponentExpectation::flush(Index c, ComponentSums& to) {
  Buffer& buffer = buffers_[at(c)];
  if (buffer.weights.empty()) return;
  list_.resize(buffer.weights.size());
  std::iota(list_.begin(), list_.end(), Index{0});
  sums::RowMoments moments(data::NumberColumns(buffer.rows), {}, to.kind());
  to.moments[at(c)].merge(moments.of(list_, buffer.weights));
  buffer.weights.clear();
}

}  // namespace genera::blocks
