#pragma once

#include "plot/drawing.hpp"

#include <genera/figure.hpp>

#include <array>
#include <string>
#include <vector>

/// The layers of figures in a plane.
namespace genera::cli {

inline constexpr Colour white{1, 1, 1};
inline constexpr std::size_t name_length = 22;  ///< of the names of a legend
inline constexpr const char* line_of_boundaries = "with lines lc '#222222' lw 1.6";

/// About a third of the range: 1, 2 or 5 times a power of ten.
[[nodiscard]] double round_step(const figure::Range& range);

/// Interpolates a field between the points of a grid. `column` and `row` count the points, with
/// fractions.
class Interpolation {
 public:
  Interpolation(const figure::Grid& grid, double column, double row);

  template <class Field>
  [[nodiscard]] double operator()(Field field) const {
    const Index cell = j_ * columns_ + i_;
    return (1 - v_) * ((1 - u_) * field(cell) + u_ * field(cell + 1)) +
           v_ * ((1 - u_) * field(cell + columns_) + u_ * field(cell + columns_ + 1));
  }
  [[nodiscard]] std::array<Index, 4> corners() const {
    const Index cell = j_ * columns_ + i_;
    return {cell, cell + 1, cell + columns_, cell + columns_ + 1};
  }

 private:
  Index columns_, i_, j_;
  double u_, v_;
};

/// The line style of the first, the second and further masses.
[[nodiscard]] const char* line_of_mass(std::size_t place);
[[nodiscard]] Vector masses_of(const std::vector<figure::Ellipse>& ellipses);

[[nodiscard]] inline bool too_many(const figure::Points& points) {
  return points.count() > max_single_points;
}

[[nodiscard]] Raster raster_over(const figure::Frame& frame, Index width = 900, Index height = 700);
/// The colour of the most probable class, paler if its posterior is lower.
void shade(Raster& raster, const figure::Regions& figure);
/// Darker where the density is higher.
void shade(Raster& raster, const figure::Density& figure);
/// Draws points as dots of an image, coloured by class; misclassified ones have a black centre. `x`
/// and `y` are the indices of the coordinates.
void dot(Raster& raster, const figure::Points& points, const std::vector<std::int32_t>& classes,
         std::size_t x = 0, std::size_t y = 1);

/// Two coordinates of the points of class k (-1: of those without a known class).
[[nodiscard]] std::array<Vector, 2> points_of_class(const figure::Points& points,
                                                    const std::vector<std::int32_t>& classes,
                                                    Index k, std::size_t x = 0, std::size_t y = 1);

/// The entry of class k in a legend.
[[nodiscard]] std::string class_key(const figure::Frame& frame, Index k);

/// A figure in a plane, drawn layer by layer.
class Plane {
 public:
  Plane(Script& script, const figure::Frame& frame) : script_(script), frame_(frame) {}

  void add(std::string item) { items_.push_back(std::move(item)); }
  /// Points coloured by class, with white rims; their size is multiplied by `scale`.
  void add_points(const figure::Points& points, const std::vector<std::int32_t>& classes,
                  double scale = 1, std::size_t x = 0, std::size_t y = 1);
  /// Legend entries of all classes, including those without points.
  void add_class_keys();
  void add_key(const std::string& style, const std::string& title);
  void add_wrong(const figure::Points& points);
  /// `on_dark` makes them darker, to be visible on many points.
  void add_ellipses(const std::vector<figure::Ellipse>& ellipses, bool keys = true,
                    bool on_dark = false);

  /// Draws the layers with a legend beside the plane.
  void finish();
  void finish_without_legend();
  /// Draws the layers with the legend that the script has placed.
  void finish_with_placed_legend() { script_.plot(items_); }

 private:
  Script& script_;
  const figure::Frame& frame_;
  std::vector<std::string> items_;
  std::size_t entries_ = 0;
};

}  // namespace genera::cli
