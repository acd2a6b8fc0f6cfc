#include "blocks/mixture/kind.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "blocks/gaussian/missing/conditional.hpp"
#include "blocks/gaussian/density/density.hpp"
#include "blocks/gaussian/missing/expectation.hpp"
#include "blocks/gaussian/density/panel_rows.hpp"
#include "blocks/mixture/complete_rows.hpp"
#include "blocks/mixture/kernel_rows.hpp"
#include "kernel/index.hpp"
#include "kernel/panel.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

using detail::GaussianConditional;
using detail::GaussianDensity;
using kernel::panel_rows;

class BoundMixture : public BoundBlock {
 public:
  BoundMixture(const MixtureBlock& bound, const BoundRows& given, const Places& found)
      : block(bound),
        density(block.components().density()),
        rows(given),
        places(found),
        natural(rows.rows.data(), places.numbers) {
    std::vector<Index> columns;
    for (const Index c : density.order()) columns.push_back(places.numbers[at(c)]);
    ordered = data::NumberColumns(rows.rows.data(), columns);
    for (const double weight : block.parameters().weights) log_weights.push_back(std::log(weight));
    if (!block.parameters().kernel) return;
    std::vector<Index> all(at(block.dimension()));
    std::iota(all.begin(), all.end(), Index{0});
    kernels.emplace(block.parameters().components, std::move(all));
  }

  [[nodiscard]] std::span<const Index> pattern_columns() const override { return places.numbers; }
  [[nodiscard]] bool relative_differs() const override { return kernels.has_value(); }
  [[nodiscard]] Index panels_per_group() const override {
    constexpr Index of_kernels = 4;
    return kernels ? of_kernels : density.panels_per_group();
  }
  [[nodiscard]] Index panel_size() const override { return block.classes() * panel_rows; }
  /// The component of a row is latent.
  [[nodiscard]] bool nothing_latent(Index) const override { return false; }
  [[nodiscard]] std::unique_ptr<BlockWorker> block_worker(MissingMode missing) const override;

  const MixtureBlock& block;
  const GaussianDensity& density;  // density of the components
  const BoundRows& rows;
  const Places& places;
  data::NumberColumns ordered;  // in the order of the panels of the density
  data::NumberColumns natural;  // in the order of the block
  Vector log_weights;
  std::optional<WhitenedRows> kernels;  // of kernel densities
};

/// Scores the components as classes and sums them within their class.
class MixtureWorker : public BlockWorker {
 public:
  MixtureWorker(const BoundMixture& bound, MissingMode missing)
      : bound_(bound),
        density_(bound.density),
        offsets_(bound.log_weights.size()),
        need_(missing == MissingMode::learned ? GaussianConditional::Need::rest
                                              : GaussianConditional::Need::marginal) {
    if (missing != MissingMode::none) conditional_.emplace(bound.block.parameters().components);
    observed_.reserve(at(density_.dimension()));
    if (bound.kernels) kernels_.emplace(bound.block, *bound.kernels);
  }

  void observe(std::span<const Index> columns) noexcept override {
    conditional_->observe(columns, need_);
    if (kernels_) kernels_->observe(columns);
    whole_ = false;
  }
  void observe_all() noexcept override {
    if (kernels_) kernels_->observe_all();
    whole_ = true;
  }

  bool begin(const Rows& rows, Index begin, Index end) noexcept override {
    count_ = end - begin;
    if (kernels_) return begin_kernels(rows, begin, end);
    make_room();
    if (whole_) {
      if (!gather_panels(bound_.ordered, rows, begin, end, panels_.data())) return false;
      const Index panels = panels_of(count_);
      density_.distances({panels_.data(), panels, lanes_of(count_, panels - 1)}, scratch_.data(),
                         squares_.data());
    } else {
      gather_panels(bound_.natural, rows, begin, end, panels_.data(), true);
      const Index d = density_.dimension();
      if (!are_finite(panels_.data(), d, count_, conditional_->observed())) return false;
      for (Index p = 0; p < panels_of(count_); ++p)
        conditional_->all_distances(panels_.data() + p * d * panel_rows,
                                    squares_.data() + p * density_.result_size());
    }
    for (std::size_t c = 0; c < offsets_.size(); ++c)
      offsets_[c] =
          bound_.log_weights[c] + (whole_ ? density_.log_constants()[c]
                                          : conditional_->log_constant(static_cast<Index>(c)));
    return true;
  }

