#pragma once

#include <genera/model.hpp>

namespace genera::fit_detail {

/// The largest change of a parameter: of means and covariances in standard deviations of their
/// columns, of probabilities as they are. Infinite if the models have different blocks or columns.
[[nodiscard]] double change_between(const Model& before, const Model& after);

}  // namespace genera::fit_detail
