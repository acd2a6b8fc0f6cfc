#pragma once

#include <genera/fit.hpp>

#include "sums/collect.hpp"

namespace genera::fit_detail {

/// Requirements of a recipe, known before the first row is read.
struct Needs {
  CollectOptions sums;          ///< sums of each class
  sums::Entries entries;        ///< of texts and of a sparse matrix
  bool fourth_moments = false;  ///< needs a second pass, for Ledoit-Wolf
  bool all_rows = false;        ///< needs all rows in memory, for mixtures
  bool every_cell = false;      ///< needs the zeros of a sparse matrix, for full covariances
  /// Without missing values, the model is a function of the sums.
  [[nodiscard]] bool only_sums() const {
    return !fourth_moments && !all_rows && !every_cell && !sums.pairs;
  }
};
[[nodiscard]] Needs needs_of(const Recipe& recipe, Missing missing, bool sparse_matrix);

/// Whether EM is needed. Naive blocks skip missing cells exactly; all other missing values are
/// latent, and so are the labels of unlabelled rows with a weight.
[[nodiscard]] bool needs_em(const sums::Summary& summary, const Recipe& recipe,
                            const FitOptions& options);

/// Leaves out unlabelled rows unless the options give them a weight. Throws Error (bad_data) if no
/// row has a label.
void leave_out_unlabelled(sums::Pass& pass, const FitOptions& options);

}  // namespace genera::fit_detail
