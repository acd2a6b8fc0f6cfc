#include "score/linear/parts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "blocks/level_reader.hpp"
#include "kernel/index.hpp"
#include "kernel/weighted_rows.hpp"
#include "score/linear/features.hpp"
#include "score/linear/panels.hpp"
#include "score/linear/weights.hpp"

namespace genera::score {
namespace {

using blocks::BoundRows;
using blocks::Pair;
using blocks::Places;
using blocks::Share;
using kernel::at;

class BoundFeatures : public blocks::BoundPart {
 public:
  BoundFeatures(const LinearModel& model, std::size_t part, const BoundRows& given,
                const Places& found)
      : features(model.parts()[part]),
        weights(model.weights()),
        first(weights.first(part)),
        rows(given),
        places(found),
        needs_all(model.needs_every_cell()),
        numeric(numeric_features(features)),
        counts(are_counts(features)),
        columns(rows.rows.data(), places.numbers) {
    if (needs_all && columns.count() > 0 && numeric) panels.emplace(model, part, columns);
  }

  [[nodiscard]] Index panels_per_group() const override {
    return panels ? panels->panels_per_group() : 0;
  }
  [[nodiscard]] Index panel_size() const override { return panels ? panels->result_size() : 0; }
  [[nodiscard]] std::unique_ptr<blocks::ScoreWorker> worker(blocks::MissingMode) const override;

  const LinearFeatures& features;
  const detail::LinearWeights& weights;
  Index first;  // index of its first feature
  const BoundRows& rows;
  const Places& places;
  bool needs_all;                          // missing values are refused
  std::optional<NumericFeatures> numeric;  // empty: levels or terms
  bool counts;
  data::NumberColumns columns;           // for dense numbers
  std::optional<LinearPanels> panels{};  // for numbers that must be complete
};

/// Sums x_j coefficient_jk over the present features, by panels or row by row.
class LinearWorker : public blocks::ScoreWorker {
 public:
  explicit LinearWorker(const BoundFeatures& bound)
      : bound_(bound),
        classes_(bound.weights.classes()),
        level_(bound.rows, bound.places),
        reader_(bound.rows, bound.places),
        numbers_(bound.numeric ? at(bound.columns.count()) : 0) {
    if (bound.panels) panels_.emplace(*bound.panels);
  }

  bool begin(const Rows& rows, Index begin, Index end) noexcept override {
    if (panels_) return panels_->begin(rows, begin, end);
    rows_ = rows;
    begin_ = begin;
    count_ = end - begin;
    return true;
  }

  bool score(blocks::Mode, const blocks::Scores& to) noexcept override {
    if (panels_) return panels_->score(to);
    bool usable = true;
    for (Index i = 0; i < count_; ++i)
      usable = add_row(rows_.row(begin_ + i), to.by_row + i * classes_) && usable;
    return usable;
  }

  [[nodiscard]] Index unseen() const override { return level_.unseen(); }

  double explain(Index row, Pair pair, std::vector<Share>& to) override {
    each(row, reader_, [&](Index feature, double x) {
      const auto weights = weights_of(feature);
      to.push_back({feature, x * (weights[at(pair.best)] - weights[at(pair.second)])});
    });
    return 0;
  }
  [[nodiscard]] std::string feature_name(Index feature) const override {
    return score::feature_name(bound_.features, feature, bound_.rows.several_texts);
  }

 private:
  [[nodiscard]] std::span<const double> weights_of(Index feature) const {
    return bound_.weights.of(bound_.first + feature);
  }

  /// False if a value is invalid or scores overflow.
  bool add_row(Index row, double* scores) {
    bool usable = true;
    if (bound_.needs_all && lacks(row)) return false;
    kernel::WeightedRows sum(bound_.weights.of(bound_.first).data(), classes_, scores);
    each(row, level_, [&](Index feature, double x) {
      usable = usable && (bound_.counts ? blocks::is_count(x) : std::isfinite(x));
      sum.add(feature, x);
    });
    sum.finish();
    for (Index k = 0; k < classes_; ++k) usable = usable && std::isfinite(scores[k]);
    return usable;
  }

