#pragma once

#include <genera/figure.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace genera::cli {

struct Colour {
  double red = 0, green = 0, blue = 0;  ///< from 0 to 1
};
[[nodiscard]] Colour mixed(const Colour& a, const Colour& b, double part_of_b);

/// An image of a part of the plane, the lowest row first.
class Raster {
 public:
  Raster(Index width, Index height, const figure::Range& x, const figure::Range& y);

  [[nodiscard]] Index width() const { return width_; }
  [[nodiscard]] Index height() const { return height_; }
  [[nodiscard]] const figure::Range& x() const { return x_; }
  [[nodiscard]] const figure::Range& y() const { return y_; }

  /// Sets each pixel to `at(column, row)`, a position in the grid that counts its cells, with
  /// fractions.
  template <class At>
  void fill(const figure::Grid& grid, At at) {
    const auto columns = static_cast<double>(grid.x.size() - 1);
    const auto rows = static_cast<double>(grid.y.size() - 1);
    for (Index j = 0; j < height_; ++j) {
      for (Index i = 0; i < width_; ++i)
        pixel(i, j) = at((static_cast<double>(i) + 0.5) / static_cast<double>(width_) * columns,
                         (static_cast<double>(j) + 0.5) / static_cast<double>(height_) * rows);
    }
  }

  /// Sets each pixel to `at(column, row)`.
  template <class At>
  void each(At at) {
    for (Index j = 0; j < height_; ++j)
      for (Index i = 0; i < width_; ++i) pixel(i, j) = at(i, j);
  }

  /// Draws dots with a radius in pixels. Overlapping dots blend, independent of their order.
  void dots(const Vector& x, const Vector& y, const std::vector<Colour>& colours, double radius,
            double opacity);

  [[nodiscard]] std::string bytes() const;  ///< red, green, blue

 private:
  Colour& pixel(Index i, Index j) { return pixels_[static_cast<std::size_t>(j * width_ + i)]; }

  Index width_, height_;
  figure::Range x_, y_;
  std::vector<Colour> pixels_;
};

}  // namespace genera::cli
