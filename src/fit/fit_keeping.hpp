#pragma once

#include <optional>

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// `fit`; if the caller wants them, also returns the statistics from which the model can be
/// estimated again.
[[nodiscard]] Fitted<Model> fit_keeping(RowSource& source, const Recipe& recipe,
                                        const FitOptions& options, const Control& control,
                                        std::optional<Statistics>* kept);

}  // namespace genera::fit_detail
