#include "plot/plane.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace genera::cli {
namespace {

Drawing plane_of(const figure::Frame& frame, const Look& look, auto fill) {
  Script script(720, 520, look);
  script.plane(frame.axes[0], frame.axes[1]);
  script.caption(frame.caption);
  if (look.equal) script.line("set size ratio -1");
  Plane plane(script, frame);
  fill(script, plane);
  plane.finish();
  return std::move(script).take();
}

/// One by one, or as one image.
void add_all_points(Script& script, Plane& plane, const figure::Frame& frame,
                    const figure::Points& points, const std::vector<std::int32_t>& classes) {
  if (!too_many(points)) return plane.add_points(points, classes);
  Raster raster = raster_over(frame);
  dot(raster, points, classes);
  plane.add(script.image(raster));
}

void add_regions(Script& script, Plane& plane, const figure::Regions& figure) {
  Raster raster = raster_over(figure.frame);
  shade(raster, figure);
  if (too_many(figure.points)) dot(raster, figure.points, figure.points.classes);
  plane.add(script.image(raster));
  plane.add(fmt::format("{} {} notitle", script.curves(figure.boundaries), line_of_boundaries));
  if (!too_many(figure.points)) plane.add_points(figure.points, figure.points.classes);
  plane.add_class_keys();
  plane.add_wrong(figure.points);
}

}  // namespace

Drawing drawing_of(const figure::Scatter& figure, const Look& look) {
  return plane_of(figure.frame, look, [&](Script& script, Plane& plane) {
    add_all_points(script, plane, figure.frame, figure.points, figure.points.classes);
    plane.add_class_keys();
  });
}

Drawing drawing_of(const figure::Regions& figure, const Look& look) {
  return plane_of(figure.frame, look, [&](Script& script, Plane& plane) {
    add_regions(script, plane, figure);
    plane.add_ellipses(figure.ellipses, true, too_many(figure.points));
  });
}

Drawing predictions_drawing(const figure::Regions& figure, const Look& look) {
  return plane_of(figure.frame, look, [&](Script& script, Plane& plane) {
    add_all_points(script, plane, figure.frame, figure.points, figure.points.predictions);
    plane.add_class_keys();
    plane.add_wrong(figure.points);
    plane.add_ellipses(figure.ellipses, true, too_many(figure.points));
  });
}

Drawing drawing_of(const figure::Canonical& figure, const Look& look) {
  if (figure.line) return posterior_drawing(*figure.line, look);
  return plane_of(figure.regions.frame, look, [&](Script& script, Plane& plane) {
    add_regions(script, plane, figure.regions);
    const std::string block =
        script.block({column_of(figure.means, 0), column_of(figure.means, 1)});
    plane.add(block + " with points pt 2 ps 1.8 lw 5 lc '#ffffff' notitle");
    plane.add(block + " with points pt 2 ps 1.8 lw 2.4 lc '#000000' notitle");
    plane.add_key("with points pt 2 ps 1.4 lw 2.4 lc '#000000'", "mean of a class");
  });
}

Drawing drawing_of(const figure::Density& figure, const Look& look) {
  if (look.surface || look.by_class) return surface_drawing(figure, look);
  return plane_of(figure.frame, look, [&](Script& script, Plane& plane) {
    Raster raster = raster_over(figure.frame);
    shade(raster, figure);
    plane.add(script.image(raster));
    Vector masses;
    for (const figure::Contour& contour : figure.contours) {
      const bool all = contour.of_class < 0;
      if (all) masses.push_back(contour.mass);
      const auto place = std::ranges::find(masses, contour.mass) - masses.begin();
      plane.add(fmt::format("{} with lines lc {} {} notitle", script.curves(contour.lines),
                            all ? "'#000000'" : hex(colour_of(contour.of_class)),
                            line_of_mass(static_cast<std::size_t>(place))));
    }
    const bool several = figure.frame.classes.size() > 1;
    for (std::size_t k = 0; several && k < figure.frame.classes.size(); ++k)
      plane.add(key_entry("with lines lw 2 lc " + hex(colour_of(static_cast<Index>(k))),
                          figure.frame.classes[k]));
    if (several) plane.add_key("with lines lw 2 lc '#000000'", "all together");
    for (std::size_t m = 0; m < masses.size(); ++m)
      plane.add_key(fmt::format("with lines lc '#777777' {}", line_of_mass(m)),
                    fmt::format("{:.3g} % inside", 100 * masses[m]));
  });
}

}  // namespace genera::cli
