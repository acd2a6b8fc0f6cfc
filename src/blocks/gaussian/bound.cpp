#include "blocks/gaussian/kind.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "blocks/gaussian/missing/conditional.hpp"
#include "blocks/gaussian/density/decision.hpp"
#include "blocks/gaussian/density/density.hpp"
#include "blocks/gaussian/missing/expectation.hpp"
#include "blocks/gaussian/density/evidence.hpp"
#include "blocks/gaussian/missing/marginal.hpp"
#include "blocks/gaussian/density/panel_rows.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

using detail::GaussianConditional;
using detail::GaussianDensity;
using kernel::panel_rows;

/// Explains rows of a Gaussian block, with or without missing columns.
class Explainer {
 public:
  explicit Explainer(const GaussianBlock& block) : block_(block) {}

  double explain(const Vector& x, Pair pair, std::vector<Share>& to) {
    std::vector<Index> observed;
    Vector there;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (std::isnan(x[j])) continue;
      observed.push_back(static_cast<Index>(j));
      there.push_back(x[j]);
    }
    if (observed.empty()) return 0;
    GaussianEvidence& evidence = observed.size() < x.size() ? of_some(observed) : of_all();
    const Vector shares = evidence.shares(there, pair);
    for (std::size_t j = 0; j < shares.size(); ++j) to.push_back({observed[j], shares[j]});
    return evidence.base(pair);
  }

 private:
  GaussianEvidence& of_all() {
    if (!whole_) whole_.emplace(block_.parameters());
    return *whole_;
  }
  /// Kept until a row has other missing columns.
  GaussianEvidence& of_some(const std::vector<Index>& observed) {
    if (!part_ || observed != observed_) {
      observed_ = observed;
      marginal_ = detail::marginal(block_.parameters(), observed);
      part_.emplace(marginal_);
    }
    return *part_;
  }

  const GaussianBlock& block_;
  std::optional<GaussianEvidence> whole_, part_;  // created when first needed
  std::vector<Index> observed_;
  GaussianParameters marginal_;  // of the observed columns
};

class BoundGaussian : public BoundBlock {
 public:
  BoundGaussian(const GaussianBlock& bound, const BoundRows& rows, const Places& found)
      : block(bound),
        density(block.density()),
        places(found),
        natural(rows.rows.data(), places.numbers) {
    std::vector<Index> columns;
    for (const Index c : density.order()) columns.push_back(places.numbers[at(c)]);
    ordered = data::NumberColumns(rows.rows.data(), columns);
  }

  [[nodiscard]] std::span<const Index> pattern_columns() const override { return places.numbers; }
  [[nodiscard]] bool relative_differs() const override { return density.is_linear(); }
  [[nodiscard]] Index panels_per_group() const override { return density.panels_per_group(); }
  [[nodiscard]] Index panel_size() const override { return density.result_size(); }
  [[nodiscard]] bool nothing_latent(Index row) const override { return is_complete(natural, row); }
  [[nodiscard]] std::unique_ptr<BlockWorker> block_worker(MissingMode missing) const override;
  [[nodiscard]] std::unique_ptr<Decision> decision(const Vector& log_prior) const override {
    if (density.takes_rows() && ordered.lies_in_memory())
      return std::make_unique<LinearDecision>(density, ordered, log_prior);
    if (!density.has_parts() || density.classes() < 2) return nullptr;
    Vector offsets = log_prior;
    for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] += density.log_constants()[k];
    return std::make_unique<PrunedDecision>(density, ordered, std::move(offsets));
  }

  const GaussianBlock& block;
  const GaussianDensity& density;
  const Places& places;
  data::NumberColumns ordered;  // in the order of the panels of the density
  data::NumberColumns natural;  // in the order of the block
};

class GaussianWorker : public BlockWorker {
 public:
  GaussianWorker(const BoundGaussian& bound, MissingMode missing)
      : bound_(bound),
        density_(bound.density),
        panels_(at(density_.panels_per_group() * density_.dimension() * panel_rows)),
        scratch_(at(density_.scratch_size())),
        results_(at(density_.panels_per_group() * density_.result_size())),
        from_rows_(density_.takes_rows() && bound.ordered.lies_in_memory()),
        explainer_(bound.block),
        need_(missing == MissingMode::learned ? GaussianConditional::Need::rest
                                              : GaussianConditional::Need::marginal) {
    if (missing != MissingMode::none) conditional_.emplace(bound.block.parameters(), &density_);
    if (from_rows_) addresses_.reserve(at(density_.panels_per_group() * panel_rows));
  }

