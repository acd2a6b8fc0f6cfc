#pragma once

#include <map>
#include <vector>

#include <genera/em.hpp>

#include "fit/plan.hpp"

namespace genera::fit_detail {

/// Of all rows that take part, whatever the model.
struct RowTotals {
  double weight = 0;          ///< rows without a label by their weight in the fit
  Index unlabelled = 0;       ///< rows
  Index missing_numbers = 0;  ///< cells of the columns whose missing values need EM
};

/// What some rows say under a model, where everything latent counts with its expectation.
struct Expected {
  PlanSums sums;
  double log_likelihood = 0;  ///< of what is observed
  double likeliest = 0;       ///< posterior of the likeliest class, over rows without a label
  RowTotals rows{};

  /// The mean posterior of the likeliest class of rows without a label; 1 if there is none.
  [[nodiscard]] double certainty() const;
  [[nodiscard]] Expected clone() const;
  void add(const Expected& other);
};

/// For each block: how much rows say of each class (K), by the pattern columns they have.
using WeightsByPattern = std::map<std::vector<Index>, Vector>;
using PatternMaps = std::vector<WeightsByPattern>;

void add(PatternMaps& to, const PatternMaps& more);

}  // namespace genera::fit_detail

namespace genera {

struct ExpectedSums::State {
  std::string plan;  ///< its key
  fit_detail::Expected expected;
};

struct PatternSums::State {
  std::string plan;
  fit_detail::PatternMaps blocks;
};

}  // namespace genera
