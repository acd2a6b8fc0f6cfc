#pragma once

#include "fit/em/expected.hpp"
#include "fit/em/start.hpp"
#include "sums/collect.hpp"

namespace genera {

struct EmPlan::State {
  fit_detail::EmStart start;
  std::string key;
  sums::Pass pass;  ///< counts of rows and cells left out
  Divisor divisor;
};

}  // namespace genera