  void observe(std::span<const Index> columns) noexcept override {
    conditional_->observe(columns, need_);
    whole_ = false;
  }
  void observe_all() noexcept override { whole_ = true; }

  bool begin(const Rows& rows, Index begin, Index end) noexcept override {
    rows_ = rows.between(begin, end);
    count_ = end - begin;
    next_ = following_rows(bound_.ordered, rows, begin, end);
    gathered_ = false;
    return (whole_ && from_rows_) || gather();
  }

  bool score(Mode mode, const Scores& to) noexcept override {
    const bool linear = mode == Mode::relative && density_.is_linear();
    if (!gathered_) {
      if (linear && score_where_they_lie(to)) return true;
      if (!gather()) return false;
    }
    if (whole_)
      score_whole(linear, to);
    else
      score_marginal(linear, to);
    return true;
  }

  double explain(Index row, Pair pair, std::vector<Share>& to) override {
    Vector x;
    for (Index j = 0; j < bound_.natural.count(); ++j) x.push_back(bound_.natural(row, j));
    return explainer_.explain(x, pair, to);
  }
  [[nodiscard]] std::string feature_name(Index feature) const override {
    return GaussianKind::feature_name(bound_.block, feature, false);
  }

  void expect(const Rows& rows, Index begin, Index end, const double* weights,
              BlockSums& sums) override {
    (void)add_expected(rows, begin, end, weights, false, sums);
  }
  void finish(BlockSums& sums) override {
    if (expectation_) expectation_->finish(sums_as<ComponentSums>(sums));
  }
  double expect_likelihood(const Rows& rows, Index begin, Index end, const double* weights,
                           BlockSums& sums) override {
    return add_expected(rows, begin, end, weights, true, sums);
  }

 private:
  bool gather() {
    gathered_ = true;
    if (whole_) return gather_panels(bound_.ordered, rows_, 0, count_, panels_.data());
    gather_panels(bound_.natural, rows_, 0, count_, panels_.data(), true);
    return are_finite(panels_.data(), density_.dimension(), count_, conditional_->observed());
  }

  double add_expected(const Rows& rows, Index begin, Index end, const double* weights,
                      bool likelihood, BlockSums& sums) {
    if (!expectation_)
      expectation_.emplace(components_of(bound_.block), density_, bound_.natural, bound_.ordered);
    return expectation_->add(rows, begin, end, weights, whole_ ? nullptr : &*conditional_,
                             likelihood, sums_as<ComponentSums>(sums));
  }

  void score_whole(bool linear, const Scores& to) {
    const Index classes = density_.classes(), panels = panels_of(count_);
    const detail::Panels rows{panels_.data(), panels, lanes_of(count_, panels - 1), next_};
    if (linear) {
      density_.linear_scores(rows, linear_results(to));
      add_linear(to);
      return;
    }
    density_.distances(rows, scratch_.data(), results_.data());
    for (Index k = 0; k < classes; ++k) to.constants[k] += density_.log_constants()[at(k)];
    for (Index p = 0; p < panels; ++p) add_panel(false, p, to);
  }

  bool score_where_they_lie(const Scores& to) {
    if (!density_.linear_scores(bound_.ordered.in_memory(rows_, addresses_), next_,
                                linear_results(to)))
      return false;
    add_linear(to);
    return true;
  }

  /// If scores are to be written rather than added, they are written directly.
  [[nodiscard]] kernel::ScorePanels linear_results(const Scores& to) {
    const Index panels = panels_of(count_), classes = density_.classes();
    if (to.fresh) return {to.lanes, to.stride, panels, classes};
    return {results_.data(), density_.result_size(), panels, classes};
  }
  void add_linear(const Scores& to) {
    for (Index p = 0; p < panels_of(count_) && !to.fresh; ++p) add_panel(true, p, to);
  }

