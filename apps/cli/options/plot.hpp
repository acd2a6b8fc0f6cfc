#pragma once

#include "command_line.hpp"
#include "options/common.hpp"
#include "options/source.hpp"
#include "plot/drawing.hpp"

#include <genera/figure.hpp>

#include <optional>
#include <string>
#include <vector>

/// What the options of a figure say.
namespace genera::cli {

struct PlotOptions {
  std::string kind;
  std::vector<std::string> inputs;  ///< models and data
  figure::Options figure;
  Look look;
  std::optional<figure::Range> between;
  std::optional<std::string> positive;
  std::optional<std::string> folder;  ///< where the script is kept
  double width = 0;                   ///< of a png
  bool terminal = false;
  std::optional<Metric> metric;
  Source source;
  Common common;
};

[[nodiscard]] std::vector<OptionGroup> plot_texts();
/// Throws Error (bad_argument) if an option makes no sense.
[[nodiscard]] PlotOptions plot_options(const Words& words);

}  // namespace genera::cli
