#pragma once

#include "options/common.hpp"
#include "options/source.hpp"

#include <genera/stats.hpp>

#include <functional>
#include <string>

/// What stats, merge and forget have in common.
namespace genera::cli {

/// What is done with rows that lack values. Throws Error (bad_argument) for EM, which needs the
/// rows themselves.
[[nodiscard]] Missing missing_of_statistics(const Source& source);

/// Runs `combine`, and puts the name of the file it was about before its error.
void about_file(const std::string& file, const std::function<void()>& combine);

/// Saves the statistics, or prints their summary if there is no -o.
void deliver(const Statistics& statistics, const Common& common);

}  // namespace genera::cli
