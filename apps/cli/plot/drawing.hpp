#pragma once

#include "plot/raster.hpp"

#include <genera/figure.hpp>

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

/// Figures as scripts of gnuplot.
namespace genera::cli {

/// Commands of gnuplot and their data: `points`, blocks of numbers as text, and `pixels`, the red,
/// green and blue bytes of the images.
struct Drawing {
  double width = 720, height = 540;  ///< in pixels
  std::string commands{};
  std::string points{};
  std::string pixels{};
  int blocks = 0;  ///< of `points`
};

/// Options of all kinds of figures.
struct Look {
  std::string title{};
  bool surface = false;   ///< draws a density in three dimensions
  bool by_class = false;  ///< draws a surface for each class
  bool equal = false;     ///< the same scale on all axes
};

/// A part of the figure; both directions from 0 to 1.
struct Place {
  double left, right, bottom, top;
};

[[nodiscard]] Drawing drawing_of(const figure::Scatter& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Regions& figure, const Look& look);
[[nodiscard]] Drawing drawing_of(const figure::Density& figure, const Look& look);
/// The densities, without and with the posteriors.
[[nodiscard]] Drawing drawing_of(const figure::Line& figure, const Look& look);
[[nodiscard]] Drawing posterior_drawing(const figure::Line& figure, const Look& look);
/// The posteriors over decision regions, with misclassified rows; the rows by prediction; the
/// density beside rows drawn from it.
[[nodiscard]] Drawing line_regions_drawing(const figure::Line& figure, const Look& look);
[[nodiscard]] Drawing line_predictions_drawing(const figure::Line& figure, const Look& look);
[[nodiscard]] Drawing line_samples_drawing(const figure::Line& figure, const Look& look);
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

/// A literal of gnuplot in single quotes. Quotes in the text become typographic ones, because
/// gnuplot miscounts doubled ones; control characters are escaped; a long text is cut.
[[nodiscard]] std::string quoted(const std::string& text, std::size_t max = 200);
/// The same for labels of tics, where % would begin a format.
[[nodiscard]] std::string quoted_tic(const std::string& text, std::size_t max = 30);
/// At most `max` characters, then …; control characters are escaped.
[[nodiscard]] std::string cut(const std::string& text, std::size_t max);

/// The format of the numbers of an axis, with enough digits to distinguish them.
[[nodiscard]] std::string tic_format(const figure::Range& range);

/// The width in pixels of the widest number at the tics of an axis, in a font of this size.
[[nodiscard]] double tic_width(const figure::Range& range, double font = 12);
/// The distance of tics whose numbers have room side by side on an axis of this length in pixels.
[[nodiscard]] double tic_step(const figure::Range& range, double pixels, double font = 12);
/// The height in pixels of a caption below a figure of this width; 0 without sentences.
[[nodiscard]] double caption_height(const std::vector<std::string>& sentences, double width);
/// The width in pixels of a legend beside a figure.
[[nodiscard]] double legend_width(const figure::Frame& frame);

/// Writes a drawing piece by piece.
class Script {
 public:
  Script(double width, double height, const Look& look);

  /// Begins a figure of several panels. The first panel draws the title: unset label after it.
  void multiplot(const Look& look);
  /// A line of commands.
  void line(const std::string& command);
  /// Adds columns of numbers as a block; returns "data_file index N".
  std::string block(std::initializer_list<std::span<const double>> columns);
  /// Adds a block of these lines.
  std::string block(const std::string& lines);
  /// Adds curves as one block, separated by blank lines.
  std::string curves(const std::vector<figure::Curve>& curves);
  /// Adds an image; returns the item of a plot command.
  std::string image(const Raster& raster);

  /// A caption below the figure. Returns the bottom margin above it and the x-axis, as a fraction
  /// of the height; 0 without sentences.
  double caption(const std::vector<std::string>& sentences);
  /// The margins of the next panel.
  void place(const Place& place);
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

/// The height of a title above several panels, in pixels.
[[nodiscard]] inline double title_height(const Look& look) { return look.title.empty() ? 0 : 24; }

/// More points than this are drawn as one image.
inline constexpr Index max_single_points = 5000;

/// The item of a legend; a long title is cut.
[[nodiscard]] std::string key_entry(const std::string& style, const std::string& title,
                                    std::size_t max = 22);
/// Column k of a matrix.
[[nodiscard]] Vector column_of(const Matrix& values, Index k);
[[nodiscard]] double highest(const Matrix& values);

/// The colour of class k.
[[nodiscard]] Colour colour_of(Index k);
[[nodiscard]] std::string hex(const Colour& colour);
/// The number of a point shape, and a dash type.
[[nodiscard]] int shape_of(Index k);
[[nodiscard]] std::string dash_of(Index k);

}  // namespace genera::cli
