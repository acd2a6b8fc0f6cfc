#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/explain.hpp>
#include <genera/figure.hpp>

#include "figure/separation.hpp"
#include "figure/shown.hpp"
#include "kernel/index.hpp"
#include "score/committee/bound_classifier.hpp"

namespace genera::figure {
namespace {

using kernel::at;

std::vector<Bar> separations(const Model& model, Index max) {
  const std::vector<std::string> names = numeric_features(model);
  const FeatureNormals normals(model);
  std::vector<Bar> bars;
  for (const std::string& name : names) {
    const Separation alone(1, [&](const std::vector<Index>&) {
      return moments_of(normals({name}), model.prior().probabilities());
    });
    bars.push_back({.name = name, .value = alone.of({0})});
  }
  std::ranges::stable_sort(bars, std::ranges::greater(), &Bar::value);
  if (std::ssize(bars) > max) bars.resize(at(max));
  return bars;
}

}  // namespace

Features features(ClassifierRef model, Index max) {
  Features figure{.frame = {.classes = model.classes(), .target = model.target()}};
  if (model.committee()) score::refuse_committee("parameters to compare features by");
  if (const Model* joint = model.model()) figure.separation = separations(*joint, max);
  const auto numbers = std::ssize(numeric_features(model));
  if (numbers > std::ssize(figure.separation) && !figure.separation.empty())
    figure.frame.caption.push_back(fmt::format(
        "the {} of {} numbers that separate the classes most", figure.separation.size(), numbers));
  Index k = 0;
  for (const std::vector<Evidence>& of_class : strongest_evidence(model, max)) {
    std::vector<Bar>& bars = figure.evidence.emplace_back();
    for (const Evidence& evidence : of_class)
      bars.push_back({evidence.feature, evidence.log_odds, k});
    ++k;
  }
  const bool nothing =
      figure.separation.empty() && std::ranges::all_of(figure.evidence, &std::vector<Bar>::empty);
  if (nothing)
    throw Error(Errc::bad_model, "the model has no features that could be compared",
                "choose another kind of figure");
  return figure;
}

}  // namespace genera::figure