  bool score(Mode mode, const Scores& to) noexcept override {
    if (kernels_) return score_kernels(mode, to);
    for (Index p = 0; p < panels_of(count_); ++p) {
      const double* squares = squares_.data() + p * density_.result_size();
      add_log_sums(squares, to.fresh, to.lanes + p * to.stride);
      if (to.squares) add_nearest(squares, to.fresh, to.squares + p * to.stride);
    }
    return true;
  }

  /// The log of a sum of densities does not split by column: all columns share one contribution.
  double explain(Index row, Pair pair, std::vector<Share>& to) override {
    observed_.clear();
    for (Index j = 0; j < bound_.natural.count(); ++j) {
      if (!std::isnan(bound_.natural(row, j))) observed_.push_back(j);
    }
    if (std::ssize(observed_) == bound_.natural.count()) {
      observe_all();
    } else {
      if (!conditional_) conditional_.emplace(bound_.block.parameters().components);
      observe(observed_);
    }
    kernel::AlignedVector lanes(at(bound_.panel_size()));
    Scores scores;
    scores.stride = bound_.panel_size();
    scores.lanes = lanes.data();
    scores.fresh = true;
    if (begin(bound_.rows.rows.only({&row, 1}), 0, 1)) (void)score(Mode::exact, scores);
    to.push_back({0, lanes[at(pair.best * panel_rows)] - lanes[at(pair.second * panel_rows)]});
    return 0;
  }

  [[nodiscard]] std::string feature_name(Index feature) const override {
    return MixtureKind::feature_name(bound_.block, feature, false);
  }

  void expect(const Rows& rows, Index begin, Index end, const double* weights,
              BlockSums& sums) override {
    (void)expect_likelihood(rows, begin, end, weights, sums);
  }
  void finish(BlockSums& sums) override {
    if (expectation_) expectation_->finish(sums_as<ComponentSums>(sums));
  }
  double expect_likelihood(const Rows& rows, Index begin, Index end, const double* weights,
                           BlockSums& sums) override {
    if (whole_) {
      if (!complete_)
        complete_.emplace(components_of(bound_.block), density_, bound_.ordered, bound_.natural);
      return complete_->add(rows, begin, end, weights, sums_as<ComponentSums>(sums));
    }
    if (!expectation_)
      expectation_.emplace(components_of(bound_.block), density_, bound_.natural, bound_.ordered);
    return expectation_->add(rows, begin, end, weights, &*conditional_, true,
                             sums_as<ComponentSums>(sums));
  }

 private:
  bool begin_kernels(const Rows& rows, Index begin, Index end) {
    const Index d = density_.dimension();
    panels_.resize(at(bound_.panels_per_group() * d * panel_rows));
    squares_.resize(at(bound_.block.classes() * panel_rows));
    scores_.resize(squares_.size());
    gather_panels(bound_.natural, rows, begin, end, panels_.data(), true);
    if (!whole_) return are_finite(panels_.data(), d, count_, conditional_->observed());
    return are_finite(panels_.data(), d, count_, bound_.kernels->columns());
  }
  bool score_kernels(Mode mode, const Scores& to) {
    const Index size = bound_.block.classes() * panel_rows;
    for (Index k = 0; k < bound_.block.classes() && to.constants; ++k)
      to.constants[k] += kernels_->log_constant();
    for (Index p = 0; p < panels_of(count_); ++p) {
      const double* panel = panels_.data() + p * density_.dimension() * panel_rows;
      if (mode == Mode::relative && !to.squares)
        kernels_->score_relative(panel, lanes_of(count_, p), scores_.data());
      else
        kernels_->score(panel, lanes_of(count_, p), scores_.data(), squares_.data());
      kernel::add_multiple(scores_.data(), size, 1, to.fresh, to.lanes + p * to.stride);
      if (to.squares)
        kernel::add_multiple(squares_.data(), size, 1, to.fresh, to.squares + p * to.stride);
    }
    return true;
  }

