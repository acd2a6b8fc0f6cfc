#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <genera/fit_auto.hpp>

#include "evaluate/auto_candidates.hpp"
#include "evaluate/pooling.hpp"

/// What the candidates of fit_auto are worth in common folds.
namespace genera::select_detail {

using ClassWeights = std::map<std::string, double>;
[[nodiscard]] ClassWeights weights_of(const Rows& rows);

/// The rows, and a sample of them.
struct AutoData {
  AutoData(RowSource& from, RowSample&& some)
      : source(from),
        rows(some.of),
        unlabelled_scale(some.unlabelled_scale()),
        sample(auto_sample(std::move(some.rows), some.of)) {}

  ReadRows source;
  Index rows;               ///< of all
  double unlabelled_scale;  ///< of the weights of the rows of the sample without a label
  AutoSample sample;
};

/// Folds of the sample, and what the candidates are worth there.
class AutoJudgement {
 public:
  /// Everything must outlive it.
  AutoJudgement(const AutoData& data, const AutoOptions& options, const Control& control);

  [[nodiscard]] const AutoCandidates& candidates() const { return candidates_; }
  /// Of the candidates, the best first; empty if nothing could be compared.
  [[nodiscard]] const std::vector<std::size_t>& ranking() const { return ranking_; }
  [[nodiscard]] double loss(std::size_t candidate) const {
    return selection_.candidates[candidate].log_loss;
  }
  [[nodiscard]] Index rows() const { return std::ssize(rows_); }
  [[nodiscard]] Index folds() const { return folds_; }
  /// Whether some rows have no label, and their weight is not given.
  [[nodiscard]] bool weighs_unlabelled() const;
  /// The weight of rows without a label, if there are such rows and it is not given.
  [[nodiscard]] UnlabelledWeight unlabelled_weight(std::size_t c) const;

  /// A candidate as it is fitted to all rows, judged in the same folds.
  struct Judged {
    HeldOut held_out;
    std::vector<std::int32_t> truths;
    [[nodiscard]] Calibration calibration(const Control& control) const;
  };
  [[nodiscard]] std::optional<Judged> judged(std::size_t c, const FitOptions& fit) const;

  /// The best candidates of all families, pooled; its candidates are indices into `candidates`.
  struct Pooled {
    std::vector<std::size_t> candidates;
    Pool pool;
  };
  /// Empty if there are not two families, or too few rows to weigh them by.
  [[nodiscard]] std::optional<Pooled> pooled() const;

 private:
  [[nodiscard]] SelectOptions select_options() const;
  [[nodiscard]] Rows all_of(const Reading& reading) const;
  [[nodiscard]] Rows rows_of(const Reading& reading) const { return all_of(reading).only(rows_); }
  [[nodiscard]] Candidate candidate(std::size_t c) const;
  void take_sample();
  [[nodiscard]] bool scores_fit_in_memory() const;
  void judge();
  [[nodiscard]] std::vector<CandidateLosses> losses() const;
  [[nodiscard]] std::vector<std::size_t> ever_best(const std::vector<CandidateLosses>& all) const;

  const AutoData& data_;
  const AutoOptions& options_;
  const Control& control_;
  std::vector<Index> rows_;  // labelled ones that decide
  Vector weights_;           // of all rows, if only a sample decides; else empty
  Index folds_ = 0;
  Folds dealt_;
  AutoCandidates candidates_;
  Selection selection_;
  std::vector<std::size_t> ranking_;
};

}  // namespace genera::select_detail
