#include "blocks/counts/kind.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "blocks/class_evidence.hpp"
#include "blocks/counts/features.hpp"
#include "blocks/counts/term_weights.hpp"
#include "blocks/row_worker.hpp"
#include "blocks/table_sums.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/saddle_point.hpp"
#include "kernel/weighted_rows.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

using Kind = CountParameters::Kind;

using kernel::infinity;

class BoundCounts : public BoundBlock {
 public:
  BoundCounts(const CountBlock& bound, const BoundRows& given, const Places& found)
      : block(bound),
        density(block.density()),
        rows(given),
        places(found),
        columns(rows.rows.data(), places.numbers) {}

  /// A missing count is latent if other counts are present.
  [[nodiscard]] bool nothing_latent(Index row) const override {
    for (Index j = 0; j < columns.count(); ++j) {
      if (std::isnan(columns(row, j))) return false;
    }
    return true;
  }
  [[nodiscard]] Index given_length(Index row) const override;
  [[nodiscard]] std::unique_ptr<BlockWorker> block_worker(MissingMode missing) const override;

  const CountBlock& block;
  const detail::TermWeights& density;
  const BoundRows& rows;
  const Places& places;
  data::NumberColumns columns;  // if counts are not sparse
};

/// Reads the counts of one row at a time.
class RowCounts {
 public:
  explicit RowCounts(const BoundCounts& bound)
      : bound_(bound), counts_(at(bound.columns.count())) {}

  /// Returns false if the text of the row is missing.
  bool read(Index row) {
    row_ = row;
    if (bound_.places.sparse) return !bound_.rows.sparse(bound_.places).is_missing(row);
    bound_.columns.gather_rows({&row, 1}, std::ssize(counts_), counts_.data());
    return true;
  }

  /// Calls visit(term, count) for the terms of the row that the block knows; a missing count is
  /// NaN.
  template <class Visit>
  void each(Visit visit) const {
    if (!bound_.places.sparse) {
      for (std::size_t j = 0; j < counts_.size(); ++j) {
        if (counts_[j] != 0) visit(static_cast<Index>(j), counts_[j]);
      }
      return;
    }
    const SparseView& sparse = bound_.rows.sparse(bound_.places);
    const Index end = sparse.begin(row_ + 1);
    for (Index e = sparse.begin(row_); e < end; ++e) {
      const std::int32_t term = bound_.places.terms[at(sparse.place(e))];
      if (term >= 0) visit(Index{term}, sparse.value(e));
    }
  }

 private:
  const BoundCounts& bound_;
  Index row_ = 0;
  Vector counts_;  // of the row, if they are not sparse
};

Index BoundCounts::given_length(Index row) const {
  RowCounts counts(*this);
  if (block.parameters().kind != Kind::multinomial || !counts.read(row)) return -1;
  double total = 0;
  counts.each([&](Index, double x) { total += std::isnan(x) ? 0 : x; });
  return total < 0 || total > 9e18 ? 0 : std::llround(total);
}

/// Row by row: base_k + sum_j x_j weight_jk over the observed terms.
class CountsWorker : public RowWorker {
 public:
  explicit CountsWorker(const BoundCounts& bound)
      : RowWorker(bound.density.classes()),
        bound_(bound),
        density_(bound.density),
        classes_(density_.classes()),
        counts_(bound),
        hits_(at(classes_)),
        missing_shares_(at(classes_)),
        before_(at(classes_)) {}

  bool score(Mode, const Scores& to) noexcept override {
    bool usable = true;
    for (Index i = 0; i < count(); ++i) {
      if (!counts_.read(row(i))) continue;
      double* scores = to.by_row + i * classes_;
      if (density_.has_coefficient()) std::copy_n(scores, classes_, before_.begin());
      double total = 0;
      usable = add_row(scores, total) && usable;
      if (!density_.has_coefficient()) continue;
      const bool is_long = total >= kernel::long_count && std::isfinite(total);
      if (is_long) {
        std::copy(before_.begin(), before_.end(), scores);
        add_long_row(total, scores);
      }
      if (to.common) to.common[i] += log_coefficient(is_long);
    }
    return usable;
  }

