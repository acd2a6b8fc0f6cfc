#pragma once

#include <genera/curves.hpp>

#include <string>

/// Learning curves and where they cross, as tables for people.
namespace genera::cli {

[[nodiscard]] std::string curves_text(const Comparison::Part& part);
/// Of rows that were drawn.
[[nodiscard]] std::string dimensions_text(const Comparison& found);

}  // namespace genera::cli
