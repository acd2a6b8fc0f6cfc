#pragma once

#include <map>
#include <vector>

#include <genera/em.hpp>

#include "fit/plan.hpp"

namespace genera::fit_detail {

/// Totals over the rows to learn from; they do not depend on the model.
struct RowTotals {
  double weight = 0;          ///< unlabelled rows with their weight in the fit
  Index unlabelled = 0;       ///< rows
  Index missing_numbers = 0;  ///< cells of the columns whose missing values need EM
};

/// Expected sums of some rows under a model, over all latent values.
struct Expected {
  PlanSums sums;
  double log_likelihood = 0;  ///< of the observed values
  double likeliest = 0;       ///< posterior of the likeliest class, summed over unlabelled rows
  RowTotals rows{};

  /// The mean posterior of the likeliest class of unlabelled rows; 1 without unlabelled rows.
  [[nodiscard]] double certainty() const;
  [[nodiscard]] Expected clone() const;
  void add(const Expected& other);
};

/// For each block: the information of the rows about each class (K), by their observed pattern
/// columns.
using WeightsByPattern = std::map<std::vector<Index>, Vector>;
using PatternMaps = std::vector<WeightsByPattern>;

void add(PatternMaps& to, const PatternMaps& more);

}  // namespace genera::fit_detail

namespace genera {

struct ExpectedSums::State {
  std::string plan;  ///< key of the plan
  fit_detail::Expected expected;
};

struct PatternSums::State {
  std::string plan;
  fit_detail::PatternMaps blocks;
};

}  // namespace genera
