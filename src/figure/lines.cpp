// Figures over one feature.
#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/figure.hpp>
#include <genera/probability.hpp>

#include "figure/axes.hpp"
#include "figure/histogram.hpp"
#include "figure/scene.hpp"
#include "score/committee/bound_classifier.hpp"

namespace genera::figure {
namespace {

double probability_between(ClassifierRef model, const std::string& axis, const Range& between) {
  const Model* joint = model.model();
  if (model.committee()) score::refuse_committee("area below its density");
  if (!joint)
    throw Error(Errc::bad_model, "a linear model has no density, and no area below it",
                "use a model that has one");
  return probability(*joint, {.between = {{axis, between.low, between.high}}}).all.value;
}

/// Adds a caption if posteriors are not computed from the densities shown.
void say_what_densities_are(Frame& frame, ClassifierRef model, const Options& options) {
  if (!model.model()) return;
  const bool others = options.others == Others::mean && model.features().size() > 1;
  const double temperature = model.model()->temperature();
  if (others) say(frame, "densities and areas are those of this feature alone");
  if (temperature != 1)
    say(frame, fmt::format("posteriors and boundaries have the temperature {:.4g}, densities none",
                           temperature));
}

}  // namespace

Line line(ClassifierRef model, const Rows* data, const Options& options,
          const std::optional<Range>& between, const Control& control) {
  if (between && !(between->low < between->high))
    throw Error(Errc::bad_argument, "the area to integrate over is empty",
                "let it begin below its end");
  Scene scene = scene_of(model, data, options, 1, 0.998, control);
  std::optional<Line::Area> area;
  if (between)
    area = Line::Area{*between, probability_between(model, scene.axes.front(), *between)};
  Line figure =
      line_of(std::move(scene), model.prior().probabilities(), options, model.has_density());
  figure.area = area;
  say_what_densities_are(figure.frame, model, options);
  return figure;
}

Line line_of_rows(const Rows& rows, const Options& options) {
  const std::vector<std::string> axes = axes_of(rows, 1, options);
  Line figure;
  figure.frame.classes = classes_of(rows);
  figure.frame.target = rows.data().target;
  figure.points = points_of(rows, axes, figure.frame.classes);
  if (figure.points.count() == 0)
    throw Error(Errc::bad_data, fmt::format("no row has '{}'", axes[0]), "choose another feature");
  figure.histogram =
      histogram_of(figure.points, figure.points.classes, std::ssize(figure.frame.classes));
  figure.frame.axes = ranges_for(axes, options, figure.points, {});
  cover(figure.frame, options, figure.histogram);
  say_left_out(figure.frame, figure.points);
  return figure;
}

Line line_of_samples(const Model& model, const Rows* data, const Rng& rng, const Options& options,
                     const Control& control) {
  Scene scene = scene_of(model, data, options, 1, 0.998, control);
  const Points drawn = drawn_points(model, scene.points, scene.axes, rng, options, control);
  const Histogram histogram = histogram_of(drawn, drawn.classes, std::ssize(model.classes()));
  cover(scene.frame, options, histogram);
  Line figure = line_of(std::move(scene), model.prior().probabilities(), options, true);
  figure.drawn = histogram;
  figure.draws = drawn.count();
  say_what_densities_are(figure.frame, model, options);
  return figure;
}

}  // namespace genera::figure
