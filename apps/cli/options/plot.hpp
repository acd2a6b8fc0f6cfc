#pragma once

#include "command_line.hpp"
#include "options/common.hpp"
#include "options/source.hpp"
#include "plot/drawing.hpp"

#include <genera/figure.hpp>

#include <optional>
#include <string>
#include <vector>

/// The options of a figure.
namespace genera::cli {

struct PlotOptions {
  std::string kind;
  std::vector<std::string> inputs;  ///< models and data
  figure::Options figure;
  Look look;
  std::optional<figure::Range> between;
  std::optional<std::string> positive;
  std::optional<std::string> folder;  ///< for the script and its data
  double width = 0;                   ///< in pixels; 0: the default
  bool terminal = false;
  std::optional<Metric> metric;
  Source source;
  Common common;
};

[[nodiscard]] std::vector<OptionGroup> plot_texts();
/// Throws Error (bad_argument) for invalid options.
[[nodiscard]] PlotOptions plot_options(const Words& words);

}  // namespace genera::cli