  void score_marginal(bool linear, const Scores& to) {
    const Index classes = density_.classes(), size = density_.dimension() * panel_rows;
    for (Index k = 0; k < classes && !linear; ++k) to.constants[k] += conditional_->log_constant(k);
    for (Index p = 0; p < panels_of(count_); ++p) {
      double* results = results_.data() + p * density_.result_size();
      if (linear)
        conditional_->linear_scores(panels_.data() + p * size, results, lanes_of(count_, p));
      else
        conditional_->all_distances(panels_.data() + p * size, results, lanes_of(count_, p));
      add_panel(linear, p, to);
    }
  }

  void add_panel(bool linear, Index p, const Scores& to) {
    const double* results = results_.data() + p * density_.result_size();
    const Index count = density_.classes() * panel_rows;
    kernel::add_multiple(results, count, linear ? 1 : -0.5, to.fresh, to.lanes + p * to.stride);
    if (!linear && to.squares)
      kernel::add_multiple(results, count, 1, to.fresh, to.squares + p * to.stride);
  }

  const BoundGaussian& bound_;
  const GaussianDensity& density_;
  std::optional<GaussianConditional> conditional_;
  bool whole_ = true;
  Rows rows_;           // rows of the group
  Index count_ = 0;     // number of these rows
  kernel::Ahead next_;  // memory of the following rows
  kernel::AlignedVector panels_, scratch_;
  kernel::AlignedVector results_;  // per panel: squared distances, or linear scores
  bool from_rows_;                 // linear scores need no panels
  bool gathered_ = false;          // the panels are filled
  std::vector<const char*> addresses_;
  Explainer explainer_;
  std::optional<ComponentExpectation> expectation_;  // created when first needed
  GaussianConditional::Need need_;
};

std::unique_ptr<BlockWorker> BoundGaussian::block_worker(MissingMode missing) const {
  return std::make_unique<GaussianWorker>(*this, missing);
}

/// A diagonal Gaussian block over the columns of a sparse matrix. Starts from the squared distances
/// of the row of zeros and corrects them for each nonzero entry.
class BoundSparseGaussian : public BoundBlock {
 public:
  BoundSparseGaussian(const GaussianBlock& bound, const BoundRows& given, const Places& found)
      : block(bound), density(block.density()), rows(given), places(found) {}

  [[nodiscard]] Index panels_per_group() const override { return max_panels; }
  [[nodiscard]] Index panel_size() const override { return density.classes() * panel_rows; }
  [[nodiscard]] bool nothing_latent(Index) const override { return true; }
  [[nodiscard]] std::unique_ptr<BlockWorker> block_worker(MissingMode missing) const override;

  static constexpr Index max_panels = 16;
  const GaussianBlock& block;
  const GaussianDensity& density;
  const BoundRows& rows;
  const Places& places;
};

class SparseGaussianWorker : public BlockWorker {
 public:
  explicit SparseGaussianWorker(const BoundSparseGaussian& bound)
      : bound_(bound),
        density_(bound.density),
        far_values_(density_.far_columns().size()),
        squares_(at(density_.classes())),
        explainer_(bound.block) {}

  bool begin(const Rows& rows, Index begin, Index end) noexcept override {
    rows_ = rows;
    begin_ = begin;
    count_ = end - begin;
    return true;
  }

  bool score(Mode, const Scores& to) noexcept override {
    for (std::size_t k = 0; k < squares_.size(); ++k)
      to.constants[k] += density_.log_constants()[k];
    for (Index i = 0; i < count_; ++i) {
      find_squares(rows_.row(begin_ + i));
      const Index first = i / panel_rows * to.stride + i % panel_rows;
      for (std::size_t k = 0; k < squares_.size(); ++k) {
        const double square = std::max(0.0, squares_[k]);
        const Index place = first + static_cast<Index>(k) * panel_rows;
        to.lanes[place] = (to.fresh ? 0 : to.lanes[place]) - 0.5 * square;
        if (to.squares) to.squares[place] = (to.fresh ? 0 : to.squares[place]) + square;
      }
    }
    return true;
  }

  double explain(Index row, Pair pair, std::vector<Share>& to) override {
    Vector x(at(density_.dimension()));
    each_entry(row, [&](Index column, double value) { x[at(column)] = value; });
    return explainer_.explain(x, pair, to);
  }
  [[nodiscard]] std::string feature_name(Index feature) const override {
    return GaussianKind::feature_name(bound_.block, feature, false);
  }

