#pragma once

#include <cstdint>
#include <span>

#include <genera/classifier.hpp>

#include "kernel/panel.hpp"

namespace genera::score {

/// Where answers go: row i of a result belongs to row i of the input. Null: not wanted.
struct Wanted {
  double* log_joint = nullptr;      // n x K
  double* log_density = nullptr;    // n
  double* posterior = nullptr;      // n x K
  double* log_posterior = nullptr;  // n x K
  double* distances = nullptr;      // n x K
  std::int32_t* labels = nullptr;   // n
};

/// What was found out about up to sixteen rows, K x 16 each.
struct PanelScores {
  Index count;        // of rows
  Index first;        // that of the first, if they follow each other
  const Index* rows;  // null: they do
  const double* scores;
  const double* distances = nullptr;     // only if they are wanted
  const double* coefficients = nullptr;  // 16: what log densities have besides the scores

  [[nodiscard]] Index row(Index lane) const { return rows ? rows[lane] : first + lane; }
};

/// Writes answers, panel by panel. Nothing is allocated after construction.
class AnswerWriter {
 public:
  explicit AnswerWriter(ClassifierRef model);

  /// Whatever is a true density.
  void write_exact(const PanelScores& panel, const Wanted& wanted) const;
  /// Posterior and label, which compare the scores of a row, divided by the temperature.
  void write_relative(const PanelScores& panel, const Wanted& wanted);

  /// The class of the largest prior.
  [[nodiscard]] std::int32_t most_probable() const { return most_probable_; }
  /// Rows of density zero.
  [[nodiscard]] Index impossible() const { return impossible_; }
  void count_impossible() { ++impossible_; }

 private:
  /// Scores less the largest of their row, divided by the temperature, K x 16.
  [[nodiscard]] const double* compared(const double* scores, const double* best);
  /// Scores less their log-sum: log posteriors.
  void subtract_out(const double* scores, const double* sums, const PanelScores& panel,
                    double* to) const;
  void write_prior(Index row, const Wanted& wanted);

  Prior prior_;
  std::int32_t most_probable_;
  Index classes_;
  double temperature_;
  kernel::AlignedVector probabilities_;  // K x 16
  kernel::AlignedVector compared_;       // the same
  Index impossible_ = 0;
};

}  // namespace genera::score
