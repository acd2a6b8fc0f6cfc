#include "blocks/gaussian/missing/completion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/cholesky.hpp"
#include "kernel/choice.hpp"
#include "kernel/index.hpp"
#include "kernel/patterns.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

using kernel::panel_rows;

}  // namespace

ClassComponents components_of(const GaussianBlock& block) {
  ClassComponents components{&block.parameters(), std::vector<Index>(at(block.classes() + 1)),
                             Vector(at(block.classes()), 1.0), &block.density()};
  std::iota(components.first.begin(), components.first.end(), Index{0});
  return components;
}

ClassComponents components_of(const MixtureBlock& block) {
  ClassComponents components{&block.parameters().components, {}, block.parameters().weights};
  for (Index k = 0; k <= block.classes(); ++k) components.first.push_back(block.first(k));
  return components;
}

CorrelatedNormals::CorrelatedNormals(const GaussianParameters& parameters)
    : parameters_(parameters) {
  for (const Matrix& covariance : parameters.covariances)
    factors_.push_back(kernel::PackedMatrix::lower(kernel::lower_factor(covariance)));
}

void CorrelatedNormals::apply(Index c, const double* z, Index lanes, double* out) const {
  const Matrix& means = parameters_.means;
  if (!factors_.empty())
    kernel::products(factors_[factors_.size() == 1 ? 0 : at(c)], z, lanes, out);
  for (Index j = 0; j < means.columns(); ++j) {
    const Matrix& variances = parameters_.variances;
    const double sd = factors_.empty() ? std::sqrt(variances(variances.rows() == 1 ? 0 : c, j)) : 1;
    for (Index lane = 0; lane < lanes; ++lane) {
      double& value = out[j * panel_rows + lane];
      const double spread = factors_.empty() ? sd * z[j * panel_rows + lane] : value;
      value = means(c, j) + (spread + parameters_.mean_low(c, j));
    }
  }
}

GaussianCompletion::GaussianCompletion(const ClassComponents& components,
                                       const CorrelatedNormals* normals)
    : components_(components), normals_(normals) {
  const auto size =
      at(kernel::round_up(components.dimension(), kernel::PackedMatrix::tile_rows) * panel_rows);
  one_.resize(size);
  sum_.resize(size);
  scores_.resize(components.weights.size() * panel_rows);
  shares_.resize(scores_.size());
}

void GaussianCompletion::observe(std::span<const Index> columns) {
  any_observed_ = !columns.empty();
  missing_.clear();
  auto next = columns.begin();
  for (Index j = 0; j < components_.dimension(); ++j) {
    if (next != columns.end() && *next == j)
      ++next;
    else
      missing_.push_back(j);
  }
  if (!any_observed_) return;
  if (!conditional_) conditional_.emplace(*components_.parameters, components_.density);
  conditional_->observe(columns, detail::GaussianConditional::Need::rest);
}

void GaussianCompletion::fill(Index c, double* panel) {
  alignas(64) double squares[panel_rows];
  if (any_observed_) {
    conditional_->fill(c, panel, squares);
    return;
  }
  for (const Index column : missing_)
    std::fill_n(panel + column * panel_rows, panel_rows, components_.parameters->means(c, column));
}

void GaussianCompletion::find_shares(Index k, const double* panel) {
  const Index first = components_.first[at(k)], end = components_.first[at(k) + 1];
  if (end == first + 1) {
    std::fill_n(shares_.begin(), panel_rows, 1.0);
    return;
  }
  alignas(64) double squares[panel_rows] = {}, log_sums[panel_rows];
  for (Index c = first; c < end; ++c) {
    if (any_observed_) conditional_->distances(c, panel, squares);
    const double constant =
        std::log(components_.weights[at(c)]) + (any_observed_ ? conditional_->log_constant(c) : 0);
    for (Index lane = 0; lane < panel_rows; ++lane)
      scores_[at((c - first) * panel_rows + lane)] = constant - 0.5 * squares[lane];
  }
  kernel::softmax(scores_.data(), end - first, log_sums, shares_.data());
}

void GaussianCompletion::expect(const double* weights, double* panel) {
  if (missing_.empty()) return;
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (Index k = 0; k < components_.classes(); ++k) {
    const double* weight = weights + k * panel_rows;
    if (std::all_of(weight, weight + panel_rows, [](double w) { return w == 0; })) continue;
    find_shares(k, panel);
    const Index first = components_.first[at(k)];
    for (Index c = first; c < components_.first[at(k) + 1]; ++c) {
      fill(c, panel);
      const double* share = shares_.data() + (c - first) * panel_rows;
      for (const Index column : missing_) {
        for (Index lane = 0; lane < panel_rows; ++lane)
          sum_[at(column * panel_rows + lane)] +=
              weight[lane] * share[lane] * panel[column * panel_rows + lane];
      }
    }
  }
  for (const Index column : missing_)
    std::copy_n(sum_.begin() + column * panel_rows, panel_rows, panel + column * panel_rows);
}

void GaussianCompletion::draw(Index k, std::span<Rng> streams, double* panel) {
  if (missing_.empty()) return;
  const Index lanes = std::ssize(streams), first = components_.first[at(k)];
  const Index count = components_.first[at(k) + 1] - first;
  find_shares(k, panel);
  Index chosen[panel_rows] = {};
  for (Index lane = 0; lane < lanes; ++lane) {
    Rng& stream = streams[at(lane)];
    if (count > 1) {
      Vector shares;
      for (Index c = 0; c < count; ++c) shares.push_back(shares_[at(c * panel_rows + lane)]);
      chosen[lane] = kernel::Choice(shares).draw(stream);
    }
    for (const Index column : missing_) panel[column * panel_rows + lane] = stream.normal();
  }
  std::copy_n(panel, components_.dimension() * panel_rows,
              sum_.begin());  // the normals and the known columns
  for (Index c = 0; c < count; ++c) {
    if (std::none_of(chosen, chosen + lanes, [&](Index one) { return one == c; })) continue;
    if (!any_observed_) {
      normals_->apply(first + c, sum_.data(), lanes, one_.data());
    } else {
      std::copy(sum_.begin(), sum_.end(), one_.begin());
      conditional_->draw(first + c, one_.data());
    }
    for (const Index column : missing_) {
      for (Index lane = 0; lane < lanes; ++lane) {
        if (chosen[lane] == c)
          panel[column * panel_rows + lane] = one_[at(column * panel_rows + lane)];
      }
    }
  }
}

Matrix completed_rows(const GaussianParameters& parameters, Index k,
                      const data::NumberColumns& columns, std::span<const Index> rows) {
  Matrix completed(std::ssize(rows), columns.count());
  columns.gather_rows(rows, columns.count(), completed.data());
  std::vector<Index> all(at(columns.count())), places(rows.size());
  std::iota(all.begin(), all.end(), Index{0});
  std::iota(places.begin(), places.end(), Index{0});
  detail::GaussianConditional conditional(parameters);
  kernel::AlignedVector panel(at(columns.count() * panel_rows));
  alignas(64) double squares[panel_rows];
  for (const kernel::Pattern& pattern : kernel::patterns_of(completed, all, places)) {
    if (pattern.observed.size() == all.size()) continue;
    conditional.observe(pattern.observed, detail::GaussianConditional::Need::rest);
    for (const Index row : pattern.rows) {
      for (const Index j : all) panel[at(j * panel_rows)] = completed(row, j);
      conditional.fill(k, panel.data(), squares);
      for (const Index j : all) completed(row, j) = panel[at(j * panel_rows)];
    }
  }
  return completed;
}

}  // namespace genera::blocks
