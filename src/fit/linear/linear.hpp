#pragma once

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// Complement naive Bayes from the counts or texts in these statistics. Throws Error (bad_model) if
/// there are other columns.
[[nodiscard]] Fitted<LinearModel> estimate_complement(const Statistics& statistics,
                                                      const ComplementOptions& options,
                                                      int threads);

/// Softmax regression on complete rows. Throws Error (bad_data) if values are missing, unless the
/// options drop such rows.
[[nodiscard]] Fitted<LinearModel> fit_logistic(const Rows& rows, const LogisticOptions& options,
                                               const FitOptions& how, const Control& control);

}  // namespace genera::fit_detail
