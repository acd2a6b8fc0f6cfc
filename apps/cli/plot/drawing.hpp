#pragma once

#include "plot/raster.hpp"

#include <genera/figure.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Figures as what gnuplot is told.
namespace genera::cli {

/// Commands for gnuplot and the data that they speak of: `points`, a text of blocks of numbers, and
/// `pixels`, red, green and blue of images one after the other.
struct Drawing {
  double width = 720, height = 540;  ///< in pixels of a screen
  std::string commands{};
  std::string points{};
  std::string pixels{};
  int blocks = 0;  ///< of `points`
};

/// How a figure looks, whatever its kind.
struct Look {
  std::string title{};
  bool surface = false;   ///< a density in three dimensions
  bool by_class = false;  ///< one for each class
};

[[nodiscard]] Drawing drawing_of(const figure::Scatter& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Regions& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Density& figure, const Look& look);
/// The densities alone, and with the posteriors below.
[[nodiscard]] Drawing drawing_of(const figure::Line& figure, const Look& look);
[[nodiscard]] Drawing posterior_drawing(const figure::Line& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Solid& figure, const Look& look);
[[nodiscard]] Drawing surface_drawing(const figure::Density& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Samples& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Pairs& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Canonical& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Confusion& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Reliability& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Roc& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Trends& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::HeatMap& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Features& figure, const Look& look);
/// The points by their prediction instead of their class, over the ellipses.
[[nodiscard]] Drawing predictions_drawing(const figure::Regions& figure, const Look& look);

/// A text as gnuplot takes it literally, whatever is in it: between single quotes, of which it has
/// typographic ones inside (gnuplot loses count of doubled ones); control characters are written
/// out; of a long text the beginning.
[[nodiscard]] std::string quoted(const std::string& text, std::size_t max = 200);
/// The same where gnuplot would take % for a format.
[[nodiscard]] std::string quoted_tic(const std::string& text, std::size_t max = 30);
/// So many characters, with … in place of the rest; control characters are written out.
[[nodiscard]] std::string cut(const std::string& text, std::size_t max);

/// As numbers on an axis are written, with digits enough to tell them apart.
[[nodiscard]] std::string tic_format(const figure::Range& range);

/// Writes a drawing piece by piece.
class Script {
 public:
  Script(double width, double height, const Look& look);

  /// Several panels below one title, which belongs to the first: unset label after it.
  void multiplot(const Look& look);
  /// A line of commands.
  void line(const std::string& command);
  /// Columns of numbers as a block; returns "data_file index N".
  std::string block(std::span<const std::span<const double>> columns);
  std::string block(const Vector& x, const Vector& y);
  /// The same of lines that are written already.
  std::string block(const std::string& lines);
  /// Lines one after the other, with a gap between them.
  std::string curves(const std::vector<figure::Curve>& curves);
  /// An image over a part of the plane, as something to plot.
  std::string image(const Raster& raster);

  /// Small sentences below the figure.
  void caption(const std::vector<std::string>& sentences);
  /// The axes of a plane, with their names.
  void plane(const figure::Axis& x, const figure::Axis& y);
  /// A legend beside the plane.
  void legend(const std::string& title, std::size_t entries);
  /// plot item, item, …
  void plot(const std::vector<std::string>& items, const char* verb = "plot");

  [[nodiscard]] Drawing take() && { return std::move(drawing_); }

 private:
  Drawing drawing_;
};

/// What a title above several panels takes, in pixels.
[[nodiscard]] inline double title_height(const Look& look) { return look.title.empty() ? 0 : 24; }

/// More points than this become one image.
inline constexpr Index max_single_points = 5000;

/// How class k looks everywhere.
[[nodiscard]] Colour colour_of(Index k);
[[nodiscard]] std::string hex(const Colour& colour);
/// The number of a point shape, and a dash type.
[[nodiscard]] int shape_of(Index k);
[[nodiscard]] std::string dash_of(Index k);

}  // namespace genera::cli
