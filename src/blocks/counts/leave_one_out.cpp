// Scores without one row, for terms of texts, columns of sparse matrices and count columns.
#include "blocks/counts/leave_one_out.hpp"

#include <cmath>

#include "blocks/counts/kind.hpp"
#include "blocks/plan.hpp"
#include "blocks/table_sums.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

struct TermCount {
  Index term;
  double count;
};

class TermsLeftOut : public LeaveOneOut {
 public:
  TermsLeftOut(const LeaveOneOutInput& input, double min_count, bool max_terms)
      : block_(block_as<CountBlock>(input.block)),
        sums_(sums_as<TableSums>(input.sums)),
        rows_(input.rows),
        places_(input.places),
        columns_(input.rows.rows.data(), input.places.numbers),
        min_count_(min_count),
        max_terms_(max_terms),
        class_totals_(at(table().rows())),
        term_totals_(at(table().columns())),
        absent_(at(table().rows())) {
    for (Index k = 0; k < table().rows(); ++k) {
      for (Index j = 0; j < table().columns(); ++j) {
        class_totals_[at(k)] += table()(k, j);
        term_totals_[at(j)] += table()(k, j);
        if (presence()) absent_[at(k)] += log_absent(table()(k, j), sums_.weights[at(k)]);
      }
    }
  }

  [[nodiscard]] std::unique_ptr<LeaveOneOutWorker> worker() const override;
  [[nodiscard]] double operations() const override {
    const auto classes = static_cast<double>(table().rows());
    return presence() ? static_cast<double>(table().columns()) + 100 * classes : 100 * classes;
  }
  [[nodiscard]] std::vector<Note> notes() const override {
    if (!max_terms_) return {};
    return {
        {{"the most frequent terms are chosen once, from all rows, not again without each row"}}};
  }

  /// Returns false if its text is missing.
  bool read(Index row, std::vector<TermCount>& to) const {
    to.clear();
    if (!places_.sparse) {
      for (Index j = 0; j < columns_.count(); ++j) {
        const double count = columns_(row, j);
        if (count != 0) to.push_back({j, count});
      }
      return true;
    }
    const SparseView& sparse = rows_.sparse(places_);
    if (sparse.is_missing(row)) return false;
    for (Index e = sparse.begin(row); e < sparse.begin(row + 1); ++e) {
      const std::int32_t term = places_.terms[at(sparse.place(e))];
      if (term >= 0 && sparse.value(e) != 0) to.push_back({term, sparse.value(e)});
    }
    return true;
  }

  bool add(const OneRow& one, const std::vector<TermCount>& terms, std::span<double> scores) const {
    for (const TermCount& term : terms) {
      if (!std::isfinite(term.count)) return false;
    }
    if (presence()) return add_presence(one, terms, scores);
    return add_counts(one, terms, scores);
  }

 private:
  [[nodiscard]] const Matrix& table() const { return sums_.tables.front(); }
  [[nodiscard]] double smoothing() const { return block_.parameters().smoothing; }
  [[nodiscard]] bool presence() const {
    return block_.parameters().kind == CountParameters::Kind::bernoulli;
  }

  /// Whether the vocabulary loses a term without the row. Count columns always remain.
  [[nodiscard]] bool leaves(Index term, double weight) const {
    if (!places_.sparse) return false;
    const bool stays = max_terms_ || rows_.sparse(places_).all_columns;
    if (stays && min_count_ == 0) return false;
    const double before = term_totals_[at(term)], left = before - weight;
    return vanishes(left, before) || left < min_count_;
  }

