#include "plot/raster.hpp"

#include <algorithm>
#include <cmath>

namespace genera::cli {

Colour mixed(const Colour& a, const Colour& b, double part_of_b) {
  const auto mix = [&](double one, double other) { return one + (other - one) * part_of_b; };
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

Raster::Raster(Index width, Index height, const figure::Range& x, const figure::Range& y)
    : width_(width),
      height_(height),
      x_(x),
      y_(y),
      pixels_(static_cast<std::size_t>(width * height), Colour{1, 1, 1}) {}

void Raster::dots(const Vector& x, const Vector& y, const std::vector<Colour>& colours,
                  double radius, double opacity) {
  struct Ink {
    float red = 0, green = 0, blue = 0, amount = 0;
  };
  std::vector<Ink> ink(pixels_.size());
  const auto reach = static_cast<Index>(std::ceil(radius));
  for (std::size_t p = 0; p < x.size(); ++p) {
    const double column = (x[p] - x_.low) / (x_.high - x_.low) * static_cast<double>(width_) - 0.5;
    const double row = (y[p] - y_.low) / (y_.high - y_.low) * static_cast<double>(height_) - 0.5;
    if (!(std::abs(column) < 1e9 && std::abs(row) < 1e9)) continue;
    const auto i0 = static_cast<Index>(std::lround(column));
    const auto j0 = static_cast<Index>(std::lround(row));
    for (Index j = std::max<Index>(0, j0 - reach); j <= std::min(height_ - 1, j0 + reach); ++j) {
      for (Index i = std::max<Index>(0, i0 - reach); i <= std::min(width_ - 1, i0 + reach); ++i) {
        const double far =
            std::hypot(static_cast<double>(i) - column, static_cast<double>(j) - row);
        const double covered = std::clamp(radius + 0.5 - far, 0.0, 1.0);
        if (covered == 0) continue;
        Ink& here = ink[static_cast<std::size_t>(j * width_ + i)];
        here.red += static_cast<float>(covered * colours[p].red);
        here.green += static_cast<float>(covered * colours[p].green);
        here.blue += static_cast<float>(covered * colours[p].blue);
        here.amount += static_cast<float>(covered);
      }
    }
  }
  for (std::size_t i = 0; i < ink.size(); ++i) {
    const double amount = ink[i].amount;
    if (amount <= 0) continue;
    const Colour mean{ink[i].red / amount, ink[i].green / amount, ink[i].blue / amount};
    pixels_[i] = mixed(pixels_[i], mean, 1 - std::pow(1 - opacity, amount));
  }
}

std::string Raster::bytes() const {
  std::string all;
  all.reserve(pixels_.size() * 3);
  const auto byte = [](double part) {
    return static_cast<char>(
        static_cast<unsigned char>(std::lround(255 * std::clamp(part, 0.0, 1.0))));
  };
  for (const Colour& pixel : pixels_) {
    all += byte(pixel.red);
    all += byte(pixel.green);
    all += byte(pixel.blue);
  }
  return all;
}

}  // namespace genera::cli
