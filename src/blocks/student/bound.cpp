#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "blocks/gaussian/density/density.hpp"
#include "blocks/gaussian/density/evidence.hpp"
#include "blocks/gaussian/density/panel_rows.hpp"
#include "blocks/gaussian/missing/conditional.hpp"
#include "blocks/gaussian/missing/expectation.hpp"
#include "blocks/gaussian/missing/marginal.hpp"
#include "blocks/student/density.hpp"
#include "blocks/student/kind.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

using detail::GaussianConditional;
using detail::GaussianDensity;
using kernel::panel_rows;

data::NumberColumns columns_in_order(const GaussianDensity& density, const BoundRows& rows,
                                     const Places& places) {
  std::vector<Index> columns;
  for (const Index c : density.order()) columns.push_back(places.numbers[at(c)]);
  return {rows.rows.data(), columns};
}

class BoundStudent : public BoundBlock {
 public:
  BoundStudent(const StudentBlock& bound, const BoundRows& given, const Places& found)
      : block(bound),
        density(block.scales().density()),
        rows(given),
        places(found),
        ordered(columns_in_order(density, rows, places)),
        natural(rows.rows.data(), places.numbers) {}

  [[nodiscard]] std::span<const Index> pattern_columns() const override { return places.numbers; }
  [[nodiscard]] Index panels_per_group() const override { return density.panels_per_group(); }
  [[nodiscard]] Index panel_size() const override { return density.result_size(); }
  /// EM reads every row for the likelihood, which no sums give.
  [[nodiscard]] bool nothing_latent(Index) const override { return false; }
  [[nodiscard]] std::unique_ptr<BlockWorker> block_worker(MissingMode missing) const override;

  const StudentBlock& block;
  const GaussianDensity& density;  // of the normal densities with the same scales
  const BoundRows& rows;
  const Places& places;
  data::NumberColumns ordered;  // in the order of the panels of the density
  data::NumberColumns natural;  // in the order of the block
};

/// The normal densities at the centre of the posterior: the scales without the factor 1 + 1/n.
GaussianBlock centres_of(const StudentBlock& block) {
  GaussianParameters centres = block.parameters().scales;
  const Vector& counts = block.parameters().counts;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    for (Index i = 0; i < centres.covariances[k].rows(); ++i) {
      for (double& value : centres.covariances[k].row(i)) value *= counts[k] / (counts[k] + 1);
    }
  }
  return GaussianBlock(std::move(centres));
}

/// The E-step: expectations of missing cells under the normal densities at the centre of the
/// posterior.
class StudentExpectation {
 public:
  explicit StudentExpectation(const BoundStudent& bound)
      : centres_(centres_of(bound.block)),
        ordered_(columns_in_order(centres_.density(), bound.rows, bound.places)),
        expectation_(components_of(centres_), centres_.density(), bound.natural, ordered_),
        conditional_(centres_.parameters(), &centres_.density()) {}

  void add(const Rows& rows, Index begin, Index end, const double* weights,
           const std::vector<Index>* observed, ComponentSums& to) {
    if (observed) conditional_.observe(*observed, GaussianConditional::Need::rest);
    (void)expectation_.add(rows, begin, end, weights, observed ? &conditional_ : nullptr, false,
                           to);
  }
  void finish(ComponentSums& to) { expectation_.finish(to); }

 private:
  GaussianBlock centres_;
  data::NumberColumns ordered_;
  ComponentExpectation expectation_;
  GaussianConditional conditional_;
};

class StudentWorker : public BlockWorker {
 public:
  StudentWorker(const BoundStudent& bound, MissingMode missing)
      : bound_(bound),
        density_(bound.density),
        panels_(at(density_.panels_per_group() * density_.dimension() * panel_rows)),
        scratch_(at(density_.scratch_size())),
        squares_(at(density_.panels_per_group() * density_.result_size())),
        constants_(at(bound.block.classes())) {
    if (missing != MissingMode::none)
      conditional_.emplace(bound.block.scales().parameters(), &density_);
    observed_.reserve(at(density_.dimension()));
    set_constants(density_.dimension());
  }

  void observe(std::span<const Index> columns) noexcept override {
    conditional_->observe(columns, GaussianConditional::Need::marginal);
    observed_.assign(columns.begin(), columns.end());
    whole_ = false;
    set_constants(std::ssize(columns));
  }
  void observe_all() noexcept override {
    if (!whole_) set_constants(density_.dimension());
    whole_ = true;
  }

  bool begin(const Rows& rows, Index begin, Index end) noexcept override {
    count_ = end - begin;
    const Index d = density_.dimension();
    if (whole_) {
      if (!gather_panels(bound_.ordered, rows, begin, end, panels_.data())) return false;
      const Index panels = panels_of(count_);
      density_.distances({panels_.data(), panels, lanes_of(count_, panels - 1)}, scratch_.data(),
                         squares_.data());
      return true;
    }
    gather_panels(bound_.natural, rows, begin, end, panels_.data(), true);
    if (!are_finite(panels_.data(), d, count_, conditional_->observed())) return false;
    for (Index p = 0; p < panels_of(count_); ++p)
      conditional_->all_distances(panels_.data() + p * d * panel_rows,
                                  squares_.data() + p * density_.result_size(),
                                  lanes_of(count_, p));
    return true;
  }

