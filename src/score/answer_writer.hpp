#pragma once

#include <cstdint>
#include <span>

#include <genera/classifier.hpp>

#include "kernel/panel.hpp"

namespace genera::score {

/// Destinations of answers: row i of a result belongs to row i of the input. Null: not requested.
struct Wanted {
  double* log_joint = nullptr;      // n x K
  double* log_density = nullptr;    // n
  double* posterior = nullptr;      // n x K
  double* log_posterior = nullptr;  // n x K
  double* distances = nullptr;      // n x K
  std::int32_t* labels = nullptr;   // n
  /// n: set to 1 for a row that is impossible under every class, if classes are compared
  std::uint8_t* impossible = nullptr;
};

/// Scores of up to sixteen rows, K x 16 each.
struct PanelScores {
  Index count;        // of rows
  Index first;        // position of the first row, if rows are consecutive
  const Index* rows;  // positions; null: consecutive
  const double* scores;
  const double* distances = nullptr;  // only if requested
  /// 16: terms of the log densities that are not in the scores
  const double* coefficients = nullptr;

  [[nodiscard]] Index row(Index lane) const { return rows ? rows[lane] : first + lane; }
};

/// Writes answers panel by panel. Allocates only on construction.
class AnswerWriter {
 public:
  explicit AnswerWriter(ClassifierRef model);

  /// Writes log joint and log density, from exact scores.
  void write_exact(const PanelScores& panel, const Wanted& wanted) const;
  /// Writes posteriors and labels, which compare the scores of a row divided by the temperature.
  void write_relative(const PanelScores& panel, const Wanted& wanted);

  /// The class with the largest prior.
  [[nodiscard]] std::int32_t most_probable() const { return most_probable_; }
  /// Number of rows with density zero.
  [[nodiscard]] Index impossible() const { return impossible_; }
  void count_impossible() { ++impossible_; }

 private:
  /// Scores minus the largest of their row, divided by the temperature, K x 16.
  [[nodiscard]] const double* compared(const double* scores, const double* best);
  /// Writes scores minus their log-sum: log posteriors.
  void subtract_out(const double* scores, const double* sums, const PanelScores& panel,
                    double* to) const;
  void write_prior(Index row, const Wanted& wanted);

  Prior prior_;
  std::int32_t most_probable_;
  Index classes_;
  double temperature_;
  kernel::AlignedVector probabilities_;  // K x 16
  kernel::AlignedVector compared_;       // K x 16
  Index impossible_ = 0;
};

}  // namespace genera::score
