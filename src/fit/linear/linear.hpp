#pragma once

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// Complement naive Bayes of the counts or the text in these statistics. Throws Error (bad_model)
/// if there are other columns besides.
[[nodiscard]] Fitted<LinearModel> estimate_complement(const Statistics& statistics,
                                                      const ComplementOptions& options,
                                                      int threads);

/// Softmax regression of complete rows. Throws Error (bad_data) if something is missing, unless it
/// is dropped.
[[nodiscard]] Fitted<LinearModel> fit_logistic(const Rows& rows, const LogisticOptions& options,
                                               const FitOptions& how, const Control& control);

}  // namespace genera::fit_detail
