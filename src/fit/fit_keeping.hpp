#pragma once

#include <optional>

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// fit, with the statistics behind the model where it can be estimated from them again, if they are
/// wanted.
[[nodiscard]] Fitted<Model> fit_keeping(RowSource& source, const Recipe& recipe,
                                        const FitOptions& options, const Control& control,
                                        std::optional<Statistics>* kept);

}  // namespace genera::fit_detail