  void expect(const Rows& rows, Index begin, Index end, const double* weights,
              BlockSums& sums) override {
    for (Index k = 0; k < density_.classes(); ++k) {
      const double* own = weights + k * (end - begin);
      sums_as<ComponentSums>(sums).moments[at(k)].merge(moments_of(rows, begin, end, own));
    }
  }
  double expect_likelihood(const Rows& rows, Index begin, Index end, const double* weights,
                           BlockSums& sums) override {
    expect(rows, begin, end, weights, sums);
    double total = 0;
    for (Index i = begin; i < end; ++i) {
      find_squares(rows.row(i));
      for (std::size_t k = 0; k < squares_.size(); ++k) {
        const double weight = weights[static_cast<Index>(k) * (end - begin) + i - begin];
        if (weight > 0)
          total += weight * (density_.log_constants()[k] - 0.5 * std::max(0.0, squares_[k]));
      }
    }
    return total;
  }

 private:
  /// Uses the entries, then the zeros.
  Moments moments_of(const Rows& rows, Index begin, Index end, const double* weights) const {
    const Index d = density_.dimension();
    Moments moments(d, Scatter::diagonal);
    Vector present(at(d));
    for (Index i = begin; i < end; ++i) {
      const double weight = weights[i - begin];
      if (!(weight > 0)) continue;
      moments.weight += weight;
      each_entry(rows.row(i), [&](Index column, double value) {
        double& seen = present[at(column)];
        double& mean = moments.mean[at(column)];
        const double step = value - mean;
        seen += weight;
        mean += step * (weight / seen);
        moments.scatter(0, column) += weight * step * (value - mean);
      });
    }
    for (Index j = 0; j < d && moments.weight > 0; ++j) {
      const double m = present[at(j)], mean = moments.mean[at(j)], n = moments.weight;
      moments.mean[at(j)] = mean * (m / n);
      moments.scatter(0, j) += mean * mean * (m * ((n - m) / n));
    }
    return moments;
  }

  template <class Visit>
  void each_entry(Index row, Visit visit) const {
    const SparseView& sparse = bound_.rows.sparse(bound_.places);
    for (Index e = sparse.begin(row); e < sparse.begin(row + 1); ++e) {
      const std::int32_t column = bound_.places.terms[at(sparse.place(e))];
      if (column >= 0) visit(Index{column}, sparse.value(e));
    }
  }

  void find_squares(Index row) {
    const std::span<const Index> far = density_.far_columns();
    std::copy(density_.distances_of_zero().begin(), density_.distances_of_zero().end(),
              squares_.begin());
    std::fill(far_values_.begin(), far_values_.end(), 0.0);
    each_entry(row, [&](Index column, double value) {
      if (density_.is_far(column))
        far_values_[at(std::lower_bound(far.begin(), far.end(), column) - far.begin())] = value;
      else
        density_.replace_zero(column, value, squares_.data());
    });
    for (std::size_t i = 0; i < far.size(); ++i)
      density_.add_square(far[i], far_values_[i], squares_.data());
  }

  const BoundSparseGaussian& bound_;
  const GaussianDensity& density_;
  Rows rows_;
  Index begin_ = 0, count_ = 0;
  Vector far_values_;  // values of the far columns of the density in a row
  Vector squares_;     // K
  Explainer explainer_;
};

std::unique_ptr<BlockWorker> BoundSparseGaussian::block_worker(MissingMode) const {
  return std::make_unique<SparseGaussianWorker>(*this);
}

}  // namespace

std::unique_ptr<const BoundBlock> GaussianKind::bind(const Block& block, const BoundRows& rows,
                                                     const Places& places) {
  if (places.sparse) return std::make_unique<BoundSparseGaussian>(block, rows, places);
  return std::make_unique<BoundGaussian>(block, rows, places);
}

Places GaussianKind::locate(const Block& block, Finder& finder) {
  return finder.numbers(block.parameters().columns, block.density().names());
}

bool GaussianKind::needs_dense(const Block& block) { return !block.diagonal(); }

std::string GaussianKind::feature_name(const Block& block, Index feature, bool) {
  return block.parameters().columns[at(feature)];
}

}  // namespace genera::blocks
