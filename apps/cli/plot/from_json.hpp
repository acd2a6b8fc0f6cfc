#pragma once

#include <genera/figure.hpp>

#include <string>

/// Figures of the JSON output of other verbs. They throw Error (bad_data) if the file lacks the
/// data.
namespace genera::cli {

[[nodiscard]] figure::Trends curves_from(const std::string& path, Metric metric);
/// The grid of alpha and gamma.
[[nodiscard]] figure::HeatMap path_from(const std::string& path, Metric metric);
/// Rows needed against the number of columns.
[[nodiscard]] figure::Trends needed_from(const std::string& path);
[[nodiscard]] figure::Trends bic_from(const std::string& path);

}  // namespace genera::cli
