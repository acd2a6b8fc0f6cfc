#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <genera/classifier.hpp>
#include <genera/select.hpp>

#include "sums/summarise.hpp"

/// What candidates are judged by.
namespace genera::select_detail {

/// The rows that all candidates are judged on.
struct Judged {
  std::vector<std::string> classes;    ///< in the order of models
  std::vector<std::int32_t> class_of;  ///< of each label of the data; -1: no row to judge has it
  std::vector<Index> positions;
  std::vector<std::int32_t> truths;
  Vector weights;  ///< empty: every row counts once
  Index not_judged = 0;
  sums::WeightedRows weightless{};  ///< classes with rows of weight 0, which are not there
};

/// The labelled rows of a weight above 0 but those for which `is_left_out` holds.
[[nodiscard]] Judged judged_rows(const Rows& rows, const std::function<bool(Index)>& is_left_out);

/// Gathers what one candidate says of the judged rows, each once, by any thread.
class Verdict {
 public:
  Verdict(const Judged& judged, Index models, bool keep_scores);

  /// The log prior of one of its models; all 0 of a linear one.
  void set_prior(Index model, std::span<const double> log_prior);
  /// What the model says of judged row i, K numbers each in the order of the classes.
  struct Answer {
    std::span<const double> scores;     ///< log joint
    std::span<const double> posterior;  ///< exactly as a classifier answers
    std::int32_t label;
    double loss;
  };
  void set(Index i, Index model, const Answer& answer);
  /// The same, where only scores are known: the posterior is theirs.
  void set(Index i, Index model, std::span<const double> scores, std::span<const double> log_prior);

  [[nodiscard]] HeldOut result() &&;

 private:
  const Judged& judged_;
  Vector losses_, briers_;
  std::vector<char> wrong_;
  std::optional<HeldOutScores> scores_;
};

/// Asks a classifier about the judged rows `which` (places among them), on one thread. Throws Error
/// if they cannot be used.
void judge(ClassifierRef model, const Rows& rows, const Judged& judged,
           std::span<const Index> which, Index model_number, Verdict& to);

/// A candidate that cannot be used.
[[nodiscard]] HeldOut unusable(const Error& error);

/// Throws Error (bad_argument) if there is no candidate, or its rows are not as many.
void check_candidates(const Rows& rows, const std::vector<Candidate>& candidates);
/// Throws Error (bad_argument) if the rows, or those of a candidate, have no labels at all.
void check_labels(const Rows& rows, const std::vector<Candidate>& candidates);

/// The rows that take part, for all candidates: with Missing::drop the complete ones; those without
/// a label only if they have a weight. A frequency becomes as many rows.
class RowsInUse {
 public:
  RowsInUse(const Rows& rows, const std::vector<Candidate>& candidates, const FitOptions& options);
  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Candidate>& candidates() const { return candidates_; }
  /// The same with positions among all rows, and a note of the rows that are left out.
  [[nodiscard]] Selection of_all_rows(Selection selection) const;

 private:
  Rows rows_;
  std::vector<Candidate> candidates_;
  std::optional<std::vector<Index>> positions_;  // none: all rows, each once
  std::vector<std::vector<Index>> lists_;        // the same as rows of the data of each candidate
  Index left_out_ = 0;
  bool drops_;  // rows that lack a value
};

/// Whether something of rows is latent for a recipe; what is missing is counted once.
class LatentCells {
 public:
  explicit LatentCells(const FitOptions& options) : options_(options) {}
  [[nodiscard]] bool in(const Rows& rows, const Recipe& recipe);

 private:
  FitOptions options_;
  std::map<std::pair<const Rows*, bool>, sums::Summary> known_;  // by whether levels go together
};

/// Candidates with full covariances of a sparse matrix get rows of their own with all its cells,
/// made once for those that share it. Where there are too many columns, the fit says so.
class LaidOutCandidates {
 public:
  LaidOutCandidates(const Rows& rows, const std::vector<Candidate>& candidates, Missing missing);
  [[nodiscard]] const std::vector<Candidate>& get() const { return candidates_; }

 private:
  std::map<const Rows*, Table> tables_;
  std::vector<Candidate> candidates_;
};

/// Whether the model is a function of sums, if nothing is missing.
[[nodiscard]] bool needs_sums_only(const Recipe& recipe, const Rows& rows, Missing missing);
/// Whether all of the candidate is estimated from sums over rows: neither EM nor the rows again.
[[nodiscard]] bool is_closed_form(const Rows& rows, const Candidate& candidate,
                                  const FitOptions& options, LatentCells& latent);
/// Which sums it takes.
[[nodiscard]] CollectOptions sums_needed(const Rows& rows, const Candidate& candidate,
                                         const FitOptions& options);

/// Whether the same sums serve two candidates; full moments serve diagonal models, too, so `known`
/// may become full.
[[nodiscard]] bool serve_both(CollectOptions& known, const CollectOptions& more);

[[nodiscard]] inline const Rows& rows_of(const Candidate& candidate, const Rows& rows) {
  return candidate.rows ? *candidate.rows : rows;
}

}  // namespace genera::select_detail
