#include "blocks/marginal_draws.hpp"

#include <algorithm>
#include <cmath>

#include "blocks/gaussian/density/density.hpp"
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

constexpr Index panels_at_once = 64;     // per task
constexpr Index max_products = 1 << 24;  // numbers, 128 MB

/// The squared distance over the columns o without m is the known distance over all columns minus
///
///   y_m' P_mm^-1 y_m = |L' y_m|^2,  y = P e,  e = x - mean,  P = S^-1,  L L' = P_mm^-1.
///
/// y does not depend on m and is computed once if there is enough memory; otherwise it is computed
/// for each m.
class MixtureDraws : public MarginalDraws {
 public:
  using Inverses = std::vector<const Precision*>;  // one per covariance

  MixtureDraws(const MixtureBlock& block, const Prior& prior, const MatrixView& rows,
               Inverses inverses, int threads)
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
    std::vector<kernel::PackedMatrix> packed;  // rows in the order of the block
    if (std::ssize(panels_) * std::ssize(offsets_) <= max_products) {
      for (const Precision* inverse : inverses_)
        packed.push_back(kernel::PackedMatrix::dense(ordered(inverse->inverse)));
      products_.resize(panels_.size() * offsets_.size());
    }
    each_task(threads, [&](Index begin, Index end) { prepare(rows, packed, begin, end); });
  }

  [[nodiscard]] bool pays(Index columns) const override {
    constexpr Index tile = kernel::PackedMatrix::tile_rows;
    if (!products_.empty()) return 2 * columns <= density_.dimension();
    return 3 * kernel::round_up(columns, tile) <= density_.dimension();
  }

  [[nodiscard]] Vector log_densities(std::span<const Index> without, int threads) const override {
    std::vector<LeftOut> left_out;
    for (const Precision* inverse : inverses_) left_out.push_back(leave_out(*inverse, without));
    Vector offsets = offsets_;
    for (std::size_t c = 0; c < offsets.size(); ++c) offsets[c] += left_out[covariance(c)].constant;
    Vector found(at(rows_));
    each_task(threads, [&](Index begin, Index end) {
      kernel::AlignedVector away(at(panel_size())), scores(at(density_.result_size()));
      for (Index p = begin; p < end; ++p) {
        for (std::size_t c = 0; c < offsets.size(); ++c)
          score(p, c, without, left_out[covariance(c)], offsets[c], away.data(), scores.data());
        alignas(64) double log_sums[panel_rows];
        kernel::softmax(scores.data(), std::ssize(offsets), log_sums, nullptr);
        std::copy_n(log_sums, lanes_of(rows_, p), found.data() + p * panel_rows);
      }
    });
    return found;
  }

 private:
  struct LeftOut {
    kernel::PackedMatrix product;  // L' for y_m; or L' P_m. for e in the order of the density
    double constant;               // increment of the log constant
  };

  [[nodiscard]] Index panel_size() const { return density_.dimension() * panel_rows; }
  [[nodiscard]] double* panel(Index p) { return panels_.data() + p * panel_size(); }
  [[nodiscard]] std::size_t covariance(std::size_t c) const {
    return inverses_.size() == 1 ? 0 : c;
  }
  /// y of panel p and component c, columns in the order of the block.
  [[nodiscard]] Index product_begin(Index p, std::size_t c) const {
    return (p * std::ssize(offsets_) + static_cast<Index>(c)) * panel_size();
  }

  /// Calls `work` with ranges of panels.
  template <class Work>
  void each_task(int threads, Work work) const {
    const Index panels = panels_of(rows_);
    kernel::parallel_for((panels + panels_at_once - 1) / panels_at_once, threads, [&](Index task) {
      work(task * panels_at_once, std::min(panels, (task + 1) * panels_at_once));
    });
  }

  void prepare(const MatrixView& rows, const std::vector<kernel::PackedMatrix>& packed, Index begin,
               Index end) {
    const kernel::PanelLayout layout(density_.order());
    kernel::AlignedVector scratch(at(density_.scratch_size()));
    const Index group = density_.panels_per_group();
    for (Index p = begin; p < end; ++p)
      kernel::gather_panel(rows, layout, p * panel_rows, lanes_of(rows_, p), panel(p));
    for (Index p = begin; p < end; p += group) {
      const Index some = std::min(group, end - p);
      density_.distances({panel(p), some, lanes_of(rows_, p + some - 1)}, scratch.data(),
                         squares_.data() + p * density_.result_size());
    }
    if (products_.empty()) return;
    const Index d = density_.dimension();
    kernel::AlignedVector away(at(panel_size()));
    kernel::AlignedVector y(at(kernel::round_up(d, kernel::PackedMatrix::tile_rows) * panel_rows));
    for (std::size_t c = 0; c < offsets_.size(); ++c) {
      for (Index p = begin; p < end; ++p) {
        centre(p, c, away.data());
        kernel::products(packed[covariance(c)], away.data(), lanes_of(rows_, p), y.data());
        std::copy_n(y.data(), panel_size(), products_.data() + product_begin(p, c));
      }
    }
  }

  [[nodiscard]] LeftOut leave_out(const Precision& precision,
                                  std::span<const Index> without) const {
    const std::size_t m = without.size();
    const auto d = static_cast<std::size_t>(density_.dimension());
    Vector lower(m * m);
    const double log_det = detail::factor_of_rest(precision.inverse, without, lower.data(), m);
    Matrix product(std::ssize(without),
                   products_.empty() ? density_.dimension() : std::ssize(without));
    for (std::size_t t = 0; t < m; ++t) {
      const auto row = precision.inverse.row(without[t]);
      for (std::size_t i = 0; i <= t; ++i) {
        const auto to = product.row(static_cast<Index>(i));
        if (!products_.empty()) to[t] = lower[t * m + i];
        for (std::size_t j = 0; j < d && products_.empty(); ++j)
          to[j] += lower[t * m + i] * row[at(density_.order()[j])];
      }
    }
    return {kernel::PackedMatrix::dense(product),
            0.5 * static_cast<double>(m) * kernel::log_two_pi + log_det};
  }

  /// x - mean of panel p and component c.
  void centre(Index p, std::size_t c, double* away) const {
    const Index d = density_.dimension();
    const auto component = static_cast<Index>(c);
    kernel::centre(panels_.data() + p * panel_size(), means_.row(component).data(), {0, d}, away);
    for (Index j = 0; j < d && !means_low_.empty(); ++j) {
      for (Index lane = j * panel_rows; lane < (j + 1) * panel_rows; ++lane)
        away[lane] -= means_low_(component, j);
    }
  }

  /// The log joint density of panel p and component c.
  void score(Index p, std::size_t c, std::span<const Index> without, const LeftOut& left_out,
             double offset, double* away, double* scores) const {
    if (products_.empty()) {
      centre(p, c, away);
    } else {
      const double* y = products_.data() + product_begin(p, c);
      for (std::size_t t = 0; t < without.size(); ++t)
        std::copy_n(y + without[t] * panel_rows, panel_rows,
                    away + static_cast<Index>(t) * panel_rows);
    }
    alignas(64) double less[panel_rows] = {};
    kernel::add_squared_products(left_out.product, {0, left_out.product.tiles()}, away,
                                 lanes_of(rows_, p), less);
    const Index place = static_cast<Index>(c) * panel_rows;
    const double* squares = squares_.data() + p * density_.result_size() + place;
    for (Index lane = 0; lane < panel_rows; ++lane)
      scores[place + lane] = offset - 0.5 * std::max(0.0, squares[lane] - less[lane]);
  }

  /// Columns in the order of the density.
  [[nodiscard]] Matrix ordered(const Matrix& natural) const {
    Matrix result(natural.rows(), natural.columns());
    for (Index i = 0; i < natural.rows(); ++i) {
      for (Index j = 0; j < natural.columns(); ++j)
        result(i, j) = natural(i, density_.order()[at(j)]);
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
  kernel::AlignedVector
      products_;  // y of each panel and component; empty if it would exceed max_products
};

}  // namespace

/// Nearly singular covariances are not inverted, because this would lose digits.
std::unique_ptr<const MarginalDraws> MixtureKind::marginal_draws(const Block& block,
                                                                 const Prior& prior,
                                                                 const MatrixView& rows,
                                                                 int threads) {
  if (block.parameters().kernel) return nullptr;
  const GaussianParameters& components = block.parameters().components;
  MixtureDraws::Inverses inverses;
  for (std::size_t f = 0; f < components.covariances.size(); ++f)
    inverses.push_back(block.components().density().precision(components, static_cast<Index>(f)));
  if (inverses.empty() || std::ranges::find(inverses, nullptr) != inverses.end()) return nullptr;
  return std::make_unique<MixtureDraws>(block, prior, rows, std::move(inverses), threads);
}

}  // namespace genera::blocks
