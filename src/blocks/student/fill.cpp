#include <cmath>
#include <optional>

#include <boost/random/gamma_distribution.hpp>

#include "blocks/gaussian/fill.hpp"
#include "blocks/gaussian/missing/conditional.hpp"
#include "blocks/student/kind.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;
using kernel::panel_rows;

/// Missing cells given the observed ones have a t density: the conditional mean of the normal
/// density, its conditional covariance times (nu + D^2) / (nu + d_o), and nu + d_o degrees of
/// freedom. A draw is the normal one with its distance from the mean times
/// sqrt((nu + D^2) / chi^2(nu + d_o)).
class StudentFiller : public Filler {
 public:
  explicit StudentFiller(const StudentBlock& block)
      : of(block), components(components_of(block.scales())), normals(*components.parameters) {}
  [[nodiscard]] std::unique_ptr<FillWorker> worker() const override;

  const StudentBlock& of;
  ClassComponents components;
  CorrelatedNormals normals;
};

class StudentFillWorker : public FillWorker {
 public:
  explicit StudentFillWorker(const StudentFiller& filler)
      : block_(filler.of),
        completion_(filler.components, &filler.normals),
        panel_(at(block_.dimension() * panel_rows)),
        centre_(panel_.size()),
        one_class_(at(block_.classes() * panel_rows)) {}

  void observe(std::span<const Index> columns) override {
    completion_.observe(columns);
    observed_ = std::ssize(columns);
    if (observed_ == 0) return;
    if (!conditional_)
      conditional_.emplace(block_.scales().parameters(), &block_.scales().density());
    conditional_->observe(columns, detail::GaussianConditional::Need::marginal);
  }

  void expect(const Cells& cells, std::span<const Index> rows, const double* classes) override {
    each_cell(cells, rows, panel_, [](double& cell, double& lane) { lane = cell; });
    completion_.expect(classes, panel_.data());
    each_cell(cells, rows, panel_, [](double& cell, double& lane) { cell = lane; });
  }

  void draw(const Cells& cells, std::span<const Index> rows, Index k,
            std::span<Rng> streams) override {
    each_cell(cells, rows, panel_, [](double& cell, double& lane) { lane = cell; });
    alignas(64) double squares[panel_rows] = {}, stretch[panel_rows] = {};
    if (observed_ > 0) conditional_->distances(k, panel_.data(), squares);
    centre_ = panel_;
    std::ranges::fill(one_class_, 0.0);
    std::fill_n(one_class_.begin() + k * panel_rows, panel_rows, 1.0);
    completion_.expect(one_class_.data(), centre_.data());
    completion_.draw(k, streams, panel_.data());
    const double degrees = block_.parameters().degrees[at(k)];
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      boost::random::gamma_distribution<double> chi_square(
          (degrees + static_cast<double>(observed_)) / 2, 2);
      stretch[lane] = std::sqrt((degrees + squares[lane]) / chi_square(streams[lane]));
    }
    for (std::size_t i = 0; i < panel_.size(); ++i) {
      const double centre = centre_[i];
      if (panel_[i] != centre) panel_[i] = centre + stretch[i % panel_rows] * (panel_[i] - centre);
    }
    each_cell(cells, rows, panel_, [](double& cell, double& lane) {
      if (std::isnan(cell)) cell = lane;
    });
  }

 private:
  template <class Action>
  void each_cell(const Cells& cells, std::span<const Index> rows, kernel::AlignedVector& panel,
                 Action action) {
    const Index d = block_.dimension();
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      double* cell = cells.table.numbers.row(rows[lane]).data() + cells.number;
      double* in_panel = panel.data() + lane;
      for (Index j = 0; j < d; ++j) action(cell[j], in_panel[j * panel_rows]);
    }
  }

  const StudentBlock& block_;
  GaussianCompletion completion_;
  std::optional<detail::GaussianConditional> conditional_;  // created when first needed
  Index observed_ = 0;
  kernel::AlignedVector panel_, centre_, one_class_;
};

std::unique_ptr<FillWorker> StudentFiller::worker() const {
  return std::make_unique<StudentFillWorker>(*this);
}

}  // namespace

Layout StudentKind::layout(const Block& block) {
  return {.numbers = block.dimension(), .patterned = true};
}

std::unique_ptr<const Filler> StudentKind::filler(const Block& block, const FillRules&) {
  return std::make_unique<StudentFiller>(block);
}

/// D^2 / d has an F distribution with d and nu degrees of freedom.
std::vector<DistanceDistribution> StudentKind::distance_distributions(const Block& block,
                                                                      Index columns) {
  std::vector<DistanceDistribution> distributions;
  for (const double degrees : block.parameters().degrees) {
    const double nu = degrees + static_cast<double>(columns) - 1;
    distributions.push_back({nu / degrees, nu});
  }
  return distributions;
}

}  // namespace genera::blocks
