#include <genera/curves.hpp>

namespace genera {
namespace {

using Part = Comparison::Part;

const char* kind_of(const LearningCurve& curve) {
  return curve.generative ? "generative" : "discriminative";
}

/// Begins with the number of columns if rows were drawn.
Facts record(const Part& part, Facts more) {
  Facts all;
  if (part.dimension) all.push_back({"dimension", *part.dimension});
  append(all, std::move(more));
  return all;
}

Facts point(const LearningCurve& curve, const CurvePoint& point) {
  const auto mean = [](const std::optional<Average>& of) {
    return of ? Fact::Value(of->mean) : Fact::Value();
  };
  Facts all{{"model", curve.name},
            {"kind", kind_of(curve)},
            {"size", point.size},
            {"repeats", point.errors.size()},
            {"error_mean", point.error.mean},
            {"error_se", point.error.se},
            {"log_loss_mean", point.log_loss.mean},
            {"log_loss_se", point.log_loss.se},
            {"joint_log_likelihood", mean(point.joint)},
            {"conditional_log_likelihood", -point.log_loss.mean},
            {"training_joint_log_likelihood", mean(point.training_joint)},
            {"training_conditional_log_likelihood", point.training_conditional.mean},
            {"shrunk", point.shrunk},
            {"raised", point.raised},
            {"prior_only", point.prior_only}};
  if (point.ridge) all.push_back({"ridge", *point.ridge});
  return all;
}

Facts names(const Part& part, const CurvePair& pair) {
  return record(part, {{"generative", part.curves.curves[pair.generative].name},
                       {"discriminative", part.curves.curves[pair.discriminative].name}});
}

Facts crossing(const Part& part, const ComparedPair& pair, Metric metric) {
  const Crossing& found = metric == Metric::error ? pair.errors : pair.log_losses;
  const auto winner = [&](Crossing::Winner of) {
    if (of == Crossing::Winner::none) return Fact::Value();
    const bool first = of == Crossing::Winner::first;
    return Fact::Value(
        part.curves.curves[first ? pair.of.generative : pair.of.discriminative].name);
  };
  Facts all = names(part, pair.of);
  append(all, {{"metric", name_of(metric)},
               {"size", found.at.size},
               {"low", found.at.low},
               {"high", found.at.high},
               {"share_below", found.at.below},
               {"share_above", found.at.above},
               {"better_before", winner(found.before)},
               {"better_after", winner(found.after)}});
  return all;
}

Facts difference(const Part& part, const ComparedPair& pair, std::size_t s) {
  Facts all = names(part, pair.of);
  append(all, {{"size", part.curves.sizes[s]},
               {"error_mean", pair.error_differences[s].mean},
               {"error_se", pair.error_differences[s].se},
               {"log_loss_mean", pair.log_loss_differences[s].mean},
               {"log_loss_se", pair.log_loss_differences[s].se}});
  return all;
}

Facts needed_rows(const Part& part, std::size_t c) {
  const DimensionCurves::Needed& own = part.needed[c];
  return record(part, {{"model", part.curves.curves[c].name},
                       {"asymptotic_error", own.asymptotic_error},
                       {"rows", own.rows.size},
                       {"low", own.rows.low},
                       {"high", own.rows.high},
                       {"share_below", own.rows.below},
                       {"share_above", own.rows.above}});
}

struct Lists {
  Fact::List models, curves, differences, crossings, needed;

  void add(const Part& part) {
    for (const LearningCurve& curve : part.curves.curves) {
      models.emplace_back(record(
          part,
          {{"model", curve.name}, {"kind", kind_of(curve)}, {"parameters", curve.parameters}}));
      for (const CurvePoint& one : curve.points)
        curves.emplace_back(record(part, point(curve, one)));
    }
    for (const ComparedPair& pair : part.pairs) {
      for (std::size_t s = 0; s < part.curves.sizes.size(); ++s)
        differences.emplace_back(difference(part, pair, s));
      crossings.emplace_back(crossing(part, pair, Metric::error));
      crossings.emplace_back(crossing(part, pair, Metric::log_loss));
    }
    for (std::size_t c = 0; c < part.needed.size(); ++c) needed.emplace_back(needed_rows(part, c));
  }
};

}  // namespace

Facts facts(const Comparison& comparison) {
  const LearningCurves& first = comparison.parts.front().curves;
  Facts all{{"classes", first.classes},
            {"rows", first.rows},
            {"sizes", first.sizes},
            {"repeats", comparison.options.repeats}};
  if (comparison.options.missing_share)
    all.push_back({"missing_share", *comparison.options.missing_share});
  Lists lists;
  for (const Part& part : comparison.parts) lists.add(part);
  append(all, {{"level", comparison.bootstrap.level},
               {"redrawn", first.redrawn},
               {"models", std::move(lists.models)},
               {"curves", std::move(lists.curves)},
               {"differences", std::move(lists.differences)},
               {"crossings", std::move(lists.crossings)}});
  if (comparison.within)
    append(all, {{"within", *comparison.within}, {"needed", std::move(lists.needed)}});
  return all;
}

}  // namespace genera