  bool add_counts(const OneRow& one, const std::vector<TermCount>& terms,
                  std::span<double> scores) const {
    double vocabulary = static_cast<double>(table().columns());
    for (const TermCount& t : terms) {
      if (leaves(t.term, one.weight * t.count)) --vocabulary;
    }
    if (!(vocabulary > 0)) return false;
    for (Index k = 0; k < table().rows(); ++k) {
      const double own = k == one.of_class ? one.weight : 0;
      double total = class_totals_[at(k)];
      for (const TermCount& t : terms)
        total -= leaves(t.term, one.weight * t.count) ? table()(k, t.term) : own * t.count;
      if (vanishes(total, class_totals_[at(k)])) total = 0;
      total += smoothing() * vocabulary;
      for (const TermCount& t : terms) {
        if (leaves(t.term, one.weight * t.count)) continue;
        double here = table()(k, t.term) - own * t.count;
        if (vanishes(here, table()(k, t.term))) here = 0;
        scores[at(k)] +=
            t.count * std::log(total > 0 ? (here + smoothing()) / total : 1 / vocabulary);
      }
    }
    return true;
  }

  [[nodiscard]] double probability(double present, double rows) const {
    const double total = rows + 2 * smoothing();
    return total > 0 ? std::min(1.0, (present + smoothing()) / total) : 0.5;
  }
  [[nodiscard]] double log_absent(double present, double rows) const {
    return std::log1p(-probability(present, rows));
  }

  /// Adds presence and absence; without the row, all terms of its class change.
  bool add_presence(const OneRow& one, const std::vector<TermCount>& terms,
                    std::span<double> scores) const {
    for (Index k = 0; k < table().rows(); ++k) {
      const bool own = k == one.of_class;
      const double rows = sums_.weights[at(k)];
      double left = own ? rows - one.weight : rows;
      if (vanishes(left, rows)) left = 0;
      double score = 0;
      double absent = own ? absent_without(k, left) : absent_[at(k)];
      for (const TermCount& t : terms) {
        const double present = table()(k, t.term);
        const double unsaid = own ? absent_of_own(present, left) : log_absent(present, left);
        if (std::isinf(unsaid)) return false;  // cannot be subtracted from a sum
        absent -= unsaid;
        if (leaves(t.term, one.weight)) continue;
        double here = own ? present - one.weight : present;
        if (vanishes(here, present)) here = 0;
        score += std::log(probability(here, left));
      }
      scores[at(k)] += absent + score;
    }
    return true;
  }
  [[nodiscard]] double absent_without(Index k, double rows) const {
    double sum = 0;
    for (const double present : table().row(k)) sum += absent_of_own(present, rows);
    return sum;
  }
  /// If more rows had the term than remain, it is a term of the row itself, whose absence does not
  /// count.
  [[nodiscard]] double absent_of_own(double present, double rows) const {
    return present > rows && !vanishes(present - rows, present) ? 0 : log_absent(present, rows);
  }

  const CountBlock& block_;
  const TableSums& sums_;
  const BoundRows& rows_;
  const Places& places_;
  data::NumberColumns columns_;
  double min_count_;
  bool max_terms_;
  Vector class_totals_, term_totals_;
  Vector absent_;  // K: sum of log (1 - p) over all terms
};

class TermsLeftOutWorker : public LeaveOneOutWorker {
 public:
  explicit TermsLeftOutWorker(const TermsLeftOut& of) : of_(of) {}
  bool add(const OneRow& one, std::span<double> scores) override {
    return !of_.read(one.row, terms_) || of_.add(one, terms_, scores);
  }

 private:
  const TermsLeftOut& of_;
  std::vector<TermCount> terms_;
};

std::unique_ptr<LeaveOneOutWorker> TermsLeftOut::worker() const {
  return std::make_unique<TermsLeftOutWorker>(*this);
}

}  // namespace

std::unique_ptr<const LeaveOneOut> leave_terms_out(const LeaveOneOutInput& input, double min_count,
                                                   bool max_terms) {
  // Presence and total occurrences are separate sums.
  const bool presence =
      block_as<CountBlock>(input.block).parameters().kind == CountParameters::Kind::bernoulli;
  if (presence && min_count > 0) return nullptr;
  return std::make_unique<TermsLeftOut>(input, min_count, max_terms);
}

}  // namespace genera::blocks
