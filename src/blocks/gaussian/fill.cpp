#include "blocks/gaussian/fill.hpp"

#include <cmath>
#include <numeric>

#include "blocks/gaussian/missing/information.hpp"
#include "blocks/gaussian/kind.hpp"
#include "blocks/gaussian/estimate/posterior.hpp"

namespace genera::blocks {
namespace {

using kernel::panel_rows;

class ComponentFiller : public Filler {
 public:
  explicit ComponentFiller(ClassComponents given)
      : components(std::move(given)), normals(*components.parameters) {}
  [[nodiscard]] std::unique_ptr<FillWorker> worker() const override;

  ClassComponents components;
  CorrelatedNormals normals;
};

class ComponentWorker : public FillWorker {
 public:
  explicit ComponentWorker(const ComponentFiller& filler)
      : dimension_(filler.components.dimension()),
        completion_(filler.components, &filler.normals),
        panel_(static_cast<std::size_t>(dimension_ * panel_rows)) {}

  void observe(std::span<const Index> columns) override { completion_.observe(columns); }

  void expect(const Cells& cells, std::span<const Index> rows, const double* classes) override {
    each_cell(cells, rows, [](double& cell, double& lane) { lane = cell; });
    completion_.expect(classes, panel_.data());
    each_cell(cells, rows, [](double& cell, double& lane) { cell = lane; });
  }

  void draw(const Cells& cells, std::span<const Index> rows, Index k,
            std::span<Rng> streams) override {
    each_cell(cells, rows, [](double& cell, double& lane) { lane = cell; });
    completion_.draw(k, streams, panel_.data());
    each_cell(cells, rows, [](double& cell, double& lane) { cell = lane; });
  }

 private:
  template <class Action>
  void each_cell(const Cells& cells, std::span<const Index> rows, Action action) {
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      double* cell = cells.table.numbers.row(rows[lane]).data() + cells.number;
      double* in_panel = panel_.data() + lane;
      for (Index j = 0; j < dimension_; ++j) action(cell[j], in_panel[j * panel_rows]);
    }
  }

  Index dimension_;
  GaussianCompletion completion_;
  kernel::AlignedVector panel_;
};

std::unique_ptr<FillWorker> ComponentFiller::worker() const {
  return std::make_unique<ComponentWorker>(*this);
}

}  // namespace

std::unique_ptr<const Filler> component_filler(ClassComponents components) {
  return std::make_unique<ComponentFiller>(std::move(components));
}

Layout GaussianKind::layout(const Block& block) {
  return {.numbers = block.dimension(), .patterned = true};
}

std::unique_ptr<const Filler> GaussianKind::filler(const Block& block, const FillRules&) {
  return component_filler(components_of(block));
}

GaussianBlock GaussianKind::drawn(const Block& block, Rng& rng) {
  return GaussianBlock(draw_gaussian(block.parameters(), rng));
}

/// Hotelling's distribution of D^2 of a new row with the unbiased covariance. If training rows had
/// missing values, the number of rows is that of their information, corrected for few rows by a
/// formula found by simulation (docs/numerics.md).
std::vector<DistanceDistribution> GaussianKind::distance_distributions(const Block& block,
                                                                       Index columns) {
  std::vector<DistanceDistribution> distributions;
  const GaussianParameters& p = block.parameters();
  const auto d = static_cast<double>(columns);
  const bool missing = !p.effective_counts.empty();
  double all = 0, all_effective = 0;
  for (Index k = 0; k < std::ssize(p.counts); ++k) {
    all += p.counts[static_cast<std::size_t>(k)];
    all_effective += effective_count(p, k, -1);
  }
  for (Index k = 0; k < block.classes(); ++k) {
    std::optional<double> nu = block.degrees_of_freedom(k);
    if (!nu || *nu - static_cast<double>(block.dimension()) + 1 <= 0) return {};
    if (std::isinf(*nu)) {
      distributions.push_back({1, *nu});
      continue;
    }
    double divisor = block.shared() ? all : p.counts[static_cast<std::size_t>(k)];  // for mle
    double unbiased = p.unbiased ? 1 : *nu / divisor;
    const double own = effective_count(p, k, -1);
    if (missing) {
      constexpr double min_rest = 0.5;
      const double means = divisor - *nu, informed = block.shared() ? all_effective : own;
      const double stored = p.unbiased ? divisor / *nu : 1;
      divisor = std::max(informed - (divisor - informed) * d / informed, means + d - 1 + min_rest);
      nu = divisor - means;
      unbiased = stored * *nu / divisor;
    }
    distributions.push_back({unbiased * own / (own + 1), *nu});
  }
  return distributions;
}

}  // namespace genera::blocks
