#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/curves.hpp>

#include "classifier.hpp"
#include "facts.hpp"
#include "laboratory.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

std::vector<CurvePair> pairs_of(const Pairs& pairs) {
  std::vector<CurvePair> places;
  for (const auto& [generative, discriminative] : pairs)
    places.push_back({generative, discriminative});
  return places;
}

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

/// A list of (number of columns or None, curves), and all facts.
nb::tuple parts_and_facts(Comparison found) {
  Facts all = facts(found);
  append(all, facts(found.notes));
  nb::list parts;
  for (Comparison::Part& part : found.parts) {
    const nb::object dimension = optional_of(part.dimension);
    parts.append(nb::make_tuple(dimension, std::move(part)));
  }
  return nb::make_tuple(parts, object_of(all));
}

nb::tuple compare_data(const nb::list& given, const Data& data, const Pairs& pairs,
                       const nb::dict& how, nb::handle threads, const nb::object& tell) {
  const auto keep = nb::cast<std::vector<Index>>(how["keep"]);
  const std::vector<Candidate> candidates = candidates_of(given, keep);
  const CurveOptions options = curve_options_of(how);
  const Rows all = data.view();
  const Rows rows = keep.empty() ? all : all.only(keep);
  return parts_and_facts(run(Work::lasting, threads_of(threads), tell, [&](const Control& control) {
    return compare(learning_curves(rows, candidates, options, control), pairs_of(pairs), options);
  }));
}

nb::tuple compare_drawn(const nb::list& given, const FittedModel& fitted, const Pairs& pairs,
                        const nb::dict& how, nb::handle threads, const nb::object& tell) {
  const std::vector<Candidate> candidates = candidates_of(given, {});
  const CurveOptions options = curve_options_of(how);
  const DimensionOptions wanted{.dimensions = nb::cast<std::vector<Index>>(how["dimensions"]),
                                .within = nb::cast<double>(how["within"])};
  const Model& model = fitted.density();
  return parts_and_facts(run(Work::lasting, threads_of(threads), tell, [&](const Control& control) {
    return compare(dimension_curves(model, candidates, wanted, options, control), pairs_of(pairs),
                   options, wanted.within);
  }));
}

}  // namespace

void bind_comparison(nb::module_& module) {
  nb::class_<Comparison::Part>(module, "Curves", "Learning curves, for figures of them.");
  module.def("compare", &compare_data, nb::arg("candidates"), nb::arg("data"), nb::arg("pairs"),
             nb::arg("how"), nb::arg("threads") = nb::none(), nb::arg("tell") = nb::none(),
             "A list of (None, curves), and all that they say.");
  module.def("compare_drawn", &compare_drawn, nb::arg("candidates"), nb::arg("model"),
             nb::arg("pairs"), nb::arg("how"), nb::arg("threads") = nb::none(),
             nb::arg("tell") = nb::none(),
             "A list of (number of columns, curves), and all that they say.");
}

}  // namespace genera::python
