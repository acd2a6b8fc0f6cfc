#include "blocks/mixture/complete_rows.hpp"

#include <algorithm>
#include <cmath>

#include "blocks/gaussian/density/panel_rows.hpp"
#include "kernel/double_double.hpp"
#include "kernel/index.hpp"
#include "kernel/panel.hpp"
#include "kernel/softmax.hpp"
#include "sums/row_moments.hpp"

namespace genera::blocks {
namespace {

using kernel::at;
using kernel::panel_rows;
using kernel::ProductSums;
using kernel::SquareSums;

/// If moving the centre of squares to the mean leaves less than this part of them, too many digits
/// are lost.
constexpr double min_left = 1e-6;
/// With more columns, the sums of products exceed the cache.
constexpr Index max_in_cache = 64;

}  // namespace

struct CompleteRows::Part {
  const Rows& rows;
  Index begin, count;
  const double* weights;  // K x count
  double negligible;      // weights below this are skipped
};

CompleteRows::CompleteRows(ClassComponents components, const detail::GaussianDensity& density,
                           const data::NumberColumns& ordered, const data::NumberColumns& natural)
    : components_(std::move(components)),
      density_(density),
      ordered_(ordered),
      natural_(natural),
      means_(components_.parameters->means),
      means_low_(means_.rows(), means_.columns()),
      centre_(at(means_.columns())),
      scratch_(at(density.scratch_size())),
      scores_(at(density.result_size())),
      probabilities_(at(density.result_size())) {
  const Matrix &means = components_.parameters->means, &low = components_.parameters->means_low;
  for (Index c = 0; c < means.rows(); ++c) {
    const double weight = components_.weights[at(c)];
    offsets_.push_back(std::log(weight) + density.log_constants()[at(c)]);
    for (Index j = 0; j < means.columns(); ++j) {
      const Index from = density.order()[at(j)];
      means_(c, j) = means(c, from);
      if (!low.empty()) means_low_(c, j) = low(c, from);
      centre_[at(j)] += means_(c, j) * weight / static_cast<double>(components_.classes());
    }
  }
}

double CompleteRows::add(const Rows& rows, Index begin, Index end, const double* weights,
                         ComponentSums& to) {
  const Part part{rows, begin, end - begin, weights, negligible_weight(rows, begin, end)};
  const Index d = density_.dimension(), count = to.components();
  const auto add_all = [&](auto sums) {
    const double log_likelihood = each_group(part, [&](kernel::WeightedPanels panels, Index first) {
      for (Index c = 0; c < count; ++c) {
        panels.weights = shares_.row(c).data() + first;
        sums.add(c, panels, centre_of(c));
      }
    });
    for (Index c = 0; c < count; ++c) add_moments(part, sums, c, to);
    return log_likelihood;
  };
  if (to.kind() == Scatter::diagonal) return add_all(SquareSums(count, d));
  if (d <= max_in_cache && is_tied(components_.parameters->structure)) return add_pooled(part, to);
  if (d <= max_in_cache) return add_all(ProductSums(count, d));
  const double log_likelihood = each_group(part, [](const kernel::WeightedPanels&, Index) {});
  for (Index c = 0; c < count; ++c) to.moments[at(c)].merge(exact(part, c, to.kind()));
  return log_likelihood;
}

/// Computes responsibilities for some panels of rows, and calls `use` with them and the position of
/// their first row.
template <class Use>
double CompleteRows::each_group(const Part& part, Use use) {
  const Index d = density_.dimension(), group = density_.panels_per_group() * panel_rows;
  const Index max = std::min(density_.panels_per_group(), panels_of(part.count));
  panels_.resize(at(max * d * panel_rows));
  squares_.resize(at(max * density_.result_size()));
  shares_ = Matrix(std::ssize(offsets_), panels_of(part.count) * panel_rows);
  double log_likelihood = 0;
  for (Index first = 0; first < part.count; first += group) {
    const Index some = std::min(group, part.count - first), panels = panels_of(some);
    gather_panels(ordered_, part.rows, part.begin + first, part.begin + first + some,
                  panels_.data(), true);
    density_.distances({panels_.data(), panels, lanes_of(some, panels - 1)}, scratch_.data(),
                       squares_.data());
    for (Index p = 0; p < panels; ++p)
      log_likelihood +=
          share_out(part, first + p * panel_rows, squares_.data() + p * density_.result_size());
    use(kernel::WeightedPanels{panels_.data(), panels, d, nullptr, part.negligible}, first);
  }
  return log_likelihood;
}

/// Weights of the rows of a panel by class -> by component.
double CompleteRows::share_out(const Part& part, Index first, const double* squares) {
  alignas(64) double log_sums[panel_rows], own[panel_rows] = {};
  const Index lanes = std::min(panel_rows, part.count - first);
  double log_likelihood = 0;
  for (Index k = 0; k < components_.classes(); ++k) {
    const Index begin = components_.first[at(k)], end = components_.first[at(k) + 1];
    std::copy_n(part.weights + k * part.count + first, lanes, own);
    if (std::none_of(own, own + lanes, [](double w) { return w > 0; })) continue;
    for (Index c = begin; c < end; ++c) {
      double* to = scores_.data() + (c - begin) * panel_rows;
      for (Index lane = 0; lane < panel_rows; ++lane)
        to[lane] = offsets_[at(c)] - 0.5 * squares[c * panel_rows + lane];
    }
    kernel::softmax(scores_.data(), end - begin, log_sums, probabilities_.data());
    kernel::weigh(probabilities_.data(), end - begin, own, scores_.data());
    for (Index c = begin; c < end; ++c)
      std::copy_n(scores_.data() + (c - begin) * panel_rows, panel_rows,
                  shares_.row(c).data() + first);
    for (Index lane = 0; lane < lanes; ++lane)
      log_likelihood += own[lane] > 0 ? own[lane] * log_sums[lane] : 0;
  }
  return log_likelihood;
}

/// The mean of a component relative to its centre, according to `sums`.
template <class Sums>
void CompleteRows::set_mean(const Sums& sums, Index c, Moments& to) const {
  to.weight = sums.weight(c);
  for (Index j = 0; j < density_.dimension(); ++j) {
    const kernel::HighLow mean =
        kernel::add({means_(c, j), means_low_(c, j)}, sums.first(c, j) / to.weight);
    to.mean[at(density_.order()[at(j)])] = mean.high;
    to.mean_low[at(density_.order()[at(j)])] = mean.low;
  }
}

template <class Sums>
void CompleteRows::add_moments(const Part& part, const Sums& sums, Index c, ComponentSums& to) {
  const Index d = density_.dimension();
  const bool full = to.kind() == Scatter::full;
  if (!(sums.weight(c) > 0)) return;
  Moments found(d, to.kind());
  set_mean(sums, c, found);
  for (Index i = 0; i < d; ++i) {
    const Index row = density_.order()[at(i)];
    for (Index j = full ? 0 : i; j <= i; ++j) {
      const Index column = density_.order()[at(j)];
      const double around = sums.second(c, i, j);
      const double left = around - sums.first(c, i) * (sums.first(c, j) / found.weight);
      if (i == j && !(left > min_left * around))
        return to.moments[at(c)].merge(exact(part, c, to.kind()));
      found.scatter(full ? row : 0, column) = left;
      if (full) found.scatter(column, row) = left;
    }
  }
  to.moments[at(c)].merge(found);
}

/// Tied covariances need only the sum of the scatters over the components: the scatter of all rows
/// without that of the means. Each component gets a part in proportion to its weight.
double CompleteRows::add_pooled(const Part& part, ComponentSums& to) {
  const Index d = density_.dimension(), count = to.components();
  SquareSums sums(count, d);
  ProductSums all(1, d);
  Vector weights(at(density_.panels_per_group() * panel_rows));
  const double log_likelihood = each_group(part, [&](kernel::WeightedPanels panels, Index first) {
    std::fill(weights.begin(), weights.end(), 0.0);
    for (Index c = 0; c < count; ++c) {
      panels.weights = shares_.row(c).data() + first;
      sums.add(c, panels, centre_of(c));
      for (Index i = 0; i < panels.count * panel_rows; ++i) weights[at(i)] += panels.weights[i];
    }
    panels.weights = weights.data();
    all.add(0, panels, {centre_.data(), nullptr});
  });
  Matrix shifts(count, d);  // relative to the grand mean
  Vector weights_of;
  double total = 0;
  for (Index c = 0; c < count; ++c) {
    weights_of.push_back(sums.weight(c));
    if (!(weights_of.back() > 0)) continue;
    total += weights_of.back();
    for (Index j = 0; j < d; ++j)
      shifts(c, j) = (means_(c, j) - centre_[at(j)]) + means_low_(c, j) +
                     (sums.first(c, j) / sums.weight(c) - all.first(0, j) / all.weight(0));
  }
  Matrix pooled(d, d);
  bool accurate = true;
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double around = all.second(0, i, j);
      double left = around - all.first(0, i) * (all.first(0, j) / all.weight(0));
      for (Index c = 0; c < count; ++c) left -= weights_of[at(c)] * shifts(c, i) * shifts(c, j);
      accurate = accurate && (i != j || left > min_left * around);
      const Index row = density_.order()[at(i)], column = density_.order()[at(j)];
      pooled(row, column) = pooled(column, row) = left / total;
    }
  }
  for (Index c = 0; c < count; ++c) {
    if (!(weights_of[at(c)] > 0)) continue;
    if (!accurate) {
      to.moments[at(c)].merge(exact(part, c, to.kind()));
      continue;
    }
    Moments found(d, to.kind());
    set_mean(sums, c, found);
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j) found.scatter(i, j) = found.weight * pooled(i, j);
    }
    to.moments[at(c)].merge(found);
  }
  return log_likelihood;
}

/// Computed from the rows, regardless of the cost.
Moments CompleteRows::exact(const Part& part, Index c, Scatter kind) const {
  std::vector<Index> taken;
  Vector weights;
  for (Index i = 0; i < part.count; ++i) {
    if (!(shares_(c, i) > part.negligible)) continue;
    taken.push_back(part.rows.row(part.begin + i));
    weights.push_back(shares_(c, i));
  }
  if (taken.empty()) return {};
  return sums::RowMoments(natural_, {}, kind).of(taken, weights);
}

}  // namespace genera::blocks