  double explain(Index place, Pair pair, std::vector<Share>& to) override {
    if (!counts_.read(place)) return 0;
    if (density_.only_presence())
      explain_presence(pair, to);
    else
      explain_counts(pair, to);
    return 0;
  }
  [[nodiscard]] std::string feature_name(Index feature) const override {
    return CountsKind::feature_name(bound_.block, feature, bound_.rows.several_texts);
  }

  void expect(const Rows& rows, Index begin, Index end, const double* weights,
              BlockSums& sums) override {
    auto& to = sums_as<TableSums>(sums);
    const Index n = end - begin;
    for (Index i = 0; i < n; ++i) {
      if (!counts_.read(rows.row(begin + i))) continue;
      double all = 0;
      for (Index k = 0; k < classes_; ++k) {
        const double weight = weights[k * n + i];
        if (!(weight > 0)) continue;
        all += weight;
        to.weights[at(k)] += weight;
        add_expected(k, weight, to.tables.front().row(k));
      }
      if (all > 0 && density_.has_coefficient()) to.constant += all * log_coefficient();
    }
  }

 private:
  [[nodiscard]] bool is_usable(double count) const {
    return density_.only_presence() ? std::isfinite(count) : is_count(count);
  }

  /// Missing counts contribute their expectation given the counts that are present.
  void add_expected(Index k, double weight, std::span<double> sums) const {
    const Matrix& p = bound_.block.parameters().probabilities;
    double total = 0, missing = 0;
    counts_.each([&](Index term, double count) {
      if (std::isnan(count)) {
        missing += p(k, term);
        return;
      }
      const double x = density_.only_presence() ? 1 : count;
      total += x;
      sums[at(term)] += weight * x;
    });
    if (!(missing > 0) || !(missing < 1) || density_.only_presence()) return;
    counts_.each([&](Index term, double count) {
      if (std::isnan(count)) sums[at(term)] += weight * total * p(k, term) / (1 - missing);
    });
  }

  /// Returns false if a value is not a count; `total` is the sum of the counts.
  bool add_row(double* scores, double& total) {
    const bool certain = !density_.certain().empty();
    if (certain) std::fill(hits_.begin(), hits_.end(), Index{0});
    bool lacks = false, usable = true;
    kernel::WeightedRows sum(density_.weights(0).data(), classes_, scores);
    counts_.each([&](Index term, double count) {
      if (std::isnan(count)) {
        lacks = true;
        return;
      }
      usable = usable && is_usable(count);
      const double x = density_.only_presence() ? 1 : count;
      total += x;
      sum.add(term, x);
      for (Index k = 0; certain && k < classes_; ++k) hits_[at(k)] += density_.is_certain(k, term);
    });
    sum.finish();
    if (lacks) leave_out_missing(total, scores);
    for (Index k = 0; k < classes_; ++k) {
      scores[k] += density_.base()[at(k)];
      if (certain && hits_[at(k)] < density_.certain()[at(k)]) scores[k] = -infinity;
    }
    return usable;
  }

  /// m = sum x_j: sum x_j log(p_j m / x_j), the multinomial without log_coefficient(true), equals
  /// m (sum p_j - 1) - sum deviance(x_j, m p_j), over the observed terms. Without cancellation.
  void add_long_row(double total, double* scores) const {
    const Matrix& p = bound_.block.parameters().probabilities;
    for (Index k = 0; k < classes_; ++k) {
      kernel::HighLow known{1, 0};  // probability of the observed terms
      counts_.each([&](Index term, double count) {
        if (std::isnan(count)) known = kernel::add(known, -p(k, term));
      });
      if (!(known.high > 0)) known = {1, 0};
      kernel::HighLow excess{-known.high, -known.low};
      double deviances = 0;
      counts_.each([&](Index term, double count) {
        if (std::isnan(count)) return;
        const double probability = p(k, term);
        excess = kernel::add(excess, probability);
        deviances +=
            probability > 0
                ? kernel::deviance(count,
                                   kernel::quotient(kernel::two_product(total, probability), known))
                : infinity;
      });
      scores[k] += total * ((excess.high + excess.low) / known.high) - deviances;
    }
  }

