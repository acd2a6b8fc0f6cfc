#pragma once

#include <span>

#include <genera/model.hpp>
#include <genera/stats.hpp>

namespace genera::fit_detail {

/// Rows of one class and how much each of them counts (by row of the table).
struct WeightedRows {
  std::span<const Index> rows;
  std::span<const double> weights;  ///< empty: once
};

/// The E-step of what is counted. Adds to the statistics of class k what its rows are expected to
/// hold where they lack cells of a joint table (spread over the combinations that agree with the
/// cells there) or counts (in proportion to the counts there). Missing cells of naive blocks need
/// nothing: leaving them out is maximum likelihood.
void add_expected_counts(const Model& model, const Table& table, Index k, const WeightedRows& rows,
                         Statistics& statistics);

}  // namespace genera::fit_detail
