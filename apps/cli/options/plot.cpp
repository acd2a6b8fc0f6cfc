#include "options/plot.hpp"

#include "lists.hpp"
#include "options/reading.hpp"
#include "values.hpp"

#include <genera/error.hpp>

namespace genera::cli {
namespace {

/// A:B
figure::Range parse_range(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw Error(Errc::bad_argument, option + " is '" + text + "', expected A:B",
                "write two numbers with a colon between them, as in " + option + "=5:6");
  const figure::Range range{parse_number(option, text.substr(0, colon)),
                            parse_number(option, text.substr(colon + 1))};
  if (range.low < range.high) return range;
  throw Error(Errc::bad_argument, option + " is '" + text + "', which is empty",
              "write the smaller number first");
}

std::vector<std::string> axes_of(const Words& words) {
  std::vector<std::string> axes = split_lists("--features", words.values("--features"));
  for (const char* option : {"--x", "--y", "--z"}) {
    const auto name = words.value(option);
    if (!name) continue;
    if (!words.values("--features").empty())
      throw Error(Errc::bad_argument, std::string("--features and ") + option + " are both given",
                  "use one of them");
    axes.push_back(*name);
  }
  if (words.has("--y") && !words.has("--x"))
    throw Error(Errc::bad_argument, "--y is given without --x", "name the feature on the x-axis");
  if (words.has("--z") && !(words.has("--x") && words.has("--y")))
    throw Error(Errc::bad_argument, "--z is given without --x and --y",
                "name the features on all three axes");
  return axes;
}

figure::Options figure_options(const Words& words) {
  figure::Options options{.axes = axes_of(words)};
  for (const char* option : {"--x-range", "--y-range"}) {
    options.ranges.emplace_back();
    if (const auto text = words.value(option)) options.ranges.back() = parse_range(option, *text);
  }
  if (const auto others = words.value("--others"))
    options.others = choose<figure::Others>(
        "--others", *others,
        {{"marginal", figure::Others::marginal}, {"mean", figure::Others::mean}});
  if (const auto masses = words.value("--mass")) {
    for (const std::string& mass : split_list("--mass", *masses))
      options.masses.push_back(parse_inner_probability("--mass", mass));
  }
  if (const auto rows = words.value("--rows")) options.draws = parse_whole_number("-n", *rows, 1);
  return options;
}

OptionGroup figure_texts() {
  OptionGroup group = common_texts("");
  for (OptionText& option : group.options) {
    if (option.names == "-o,--output")
      option.text = "write the figure to FILE (.svg, .png or .pdf), atomically";
    if (option.names == "--json")
      option.text = "write the data of the figure as JSON instead of drawing it";
  }
  return group;
}

}  // namespace

std::vector<OptionGroup> plot_texts() {
  OptionGroup columns = columns_texts(missing_text());
  std::erase_if(columns.options, [](const OptionText& option) {
    return option.names == "--missing" || option.names == "--features" ||
           option.names == "--weights" || option.names == "--counts";
  });
  return {
      {"Figure",
       {{"--x", "COL",
         "the feature on the x-axis (default: the features that separate the classes best)"},
        {"--y", "COL", "the feature on the y-axis"},
        {"--z", "COL", "the third feature of density, which then draws ellipsoids"},
        {"--features", "A,B", "the features of pairs (repeatable)"},
        {"--others", "WHAT",
         "features that are not shown: marginal integrates them out, mean sets them to their "
         "expectations given those shown; softmax models set them to their means in the training "
         "rows (default: marginal)"},
        {"--x-range", "A:B", "the range of the x-axis, as in --x-range=-1:1"},
        {"--y-range", "A:B", "the range of the y-axis"},
        {"--equal", "", "draw all axes to the same scale"},
        {"--mass", "LIST",
         "probability inside ellipses and contours (default: 0.5,0.9,0.99; 0.5 for more than six "
         "Gaussians)"},
        {"--between", "A:B", "an area of density with one feature, and its probability"},
        {"-n,--rows", "N",
         "rows that samples draws (default: as many as the data have; without data 300)"},
        {"--surface", "", "draw density in three dimensions"},
        {"--by-class", "", "draw density as one surface for each class"},
        {"--positive", "CLASS", "the positive class of roc with two classes (default: the second)"},
        {"--metric", "NAME", "the measure of curves and path: error or log_loss"},
        {"--title", "TEXT", "title above the figure (default: none)"},
        {"--width", "PIXELS",
         "width of a png (default: 1440) or an svg (default: 720), whose letters keep their "
         "size"},
        {"--terminal", "", "print the figure as text (not for pairs and three dimensions)"},
        {"--script", "DIR", "write the script of gnuplot and its data to this folder"}}},
      columns,
      reading_texts(),
      figure_texts()};
}

PlotOptions plot_options(const Words& words) {
  PlotOptions options{.kind = words.arguments[0],
                      .inputs = {words.arguments.begin() + 1, words.arguments.end()},
                      .figure = figure_options(words),
                      .look = {.title = words.value("--title").value_or(""),
                               .surface = words.has("--surface"),
                               .by_class = words.has("--by-class"),
                               .equal = words.has("--equal")},
                      .between = {},
                      .positive = words.value("--positive"),
                      .folder = words.value("--script"),
                      .terminal = words.has("--terminal"),
                      .metric = {},
                      .source = source_of(words.arguments.back(), words),
                      .common = common_of(words)};
  options.source.roles.features.clear();  // --features selects those of the figure
  if (const auto between = words.value("--between"))
    options.between = parse_range("--between", *between);
  if (const auto width = words.value("--width"))
    options.width = static_cast<double>(parse_whole_number("--width", *width, 100));
  if (const auto metric = words.value("--metric"))
    options.metric = choose<Metric>("--metric", *metric,
                                    {{"error", Metric::error}, {"log_loss", Metric::log_loss}});
  if (options.terminal && options.common.json)
    throw Error(Errc::bad_argument, "--json and --terminal are both given", "use one of them");
  if (!options.common.output && !options.terminal && !options.folder && !options.common.json)
    throw Error(Errc::bad_argument, "'plot' needs -o",
                "name the image, as in -o figure.svg, or "
                "use --terminal");
  if (options.common.output && options.terminal)
    throw Error(Errc::bad_argument, "-o and --terminal are both given", "use one of them");
  return options;
}

}  // namespace genera::cli
