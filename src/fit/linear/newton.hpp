#pragma once

#include <genera/control.hpp>
#include <genera/recipe.hpp>

#include "fit/linear/softmax.hpp"

namespace genera::fit_detail {

/// With more coefficients than this, the preconditioner is the diagonal of the Hessian.
inline constexpr Index max_factored = 1500;
/// With more numeric columns than this, there is no start from LDA.
inline constexpr Index max_lda_columns = 1000;

struct Minimum {
  Vector at{};  ///< columns x K; those of a column sum to 0
  double value = 0;
  double gradient = 0;  ///< norm relative to that at zero coefficients
  int iterations = 0;
  bool converged = false;
  bool unbounded = false;  ///< ridge 0: the scores still grew in the last step
};

/// Minimises the loss plus ridge / 2 ||coefficients||^2 by Newton's method; the constant is not
/// penalised. The steps are computed by conjugate gradients, preconditioned by the Hessian of a
/// sample of the rows (of all rows if there are few; then one iteration is sufficient) or, with
/// many coefficients, by the diagonal of the Hessian.
[[nodiscard]] Minimum minimise(SoftmaxLoss& loss, const LogisticOptions& options,
                               const Control& control);

}  // namespace genera::fit_detail
