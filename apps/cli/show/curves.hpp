#pragma once

#include <genera/curves.hpp>

#include <string>

/// Learning curves and their crossings, as tables.
namespace genera::cli {

[[nodiscard]] std::string curves_text(const Comparison::Part& part);
/// The rows needed for each number of columns; the rows were drawn from a model.
[[nodiscard]] std::string dimensions_text(const Comparison& found);

}  // namespace genera::cli
