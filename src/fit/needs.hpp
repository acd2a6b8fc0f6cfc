#pragma once

#include <genera/fit.hpp>

#include "sums/collect.hpp"

namespace genera::fit_detail {

/// What a recipe needs of the rows, known before the first of them is read.
struct Needs {
  CollectOptions sums;          ///< of each class
  sums::Entries entries;        ///< of texts and of a sparse matrix
  bool fourth_moments = false;  ///< a second pass, for Ledoit-Wolf
  bool all_rows = false;        ///< in memory, for mixtures
  bool every_cell = false;      ///< a sparse matrix laid out with its zeros, for full covariances
  /// A model is a function of the sums, if nothing is missing.
  [[nodiscard]] bool only_sums() const { return !fourth_moments && !all_rows && !every_cell; }
};
[[nodiscard]] Needs needs_of(const Recipe& recipe, Missing missing, bool sparse_matrix);

/// Whether something is missing that has to be integrated out: missing cells of naive blocks are
/// left out exactly, everything else is latent, and so are labels of rows that have a weight.
[[nodiscard]] bool needs_em(const sums::Summary& summary, const Recipe& recipe,
                            const FitOptions& options);

/// Rows without a label do not count, unless the options give them a weight. Throws Error
/// (bad_data) if no row has a label.
void leave_out_unlabelled(sums::Pass& pass, const FitOptions& options);

}  // namespace genera::fit_detail
