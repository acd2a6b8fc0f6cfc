#include "blocks/marginal_draws.hpp"

#include <algorithm>
#include <cmath>

#include "blocks/gaussian/density.hpp"
#include "blocks/mixture/kind.hpp"
#include "kernel/index.hpp"
#include "kernel/normal.hpp"
#include "kernel/panel.hpp"
#include "kernel/parallel.hpp"

namespace genera::blocks {
namespace {

using detail::GaussianDensity;
using detail::Precision;
using kernel::at;
using kernel::panel_rows;

constexpr Index panels_at_once = 64;  // of a task

/// The squared distance over the columns o without m is that over all of them, which is known, less
///
///   y' P_mm^-1 y = |L' y|^2,  y = (P e)_m,  e = x - mean,  P = S^-1,  L L' = P_mm^-1:
///
/// a product with as many rows as columns are left out instead of one with as many as are there.
class MixtureDraws : public MarginalDraws {
 public:
  using Inverses = std::vector<const Precision*>;  // one per covariance

  MixtureDraws(const MixtureBlock& block, const Prior& prior, const MatrixView& rows,
               Inverses inverses)
      : density_(block.components().density()),
        inverses_(std::move(inverses)),
        means_(ordered(block.parameters().components.means)),
        means_low_(ordered(block.parameters().components.means_low)),
        rows_(rows.rows()),
        panels_(at(panels_of(rows_) * panel_size())),
        squares_(at(panels_of(rows_) * density_.result_size())) {
    for (Index k = 0; k < block.classes(); ++k) {
      for (Index c = block.first(k); c < block.first(k + 1); ++c)
        offsets_.push_back(prior.log()[at(k)] + std::log(block.parameters().weights[at(c)]) +
                           density_.log_constants()[at(c)]);
    }
    const kernel::PanelLayout layout(density_.order());
    kernel::AlignedVector scratch(at(density_.scratch_size()));
    const Index group = density_.panels_per_group();
    for (Index p = 0; p < panels_of(rows_); ++p)
      kernel::gather_panel(rows, layout, p * panel_rows, lanes_of(rows_, p), panel(p));
    for (Index p = 0; p < panels_of(rows_); p += group) {
      const Index some = std::min(group, panels_of(rows_) - p);
      density_.distances({panel(p), some, lanes_of(rows_, p + some - 1)}, scratch.data(),
                         squares_.data() + p * density_.result_size());
    }
  }

  [[nodiscard]] bool pays(Index columns) const override {
    constexpr Index tile = kernel::PackedMatrix::tile_rows;
    return 3 * kernel::round_up(columns, tile) <= density_.dimension();
  }

  [[nodiscard]] Vector log_densities(std::span<const Index> without, int threads) const override {
    std::vector<LeftOut> left_out;
    for (const Precision* inverse : inverses_) left_out.push_back(leave_out(*inverse, without));
    Vector offsets = offsets_;
    for (std::size_t c = 0; c < offsets.size(); ++c) offsets[c] += left_out[covariance(c)].constant;
    Vector found(at(rows_));
    const Index panels = panels_of(rows_);
    kernel::parallel_for((panels + panels_at_once - 1) / panels_at_once, threads, [&](Index task) {
      kernel::AlignedVector away(at(panel_size())), scores(at(density_.result_size()));
      const Index end = std::min(panels, (task + 1) * panels_at_once);
      for (Index p = task * panels_at_once; p < end; ++p) {
        for (std::size_t c = 0; c < offsets.size(); ++c)
          score(p, c, left_out[covariance(c)], offsets[c], away.data(), scores.data());
        alignas(64) double log_sums[panel_rows];
        kernel::softmax(scores.data(), std::ssize(offsets), log_sums, nullptr);
        std::copy_n(log_sums, lanes_of(rows_, p), found.data() + p * panel_rows);
      }
    });
    return found;
  }

