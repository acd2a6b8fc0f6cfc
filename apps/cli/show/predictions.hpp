#pragma once

#include "arguments.hpp"

#include <genera/decisions.hpp>
#include <genera/explain.hpp>

#include <atomic>
#include <string>
#include <vector>

namespace genera::cli {

/// What predictions are made with; it outlives them.
struct Deciding {
  const Model& model;
  const DecisionRule& rule;
  const std::optional<OutlierTail>& tail;  ///< if outliers are asked for
};

/// How predictions are written; one for all threads, so nothing in it changes but the counts.
class Predictions {
 public:
  Predictions(const Deciding& deciding, const PredictArguments& arguments);

  [[nodiscard]] std::string header(const Table& table) const;
  [[nodiscard]] std::string lines(const Table& table);

  /// Said of all rows together, on standard error.
  void report(bool quiet) const;

 private:
  /// What is known of the rows of one block.
  struct Block {
    const Table& table;
    Answers said;
    std::vector<std::int32_t> labels;  ///< -1: rejected
    std::vector<bool> outliers;
    std::vector<Explanation> reasons;
  };

  [[nodiscard]] bool only_labels() const;
  /// Whether the prediction may be another class than the most probable one.
  [[nodiscard]] bool names_best() const;
  [[nodiscard]] const std::string& label(std::int32_t k) const;
  void count(const MissingCells& missing);
  [[nodiscard]] std::string plain_lines(const Table& table);
  [[nodiscard]] Block ask(const Table& table);
  [[nodiscard]] std::string csv_lines(const Block& block) const;
  [[nodiscard]] std::string json_lines(const Block& block) const;

  Deciding with_;
  const PredictArguments& asked_;
  std::vector<std::string> labels_;  // as they are written
  std::string no_label_;
  std::atomic<Index> rows_ = 0, impossible_ = 0, unseen_ = 0, rejected_ = 0, outliers_ = 0;
  std::atomic<Index> lacking_ = 0, missing_ = 0;
};

}  // namespace genera::cli