  /// Allocates what only scoring needs, not the E-step.
  void make_room() {
    if (!scores_.empty()) return;
    panels_.resize(at(density_.panels_per_group() * density_.dimension() * panel_rows));
    scratch_.resize(at(density_.scratch_size()));
    squares_.resize(at(density_.panels_per_group() * density_.result_size()));
    scores_.resize(at(density_.result_size()));
  }

  void add_log_sums(const double* squares, bool fresh, double* lanes) {
    alignas(64) double log_sums[panel_rows];
    for (std::size_t c = 0; c < offsets_.size(); ++c) {
      const Index first = static_cast<Index>(c) * panel_rows;
      for (Index i = first; i < first + panel_rows; ++i)
        scores_[at(i)] = offsets_[c] - 0.5 * squares[i];
    }
    for (Index k = 0; k < bound_.block.classes(); ++k) {
      const Index first = bound_.block.first(k);
      kernel::softmax(scores_.data() + first * panel_rows, bound_.block.first(k + 1) - first,
                      log_sums, nullptr);
      double* to = lanes + k * panel_rows;
      for (Index lane = 0; lane < panel_rows; ++lane)
        to[lane] = fresh ? log_sums[lane] : to[lane] + log_sums[lane];
    }
  }

  void add_nearest(const double* squares, bool fresh, double* distances) const {
    for (Index k = 0; k < bound_.block.classes(); ++k) {
      for (Index lane = 0; lane < panel_rows; ++lane) {
        double nearest = squares[bound_.block.first(k) * panel_rows + lane];
        for (Index c = bound_.block.first(k); c < bound_.block.first(k + 1); ++c)
          nearest = std::min(nearest, squares[c * panel_rows + lane]);
        double& to = distances[k * panel_rows + lane];
        to = fresh ? nearest : to + nearest;
      }
    }
  }

  const BoundMixture& bound_;
  const GaussianDensity& density_;
  Vector offsets_;  // C: log weight + log constant
  std::optional<GaussianConditional> conditional_;
  std::optional<KernelScores> kernels_;
  bool whole_ = true;
  Index count_ = 0;  // rows of the group
  kernel::AlignedVector panels_, scratch_, squares_, scores_;
  std::vector<Index> observed_;
  GaussianConditional::Need need_;
  std::optional<CompleteRows> complete_;             // created when first needed
  std::optional<ComponentExpectation> expectation_;  // the same, for incomplete rows
};

std::unique_ptr<BlockWorker> BoundMixture::block_worker(MissingMode missing) const {
  return std::make_unique<MixtureWorker>(*this, missing);
}

}  // namespace

std::unique_ptr<const BoundBlock> MixtureKind::bind(const Block& block, const BoundRows& rows,
                                                    const Places& places) {
  return std::make_unique<BoundMixture>(block, rows, places);
}

Places MixtureKind::locate(const Block& block, Finder& finder) {
  return finder.dense_numbers(block.parameters().components.columns);
}

bool MixtureKind::needs_dense(const Block&) { return true; }

std::string MixtureKind::feature_name(const Block& block, Index, bool) {
  std::string names;
  for (const std::string& column : block.parameters().components.columns)
    names += (names.empty() ? "" : ", ") + column;
  return (block.parameters().kernel ? "kernel(" : "mixture(") + names + ")";
}

}  // namespace genera::blocks
