#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/curves.hpp>

#include "classifier.hpp"
#include "laboratory.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

CurveOptions curve_options_of(const nb::dict& how) {
  CurveOptions options{.sizes = nb::cast<std::vector<Index>>(how["sizes"]),
                       .repeats = nb::cast<Index>(how["repeats"]),
                       .seed = nb::cast<std::uint64_t>(how["seed"]),
                       .ridges = nb::cast<Vector>(how["ridges"])};
  options.missing_share = nb::cast<std::optional<double>>(how["missing_share"]);
  options.missing = nb::cast<bool>(how["drop_missing"]) ? Missing::drop : Missing::em;
  validate(options);
  return options;
}

nb::dict dict_of(const LearningCurve& curve, const CurvePoint& point) {
  const auto mean = [](const std::optional<Average>& of) {
    return of ? nb::cast(of->mean) : nb::none();
  };
  nb::dict to;
  to["model"] = curve.name;
  to["kind"] = curve.generative ? "generative" : "discriminative";
  to["size"] = point.size;
  to["repeats"] = point.errors.size();
  to["error_mean"] = point.error.mean;
  to["error_se"] = point.error.se;
  to["log_loss_mean"] = point.log_loss.mean;
  to["log_loss_se"] = point.log_loss.se;
  to["joint_log_likelihood"] = mean(point.joint);
  to["conditional_log_likelihood"] = -point.log_loss.mean;
  to["training_joint_log_likelihood"] = mean(point.training_joint);
  to["training_conditional_log_likelihood"] = point.training_conditional.mean;
  to["shrunk"] = point.shrunk;
  to["raised"] = point.raised;
  to["prior_only"] = point.prior_only;
  to["ridge"] = optional_of(point.ridge);
  return to;
}

nb::dict dict_of(const Crossing& crossing, const char* metric, const LearningCurve& first,
                 const LearningCurve& second) {
  const auto name = [&](Crossing::Winner winner) {
    return winner == Crossing::Winner::none
               ? nb::none()
               : nb::cast(winner == Crossing::Winner::first ? first.name : second.name);
  };
  nb::dict to;
  to["generative"] = first.name;
  to["discriminative"] = second.name;
  to["metric"] = metric;
  to["size"] = optional_of(crossing.at.size);
  to["low"] = optional_of(crossing.at.low);
  to["high"] = optional_of(crossing.at.high);
  to["share_below"] = crossing.at.below;
  to["share_above"] = crossing.at.above;
  to["better_before"] = name(crossing.before);
  to["better_after"] = name(crossing.after);
  return to;
}

void add_differences(nb::list& to, const LearningCurves& curves, const LearningCurve& first,
                     const LearningCurve& second) {
  const std::vector<Average> errors = differences(first, second, Metric::error);
  const std::vector<Average> losses = differences(first, second, Metric::log_loss);
  for (std::size_t s = 0; s < curves.sizes.size(); ++s) {
    nb::dict one;
    one["generative"] = first.name;
    one["discriminative"] = second.name;
    one["size"] = curves.sizes[s];
    one["error_mean"] = errors[s].mean;
    one["error_se"] = errors[s].se;
    one["log_loss_mean"] = losses[s].mean;
    one["log_loss_se"] = losses[s].se;
    to.append(one);
  }
}

Compared compared(LearningCurves curves, const Pairs& pairs, std::uint64_t seed) {
  Compared found{.curves = std::move(curves)};
  const BootstrapOptions bootstrap{.seed = seed};
  for (const auto& [first, second] : pairs) {
    const LearningCurve& one = found.curves.curves.at(first);
    const LearningCurve& other = found.curves.curves.at(second);
    found.errors.push_back(crossing(one, other, Metric::error, bootstrap));
    found.log_losses.push_back(crossing(one, other, Metric::log_loss, bootstrap));
  }
  return found;
}