 private:
  struct LeftOut {
    kernel::PackedMatrix product;  // L' P_m., columns in the order of the density
    double constant;               // what a log constant grows by
  };

  [[nodiscard]] Index panel_size() const { return density_.dimension() * panel_rows; }
  [[nodiscard]] double* panel(Index p) { return panels_.data() + p * panel_size(); }
  [[nodiscard]] std::size_t covariance(std::size_t c) const {
    return inverses_.size() == 1 ? 0 : c;
  }

  [[nodiscard]] LeftOut leave_out(const Precision& precision,
                                  std::span<const Index> without) const {
    const std::size_t m = without.size();
    const auto d = static_cast<std::size_t>(density_.dimension());
    Vector lower(m * m);
    const double log_det = detail::factor_of_rest(precision.inverse, without, lower.data(), m);
    Matrix product(std::ssize(without), density_.dimension());
    for (std::size_t t = 0; t < m; ++t) {
      const auto row = precision.inverse.row(without[t]);
      for (std::size_t i = 0; i <= t; ++i) {
        const auto to = product.row(static_cast<Index>(i));
        for (std::size_t j = 0; j < d; ++j)
          to[j] += lower[t * m + i] * row[at(density_.order()[j])];
      }
    }
    return {kernel::PackedMatrix::dense(product),
            0.5 * static_cast<double>(m) * kernel::log_two_pi + log_det};
  }

  /// The log joint density of panel p and component c.
  void score(Index p, std::size_t c, const LeftOut& left_out, double offset, double* away,
             double* scores) const {
    const Index d = density_.dimension(), lanes = lanes_of(rows_, p);
    const auto component = static_cast<Index>(c);
    kernel::centre(panels_.data() + p * panel_size(), means_.row(component).data(), {0, d}, away);
    for (Index j = 0; j < d && !means_low_.empty(); ++j) {
      for (Index lane = j * panel_rows; lane < (j + 1) * panel_rows; ++lane)
        away[lane] -= means_low_(component, j);
    }
    alignas(64) double less[panel_rows] = {};
    kernel::add_squared_products(left_out.product, {0, left_out.product.tiles()}, away, lanes,
                                 less);
    const double* squares = squares_.data() + p * density_.result_size() + component * panel_rows;
    double* to = scores + component * panel_rows;
    for (Index lane = 0; lane < panel_rows; ++lane)
      to[lane] = offset - 0.5 * std::max(0.0, squares[lane] - less[lane]);
  }

  [[nodiscard]] Matrix ordered(const Matrix& means) const {
    Matrix result(means.rows(), means.columns());
    for (Index c = 0; c < means.rows(); ++c) {
      for (Index j = 0; j < means.columns(); ++j) result(c, j) = means(c, density_.order()[at(j)]);
    }
    return result;
  }

  const GaussianDensity& density_;
  Inverses inverses_;
  Matrix means_, means_low_;  // C x d, in the order of the density; the second may be empty
  Index rows_;
  kernel::AlignedVector panels_;   // in the order of the density
  kernel::AlignedVector squares_;  // C x 16 of each panel: squared distances over all columns
  Vector offsets_;                 // C: log prior + log weight + log constant
};

}  // namespace

/// Inverting a covariance that is nearly singular would cost digits.
std::unique_ptr<const MarginalDraws> MixtureKind::marginal_draws(const Block& block,
                                                                 const Prior& prior,
                                                                 const MatrixView& rows) {
  const GaussianParameters& components = block.parameters().components;
  MixtureDraws::Inverses inverses;
  for (std::size_t f = 0; f < components.covariances.size(); ++f)
    inverses.push_back(block.components().density().precision(components, static_cast<Index>(f)));
  if (inverses.empty() || std::ranges::find(inverses, nullptr) != inverses.end()) return nullptr;
  return std::make_unique<MixtureDraws>(block, prior, rows, std::move(inverses));
}

}  // namespace genera::blocks
