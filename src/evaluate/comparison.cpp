#include <genera/curves.hpp>

#include <functional>

#include <fmt/format.h>

namespace genera {
namespace {

/// "57 of 100 samples of 10 rows, 3 of 20"
std::string counts_by_size(const LearningCurves& curves,
                           const std::function<Index(std::size_t)>& count) {
  std::string text;
  for (std::size_t s = 0; s < curves.sizes.size(); ++s) {
    if (count(s) == 0) continue;
    text += text.empty()
                ? fmt::format("{} of {} of {}", count(s), counted(curves.repeats(), "sample"),
                              counted(curves.sizes[s], "row"))
                : fmt::format(", {} of {}", count(s), curves.sizes[s]);
  }
  return text;
}

/// Notes on samples that were too small: redrawn, covariances shrunk, variances raised.
std::vector<Note> small_sample_notes(const LearningCurves& curves) {
  std::vector<Note> notes;
  Index redrawn = 0;
  for (const Index times : curves.redrawn) redrawn += times;
  if (redrawn > 0)
    notes.push_back({fmt::format("samples were drawn again {} because a class was not in them",
                                 counted(redrawn, "time"))});
  const auto note = [&](const LearningCurve& curve, const char* what, Index CurvePoint::*which) {
    const std::string counts =
        counts_by_size(curves, [&](std::size_t s) { return curve.points[s].*which; });
    if (!counts.empty()) notes.push_back({fmt::format("{}: {} {}", curve.name, what, counts)});
  };
  for (const LearningCurve& curve : curves.curves) {
    note(curve, "singular covariances were shrunk in", &CurvePoint::shrunk);
    note(curve, "variances were raised to the floor in", &CurvePoint::raised);
    note(curve, "no column varied, so only the prior was learned, in", &CurvePoint::prior_only);
  }
  return notes;
}

ComparedPair compared(const LearningCurves& curves, const CurvePair& pair,
                      const BootstrapOptions& bootstrap) {
  const LearningCurve& first = curves.curves.at(pair.generative);
  const LearningCurve& second = curves.curves.at(pair.discriminative);
  return {pair, crossing(first, second, Metric::error, bootstrap),
          crossing(first, second, Metric::log_loss, bootstrap),
          differences(first, second, Metric::error), differences(first, second, Metric::log_loss)};
}

void add_part(Comparison& to, Comparison::Part part, const std::vector<CurvePair>& pairs) {
  for (const CurvePair& pair : pairs)
    part.pairs.push_back(compared(part.curves, pair, to.bootstrap));
  for (const Note& note : part.curves.notes) to.notes.push_back(note);
  for (const Note& note : small_sample_notes(part.curves)) to.notes.push_back(note);
  to.parts.push_back(std::move(part));
}

Comparison empty_comparison(const CurveOptions& options) {
  return {.options = options, .bootstrap = {.seed = options.seed}};
}

}  // namespace

Comparison compare(LearningCurves curves, const std::vector<CurvePair>& pairs,
                   const CurveOptions& options) {
  Comparison found = empty_comparison(options);
  add_part(found, {.curves = std::move(curves)}, pairs);
  return found;
}

Comparison compare(std::vector<DimensionCurves> all, const std::vector<CurvePair>& pairs,
                   const CurveOptions& options, double within) {
  Comparison found = empty_comparison(options);
  found.within = within;
  for (DimensionCurves& of : all)
    add_part(
        found,
        {.curves = std::move(of.curves), .dimension = of.dimension, .needed = std::move(of.needed)},
        pairs);
  return found;
}

}  // namespace genera