  /// Calls visit(feature, value) for the nonzero features of the row.
  template <class Visit>
  void each(Index row, blocks::LevelReader& level, Visit visit) {
    if (bound_.places.sparse)
      each_entry(row, visit);
    else if (!bound_.numeric)
      visit_level(level(row, 0, std::ssize(names_of(bound_.features))), visit);
    else if (bound_.numeric->are_products())
      each_product(row, visit);
    else
      each_number(row, visit);
  }

  /// True if a cell is missing.
  [[nodiscard]] bool lacks(Index row) const {
    if (bound_.places.sparse) return bound_.rows.sparse(bound_.places).is_missing(row);
    for (const Index column : bound_.places.codes) {
      if (bound_.rows.codes(column)(row) < 0) return true;
    }
    return std::ranges::any_of(bound_.places.numbers, [&](Index column) {
      return std::isnan(bound_.rows.numbers(row, column));
    });
  }

  template <class Visit>
  void each_entry(Index row, Visit visit) const {
    const SparseView& sparse = bound_.rows.sparse(bound_.places);
    if (sparse.is_missing(row)) return;
    const Index end = sparse.begin(row + 1);
    for (Index e = sparse.begin(row); e < end; ++e) {
      const std::int32_t feature = bound_.places.terms[at(sparse.place(e))];
      if (feature >= 0 && !std::isnan(sparse.value(e))) visit(Index{feature}, sparse.value(e));
    }
  }

  template <class Visit>
  void visit_level(std::int32_t level, Visit visit) const {
    if (level >= 0) visit(Index{level}, 1.0);
  }

  template <class Visit>
  void each_number(Index row, Visit visit) {
    bound_.columns.gather_rows({&row, 1}, std::ssize(numbers_), numbers_.data());
    const std::span<const double> centres = bound_.numeric->centres;
    for (std::size_t j = 0; j < numbers_.size(); ++j) {
      const double x = centres.empty() ? numbers_[j] : numbers_[j] - centres[j];
      if (x != 0 && !std::isnan(x)) visit(static_cast<Index>(j), x);
    }
  }

  template <class Visit>
  void each_product(Index row, Visit visit) {
    bound_.columns.gather_rows({&row, 1}, std::ssize(numbers_), numbers_.data());
    const auto& [centres, scales, factors] = *bound_.numeric;
    for (std::size_t j = 0; j < numbers_.size(); ++j)
      numbers_[j] = (numbers_[j] - centres[j]) / scales[j];
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const double x = numbers_[at(factors[f].first)] * numbers_[at(factors[f].second)];
      if (x != 0 && !std::isnan(x)) visit(static_cast<Index>(f), x);
    }
  }

  const BoundFeatures& bound_;
  Index classes_;
  blocks::LevelReader level_;
  blocks::LevelReader reader_;  // for explanations, which count nothing
  Vector numbers_;              // of the row, if they are dense
  std::optional<PanelWorker> panels_;
  Rows rows_;
  Index begin_ = 0, count_ = 0;
};

std::unique_ptr<blocks::ScoreWorker> BoundFeatures::worker(blocks::MissingMode) const {
  return std::make_unique<LinearWorker>(*this);
}

}  // namespace

std::unique_ptr<const blocks::BoundPart> bind(const LinearModel& model, std::size_t part,
                                              const BoundRows& rows, const Places& places) {
  return std::make_unique<BoundFeatures>(model, part, rows, places);
}

void class_evidence(const LinearModel& model, std::size_t part, Index k, std::vector<Share>& to) {
  const LinearFeatures& features = model.parts()[part];
  if (are_measurements(features)) return;
  for (Index feature = 0; feature < std::ssize(names_of(features)); ++feature) {
    const auto weights = model.weights().of(model.weights().first(part) + feature);
    double mean = 0;
    for (const double weight : weights) mean += weight / static_cast<double>(weights.size());
    to.push_back({feature, weights[at(k)] - mean});
  }
}

}  // namespace genera::score
