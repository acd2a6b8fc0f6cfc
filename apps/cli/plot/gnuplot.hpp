#pragma once

#include "plot/drawing.hpp"

#include <span>
#include <string>
#include <vector>

namespace genera::cli {

enum class ImageFormat { svg, png, pdf };
/// The format of the extension. Throws Error (bad_argument) if it is not one of the three.
[[nodiscard]] ImageFormat image_format(const std::string& path);

/// A drawing and its output format.
struct DrawingJob {
  Drawing drawing{};
  ImageFormat format = ImageFormat::svg;
  /// Of a png or an svg in pixels; 0: twice the width of the drawing (png), or its width (svg). The
  /// letters of an svg keep their size.
  double width = 0;
};

/// The bytes of the images. One process of gnuplot draws them all, started without a shell and
/// without the user's settings; its data are in unnamed files. Throws Error (bad_data) if gnuplot
/// is missing or fails, with its message.
[[nodiscard]] std::vector<std::string> images_of(std::span<const DrawingJob> jobs);

/// figure.gp and its data; gnuplot draws `image` if it runs figure.gp in their folder.
struct KeptFile {
  std::string name, bytes;
};
[[nodiscard]] std::vector<KeptFile> kept_script(const DrawingJob& job, const std::string& image);

}  // namespace genera::cli
