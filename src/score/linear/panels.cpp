#include "score/linear/panels.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "score/linear/features.hpp"
#include "score/linear/weights.hpp"

namespace genera::score {
namespace {

using kernel::at;
using kernel::PackedMatrix;
using kernel::panel_rows;

constexpr Index panels_bytes = 384 << 10;  // fits into the second-level cache
constexpr Index panels_at_most = 16;

Matrix coefficients_of(const LinearModel& model, std::size_t part) {
  const detail::LinearWeights& weights = model.weights();
  Matrix of_part(weights.classes(), std::ssize(names_of(model.parts()[part])));
  for (Index j = 0; j < of_part.columns(); ++j) {
    const auto of_feature = weights.of(weights.first(part) + j);
    for (Index k = 0; k < of_part.rows(); ++k) of_part(k, j) = of_feature[at(k)];
  }
  return of_part;
}

}  // namespace

LinearPanels::LinearPanels(const LinearModel& model, std::size_t part,
                           const data::NumberColumns& columns)
    : columns_(columns), coefficients_(PackedMatrix::dense(coefficients_of(model, part))) {
  NumericFeatures numeric = numeric_features(model.parts()[part]).value();
  counts_ = are_counts(model.parts()[part]);
  centres_.assign(numeric.centres.begin(), numeric.centres.end());
  scales_.assign(numeric.scales.begin(), numeric.scales.end());
  factors_ = std::move(numeric.factors);
}

Index LinearPanels::panels_per_group() const {
  const Index panel_bytes = columns_.count() * panel_rows * static_cast<Index>(sizeof(double));
  return std::clamp<Index>(panels_bytes / panel_bytes, 1, panels_at_most);
}

Index LinearPanels::result_size() const {
  return kernel::round_up(coefficients_.rows(), PackedMatrix::tile_rows) * panel_rows;
}

PanelWorker::PanelWorker(const LinearPanels& panels)
    : of_(panels),
      dimension_(panels.columns_.count()),
      panels_(at(panels.panels_per_group() * dimension_ * panel_rows)),
      standardised_(panels.centres_.empty() ? 0 : at(dimension_ * panel_rows)),
      features_(panels.factors_.size() * at(panel_rows)),
      scores_(at(panels.result_size())) {}

bool PanelWorker::begin(const Rows& rows, Index begin, Index end) noexcept {
  count_ = end - begin;
  next_ = blocks::following_rows(of_.columns_, rows, begin, end);
  return blocks::gather_panels(of_.columns_, rows, begin, end, panels_.data()) &&
         (!of_.counts_ || are_counts());
}

bool PanelWorker::are_counts() const {
  const auto end = panels_.begin() + blocks::panels_of(count_) * dimension_ * panel_rows;
  return std::all_of(panels_.begin(), end, blocks::is_count);
}

bool PanelWorker::score(const blocks::Scores& to) noexcept {
  const Index count = blocks::panels_of(count_);
  const blocks::Panels panels{panels_.data(), count, blocks::lanes_of(count_, count - 1), next_};
  bool usable = true;
  for (Index p = 0; p < count; ++p) {
    double* sums = to.lanes + p * to.stride;
    double* scores = to.fresh ? sums : scores_.data();
    kernel::products(of_.coefficients_, features_of(panels.data + p * dimension_ * panel_rows),
                     panels.lanes(p), scores, panels.ahead(p));
    usable = are_finite(scores, panels.lanes(p)) && usable;
    for (Index i = 0; i < of_.coefficients_.rows() * panel_rows && !to.fresh; ++i)
      sums[i] += scores[i];
  }
  return usable;
}

const double* PanelWorker::features_of(const double* panel) {
  if (of_.centres_.empty()) return panel;
  kernel::centre(panel, of_.centres_.data(), {0, dimension_}, standardised_.data());
  if (of_.factors_.empty()) return standardised_.data();
  double* z = standardised_.data();
  for (Index j = 0; j < dimension_; ++j, z += panel_rows) {
    for (Index lane = 0; lane < panel_rows; ++lane) z[lane] /= of_.scales_[at(j)];
  }
  double* product = features_.data();
  for (const auto& [first, second] : of_.factors_) {
    const double* a = standardised_.data() + first * panel_rows;
    const double* b = standardised_.data() + second * panel_rows;
    for (Index lane = 0; lane < panel_rows; ++lane) product[lane] = a[lane] * b[lane];
    product += panel_rows;
  }
  return features_.data();
}

/// True if the scores in the used lanes are finite.
bool PanelWorker::are_finite(double* scores, Index lanes) const {
  const Index classes = of_.coefficients_.rows(), count = classes * panel_rows;
  if (kernel::are_within({scores, count, 1, classes}, kernel::infinity)) return true;
  for (Index i = 0; i < count; ++i) {
    if (i % panel_rows < lanes && !std::isfinite(scores[i])) return false;
  }
  return true;
}

}  // namespace genera::score