nb::dict dict_of(const Compared& found, const Pairs& pairs) {
  const LearningCurves& curves = found.curves;
  nb::list models, points, differences, crossings;
  for (const LearningCurve& curve : curves.curves) {
    nb::dict model;
    model["model"] = curve.name;
    model["kind"] = curve.generative ? "generative" : "discriminative";
    model["parameters"] = curve.parameters;
    models.append(model);
    for (const CurvePoint& point : curve.points) points.append(dict_of(curve, point));
  }
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const LearningCurve& first = curves.curves[pairs[p].first];
    const LearningCurve& second = curves.curves[pairs[p].second];
    add_differences(differences, curves, first, second);
    crossings.append(dict_of(found.errors[p], "error", first, second));
    crossings.append(dict_of(found.log_losses[p], "log_loss", first, second));
  }
  nb::dict to;
  to["classes"] = list_of(curves.classes);
  to["rows"] = curves.rows;
  to["sizes"] = nb::cast(curves.sizes);
  to["level"] = BootstrapOptions{}.level;
  to["redrawn"] = nb::cast(curves.redrawn);
  to["models"] = models;
  to["curves"] = points;
  to["differences"] = differences;
  to["crossings"] = crossings;
  add_notes(to, curves.notes);
  return to;
}

nb::tuple compare_data(const nb::list& given, const Data& data, const Pairs& pairs,
                       const nb::dict& how, nb::handle threads, const nb::object& tell) {
  const auto keep = nb::cast<std::vector<Index>>(how["keep"]);
  const std::vector<Candidate> candidates = candidates_of(given, keep);
  const CurveOptions options = curve_options_of(how);
  const Rows all = data.view();
  const Rows rows = keep.empty() ? all : all.only(keep);
  Compared found = run(Work::lasting, threads_of(threads), tell, [&](const Control& control) {
    return compared(learning_curves(rows, candidates, options, control), pairs, options.seed);
  });
  const nb::dict facts = dict_of(found, pairs);
  return nb::make_tuple(std::move(found), facts);
}

nb::dict dict_of(const DimensionCurves& of, std::size_t c) {
  const DimensionCurves::Needed& needed = of.needed[c];
  nb::dict to;
  to["dimension"] = of.dimension;
  to["model"] = of.curves.curves[c].name;
  to["asymptotic_error"] = needed.asymptotic_error;
  to["rows"] = optional_of(needed.rows.size);
  to["low"] = optional_of(needed.rows.low);
  to["high"] = optional_of(needed.rows.high);
  to["share_below"] = needed.rows.below;
  to["share_above"] = needed.rows.above;
  return to;
}

nb::tuple compare_drawn(const nb::list& given, const FittedModel& fitted, const Pairs& pairs,
                        const nb::dict& how, nb::handle threads, const nb::object& tell) {
  const std::vector<Candidate> candidates = candidates_of(given, {});
  const CurveOptions options = curve_options_of(how);
  const DimensionOptions wanted{.dimensions = nb::cast<std::vector<Index>>(how["dimensions"]),
                                .within = nb::cast<double>(how["within"])};
  const Model& model = fitted.density();
  std::vector<DimensionCurves> all =
      run(Work::lasting, threads_of(threads), tell, [&](const Control& control) {
        return dimension_curves(model, candidates, wanted, options, control);
      });
  nb::list found, needed;
  for (DimensionCurves& of : all) {
    for (std::size_t c = 0; c < of.needed.size(); ++c) needed.append(dict_of(of, c));
    Compared one = compared(std::move(of.curves), pairs, options.seed);
    const nb::dict facts = dict_of(one, pairs);
    found.append(nb::make_tuple(of.dimension, std::move(one), facts));
  }
  return nb::make_tuple(found, needed);
}

}  // namespace

void bind_comparison(nb::module_& module) {
  nb::class_<Compared>(module, "Curves", "Learning curves, for figures of them.");
  module.def("compare", &compare_data, nb::arg("candidates"), nb::arg("data"), nb::arg("pairs"),
             nb::arg("how"), nb::arg("threads") = nb::none(), nb::arg("tell") = nb::none(),
             "Curves, and all that they say.");
  module.def("compare_drawn", &compare_drawn, nb::arg("candidates"), nb::arg("model"),
             nb::arg("pairs"), nb::arg("how"), nb::arg("threads") = nb::none(),
             nb::arg("tell") = nb::none(),
             "A list of (number of columns, curves, what they say), and how many rows are needed.");
}

}  // namespace genera::python