  /// Removes columns with a missing count: multinomial probabilities are normalised over the
  /// others, as their sum is the only known part of the length; Bernoulli presence is marginalised.
  void leave_out_missing(double total, double* scores) {
    const CountParameters& p = bound_.block.parameters();
    std::fill(missing_shares_.begin(), missing_shares_.end(), 0.0);
    counts_.each([&](Index term, double count) {
      if (!std::isnan(count)) return;
      for (Index k = 0; k < classes_; ++k) {
        const double probability = p.probabilities(k, term);
        if (p.kind != Kind::bernoulli)
          missing_shares_[at(k)] += probability;
        else if (probability == 1)
          ++hits_[at(k)];
        else
          scores[k] -= std::log1p(-probability);
      }
    });
    if (p.kind != Kind::multinomial || total == 0) return;
    for (Index k = 0; k < classes_; ++k) {
      const double share = std::min(1.0, missing_shares_[at(k)]);
      if (share < 1) scores[k] -= total * std::log1p(-share);
    }
  }

  [[nodiscard]] double log_coefficient(bool of_long_row = false) const {
    detail::LogCoefficient coefficient(of_long_row);
    counts_.each([&](Index, double x) {
      if (!std::isnan(x)) coefficient.add(x);
    });
    return coefficient.value();
  }

  void explain_counts(Pair pair, std::vector<Share>& to) const {
    const CountParameters& p = bound_.block.parameters();
    double total = 0, missing_best = 0, missing_second = 0;
    counts_.each([&](Index term, double count) {
      if (std::isnan(count)) {
        missing_best += p.probabilities(pair.best, term);
        missing_second += p.probabilities(pair.second, term);
        return;
      }
      total += count;
      const auto weights = density_.weights(term);
      to.push_back(
          {present_feature(term), count * (weights[at(pair.best)] - weights[at(pair.second)])});
    });
    if (missing_best > 0 && total > 0 && missing_best < 1 && missing_second < 1)
      to.push_back({missing_counts_feature,
                    total * (std::log1p(-missing_second) - std::log1p(-missing_best))});
  }

  void explain_presence(Pair pair, std::vector<Share>& to) const {
    const CountParameters& p = bound_.block.parameters();
    enum : std::uint8_t { absent, present, missing };
    std::vector<std::uint8_t> there(p.terms.size(), absent);
    counts_.each(
        [&](Index term, double count) { there[at(term)] = std::isnan(count) ? missing : present; });
    for (Index term = 0; term < std::ssize(there); ++term) {
      const double best = p.probabilities(pair.best, term);
      const double second = p.probabilities(pair.second, term);
      if (there[at(term)] == present)
        to.push_back({present_feature(term), std::log(best) - std::log(second)});
      else if (there[at(term)] == absent)
        to.push_back({absent_feature(term), std::log1p(-best) - std::log1p(-second)});
    }
  }

  const BoundCounts& bound_;
  const detail::TermWeights& density_;
  Index classes_;
  RowCounts counts_;         // of the current row
  std::vector<Index> hits_;  // K: terms of the row that are certain in the class
  Vector missing_shares_;    // K
  Vector before_;            // K: scores without the current row
};

std::unique_ptr<BlockWorker> BoundCounts::block_worker(MissingMode) const {
  return std::make_unique<CountsWorker>(*this);
}

}  // namespace

std::unique_ptr<const BoundBlock> CountsKind::bind(const Block& block, const BoundRows& rows,
                                                   const Places& places) {
  return std::make_unique<BoundCounts>(block, rows, places);
}

Places CountsKind::locate(const Block& block, Finder& finder) {
  const CountParameters& p = block.parameters();
  return p.text.empty() ? finder.numbers(p.terms, block.density().terms())
                        : finder.text(p.text, block.density().terms());
}

void CountsKind::class_evidence(const Block& block, const Prior& prior, Index k,
                                std::vector<Share>& to) {
  const Matrix& table = block.parameters().probabilities;
  for (Index term = 0; term < table.columns(); ++term)
    to.push_back({present_feature(term), log_ratio_to_others(prior, table, k, term)});
}

std::string CountsKind::feature_name(const Block& block, Index feature, bool several_texts) {
  return count_name(block.parameters(), feature, several_texts);
}

}  // namespace genera::blocks
