#include "query/draws.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/aligned.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/panel.hpp"
#include "kernel/parallel.hpp"

namespace genera::query {
namespace {

using kernel::panel_rows;

Index draw_class(const Prior& prior, double u) {
  Index last_possible = 0;
  for (std::size_t k = 0; k < prior.probabilities().size(); ++k) {
    const double p = prior.probabilities()[k];
    if (p <= 0) continue;
    if (u < p) return static_cast<Index>(k);
    u -= p;
    last_possible = static_cast<Index>(k);
  }
  return last_possible;
}

/// Normals -> rows of a block: mean_k + (factor of covariance_k) z.
class Colouring {
 public:
  explicit Colouring(const GaussianBlock& block) : block_(block) {
    const auto& covariances = block.parameters().covariances;
    for (const Matrix& covariance : covariances)
      factors_.push_back(kernel::PackedMatrix::lower(kernel::lower_factor(covariance)));
  }

  /// `z` and `out` are panels of rows of class k.
  void apply(Index k, const double* z, Index lanes, double* out) const {
    const Index d = block_.dimension();
    if (!factors_.empty()) {
      const auto at = factors_.size() == 1 ? 0 : static_cast<std::size_t>(k);
      kernel::products(factors_[at], z, lanes, out);
    }
    for (Index j = 0; j < d; ++j) {
      const Matrix& variances = block_.parameters().variances;
      const double sd =
          factors_.empty() ? std::sqrt(variances(variances.rows() == 1 ? 0 : k, j)) : 1;
      for (Index lane = 0; lane < lanes; ++lane) {
        double& value = out[j * panel_rows + lane];
        const double spread = factors_.empty() ? sd * z[j * panel_rows + lane] : value;
        value = block_.parameters().means(k, j) + spread;
      }
    }
  }

 private:
  const GaussianBlock& block_;
  std::vector<kernel::PackedMatrix> factors_;
};

/// Rows that fell to one class, at most a panel of them.
struct SameClass {
  Index k;
  std::vector<Index> rows;
};

std::vector<SameClass> panels_by_class(const Model& model, DrawRange range, const Rng& rng) {
  std::vector<SameClass> open(model.classes().size());
  std::vector<SameClass> full;
  for (Index i = range.begin; i < range.end; ++i) {
    Rng own = rng.split(static_cast<std::uint64_t>(i));
    const Index k = draw_class(model.prior(), own.uniform());
    SameClass& panel = open[static_cast<std::size_t>(k)];
    panel.k = k;
    panel.rows.push_back(i);
    if (static_cast<Index>(panel.rows.size()) == panel_rows)
      full.push_back(std::exchange(panel, {}));
  }
  for (SameClass& panel : open) {
    if (!panel.rows.empty()) full.push_back(std::move(panel));
  }
  return full;
}

}  // namespace

Matrix draw_rows(const Model& model, DrawRange range, const Rng& rng, int threads) {
  std::vector<Colouring> colourings;
  for (const Block& block : model.blocks()) colourings.emplace_back(std::get<GaussianBlock>(block));
  const std::vector<SameClass> panels = panels_by_class(model, range, rng);
  Matrix result(range.end - range.begin, static_cast<Index>(model.features().size()));
  kernel::parallel_for(static_cast<Index>(panels.size()), threads, [&](Index at) {
    const SameClass& panel = panels[static_cast<std::size_t>(at)];
    const auto lanes = static_cast<Index>(panel.rows.size());
    std::vector<Rng> streams;
    for (const Index row : panel.rows) {
      streams.push_back(rng.split(static_cast<std::uint64_t>(row)));
      (void)streams.back().uniform();  // the one that chose the class
    }
    Index feature = 0;
    for (std::size_t b = 0; b < colourings.size(); ++b) {
      const Index d = std::get<GaussianBlock>(model.blocks()[b]).dimension();
      const auto size = static_cast<std::size_t>(
          kernel::round_up(d, kernel::PackedMatrix::tile_rows) * panel_rows);
      kernel::AlignedVector z(size), out(size);
      for (Index lane = 0; lane < lanes; ++lane) {
        for (Index j = 0; j < d; ++j)
          z[static_cast<std::size_t>(j * panel_rows + lane)] =
              streams[static_cast<std::size_t>(lane)].normal();
      }
      colourings[b].apply(panel.k, z.data(), lanes, out.data());
      for (Index lane = 0; lane < lanes; ++lane) {
        for (Index j = 0; j < d; ++j)
          result(panel.rows[static_cast<std::size_t>(lane)] - range.begin, feature + j) =
              out[static_cast<std::size_t>(j * panel_rows + lane)];
      }
      feature += d;
    }
  });
  return result;
}

}  // namespace genera::query
