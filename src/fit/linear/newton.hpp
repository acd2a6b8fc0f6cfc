#pragma once

#include <genera/control.hpp>
#include <genera/recipe.hpp>

#include "fit/linear/softmax.hpp"

namespace genera::fit_detail {

struct Minimum {
  Vector at{};  ///< features x K; those of a feature sum to 0
  double value = 0;
  double gradient = 0;  ///< as a part of that at zero coefficients
  int iterations = 0;
  bool converged = false;
  bool unbounded = false;  ///< without a penalty: the scores still grew in the last step
};

/// Newton's method. Its equations are solved by conjugate gradients, preconditioned by the second
/// derivatives of some rows (of all, if these are few: then one step solves them) or, of many
/// coefficients, by their diagonal.
[[nodiscard]] Minimum minimise(SoftmaxLoss& loss, const LogisticOptions& options,
                               const Control& control);

}  // namespace genera::fit_detail
