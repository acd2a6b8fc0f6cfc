#pragma once

#include "plot/drawing.hpp"

#include <span>
#include <string>
#include <vector>

namespace genera::cli {

enum class ImageFormat { svg, png, pdf };
/// By the extension. Throws Error (bad_argument) if it is none of the three.
[[nodiscard]] ImageFormat image_format(const std::string& path);

/// A drawing and what is to become of it.
struct DrawingJob {
  Drawing drawing{};
  ImageFormat format = ImageFormat::svg;
  /// In pixels, of a png (0: twice that of the drawing) or an svg, whose letters stay as they are.
  double width = 0;
};

/// The bytes of the images, in one run of gnuplot: started directly, not by a shell, without the
/// user's settings, with all data in files that have no name. Throws Error (bad_data) if there is
/// no gnuplot, or it fails, with its words.
[[nodiscard]] std::vector<std::string> images_of(std::span<const DrawingJob> jobs);

/// figure.gp, which draws `image` when gnuplot runs it in its folder, and its data: (name, bytes).
struct KeptFile {
  std::string name, bytes;
};
[[nodiscard]] std::vector<KeptFile> kept_script(const DrawingJob& job, const std::string& image);

}  // namespace genera::cli