  bool score(Mode, const Scores& to) noexcept override {
    for (Index k = 0; k < bound_.block.classes(); ++k) to.constants[k] += log_constant(k);
    for (Index p = 0; p < panels_of(count_); ++p) {
      const double* squares = squares_.data() + p * density_.result_size();
      for (Index k = 0; k < bound_.block.classes(); ++k) {
        double* lanes = to.lanes + p * to.stride + k * panel_rows;
        for (Index lane = 0; lane < panel_rows; ++lane) {
          const double log = log_kernel(k, squares[k * panel_rows + lane]);
          lanes[lane] = to.fresh ? log : lanes[lane] + log;
        }
      }
      if (to.squares)
        kernel::add_multiple(squares, bound_.block.classes() * panel_rows, 1, to.fresh,
                             to.squares + p * to.stride);
    }
    return true;
  }

  double explain(Index row, Pair pair, std::vector<Share>& to) override;
  [[nodiscard]] std::string feature_name(Index feature) const override {
    return StudentKind::feature_name(bound_.block, feature, false);
  }

  void expect(const Rows& rows, Index begin, Index end, const double* weights,
              BlockSums& sums) override {
    if (!expectation_) expectation_.emplace(bound_);
    expectation_->add(rows, begin, end, weights, whole_ ? nullptr : &observed_,
                      sums_as<ComponentSums>(sums));
  }
  void finish(BlockSums& sums) override {
    if (expectation_) expectation_->finish(sums_as<ComponentSums>(sums));
  }
  double expect_likelihood(const Rows& rows, Index begin, Index end, const double* weights,
                           BlockSums& sums) override {
    expect(rows, begin, end, weights, sums);
    const Index step = density_.panels_per_group() * panel_rows;
    double total = 0;
    for (Index first = begin; first < end; first += step) {
      const Index some = std::min(step, end - first);
      if (this->begin(rows, first, first + some))
        total += log_likelihood(weights + (first - begin), end - begin);
    }
    return total;
  }

 private:
  void set_constants(Index dimension) noexcept {
    dimension_ = dimension;
    const Vector& degrees = bound_.block.parameters().degrees;
    for (std::size_t k = 0; k < constants_.size(); ++k)
      constants_[k] = log_student_factor(degrees[k], dimension);
  }
  [[nodiscard]] double log_constant(Index k) noexcept {
    return constants_[at(k)] +
           (whole_ ? density_.log_constants()[at(k)] : conditional_->log_constant(k));
  }
  /// -(nu + d) / 2 log(1 + D^2 / nu)
  [[nodiscard]] double log_kernel(Index k, double square) const noexcept {
    const double nu = bound_.block.parameters().degrees[at(k)];
    return -(nu + static_cast<double>(dimension_)) / 2 * std::log1p(square / nu);
  }

  /// Sum of weight x log density of the rows of the last `begin`; weights at a distance of `stride`
  /// between classes.
  double log_likelihood(const double* weights, Index stride) {
    double total = 0;
    for (Index k = 0; k < bound_.block.classes(); ++k) {
      for (Index i = 0; i < count_; ++i) {
        const double weight = weights[k * stride + i];
        const Index place =
            i / panel_rows * density_.result_size() + k * panel_rows + i % panel_rows;
        if (weight > 0) total += weight * (log_constant(k) + log_kernel(k, squares_[at(place)]));
      }
    }
    return total;
  }

  const BoundStudent& bound_;
  const GaussianDensity& density_;
  std::optional<GaussianConditional> conditional_;
  bool whole_ = true;
  Index dimension_ = 0;          // observed columns
  std::vector<Index> observed_;  // unless all are
  Index count_ = 0;              // rows of the group
  kernel::AlignedVector panels_, scratch_, squares_;
  Vector constants_;                               // K: log_student_factor
  std::optional<StudentExpectation> expectation_;  // created when first needed
};

/// Columns share the logarithm in proportion to their parts of D^2: with many degrees of freedom,
/// these are the contributions to the normal density.
double StudentWorker::explain(Index row, Pair pair, std::vector<Share>& to) {
  std::vector<Index> observed;
  Vector x;
  for (Index j = 0; j < bound_.natural.count(); ++j) {
    if (std::isnan(bound_.natural(row, j))) continue;
    observed.push_back(j);
    x.push_back(bound_.natural(row, j));
  }
  if (observed.empty()) return 0;
  const GaussianParameters own = detail::marginal(bound_.block.parameters().scales, observed);
  GaussianEvidence evidence(own);
  const auto d = std::ssize(observed);
  Vector shares(x.size());
  double base = evidence.base(pair);
  for (const auto& [k, sign] : {std::pair(pair.best, 1.0), std::pair(pair.second, -1.0)}) {
    const double nu = bound_.block.parameters().degrees[at(k)];
    const Vector halves = evidence.quadratic_shares(x, k);
    const double square = -2 * std::accumulate(halves.begin(), halves.end(), 0.0);
    const double ratio = square / nu;
    const double slope = ratio > 0 ? std::log1p(ratio) / ratio : 1;
    for (std::size_t j = 0; j < x.size(); ++j)
      shares[j] += sign * halves[j] * slope * (1 + static_cast<double>(d) / nu);
    base += sign * log_student_factor(nu, d);
  }
  for (std::size_t j = 0; j < x.size(); ++j) to.push_back({observed[j], shares[j]});
  return base;
}

std::unique_ptr<BlockWorker> BoundStudent::block_worker(MissingMode missing) const {
  return std::make_unique<StudentWorker>(*this, missing);
}

}  // namespace

std::unique_ptr<const BoundBlock> StudentKind::bind(const Block& block, const BoundRows& rows,
                                                    const Places& places) {
  return std::make_unique<BoundStudent>(block, rows, places);
}

Places StudentKind::locate(const Block& block, Finder& finder) {
  return finder.dense_numbers(block.parameters().scales.columns);
}

std::string StudentKind::feature_name(const Block& block, Index feature, bool) {
  return block.parameters().scales.columns[at(feature)];
}

}  // namespace genera::blocks
