#include "show/curves.hpp"

#include "show/text_table.hpp"

#include <fmt/format.h>

#include <functional>

namespace genera::cli {
namespace {

/// A table with a line for each size; `cell` writes what a model did there.
std::string table_by_size(const LearningCurves& curves,
                          const std::function<std::string(const CurvePoint&)>& cell) {
  TextCells cells{{"rows"}};
  for (const LearningCurve& curve : curves.curves) cells[0].push_back(curve.name);
  for (std::size_t s = 0; s < curves.sizes.size(); ++s) {
    auto& line = cells.emplace_back();
    line.push_back(std::to_string(curves.sizes[s]));
    for (const LearningCurve& curve : curves.curves) line.push_back(cell(curve.points[s]));
  }
  return text_table(std::move(cells));
}

std::string mean_and_error(const Average& of) {
  return fmt::format("{:.4f} ({:.4f})", of.mean, of.se);
}

/// Joint and conditional log-likelihood side by side; a discriminative model has the latter only.
std::string likelihood_table(const LearningCurves& curves, bool training) {
  TextCells cells{{"rows"}};
  for (const LearningCurve& curve : curves.curves) {
    if (curve.generative) cells[0].push_back(curve.name + " joint");
    cells[0].push_back(curve.name + " conditional");
  }
  for (std::size_t s = 0; s < curves.sizes.size(); ++s) {
    auto& line = cells.emplace_back();
    line.push_back(std::to_string(curves.sizes[s]));
    for (const LearningCurve& curve : curves.curves) {
      const CurvePoint& point = curve.points[s];
      if (curve.generative)
        line.push_back(
            fmt::format("{:.4g}", (training ? point.training_joint : point.joint)->mean));
      line.push_back(
          fmt::format("{:.4f}", training ? point.training_conditional.mean : -point.log_loss.mean));
    }
  }
  return text_table(std::move(cells));
}

std::string interval_text(const SizeEstimate& at) {
  const auto end = [](const std::optional<double>& value, const char* otherwise) {
    return value ? fmt::format("{:.0f}", *value) : std::string(otherwise);
  };
  return fmt::format("{} to {}", end(at.low, "fewer"), end(at.high, "more"));
}

/// "cross at about 90 rows (90 % interval 70 to 120): dlda is better with fewer, ..."
std::string crossing_text(const Crossing& crossing, const std::string& first,
                          const std::string& second) {
  const auto name = [&](Crossing::Winner winner) {
    return winner == Crossing::Winner::first ? first : second;
  };
  if (crossing.at.size)
    return fmt::format(
        "cross at about {:.0f} rows (90% interval {}): {} is better with fewer, {} with more",
        *crossing.at.size, interval_text(crossing.at), name(crossing.before), name(crossing.after));
  if (crossing.after == Crossing::Winner::none) return "are the same";
  return fmt::format("do not cross: {} is better at all sizes", name(crossing.after));
}

}  // namespace

std::string curves_text(const Comparison::Part& part) {
  const LearningCurves& curves = part.curves;
  const Index repeats = curves.repeats();
  std::string text = fmt::format("mean error of {} random splits (standard error)\n", repeats);
  text += table_by_size(curves, [](const CurvePoint& p) { return mean_and_error(p.error); });
  text += "\nmean log loss (standard error)\n";
  text += table_by_size(curves, [](const CurvePoint& p) { return mean_and_error(p.log_loss); });
  text += "\nmean log-likelihood of a training row\n" + likelihood_table(curves, true);
  text += "\nmean log-likelihood of a test row\n" + likelihood_table(curves, false) + '\n';
  std::string parameters;
  for (const LearningCurve& curve : curves.curves)
    parameters +=
        fmt::format("{}{} {}", parameters.empty() ? "" : ", ", curve.name, curve.parameters);
  text += "free parameters: " + parameters + '\n';
  for (const ComparedPair& pair : part.pairs) {
    const std::string& first = curves.curves[pair.of.generative].name;
    const std::string& second = curves.curves[pair.of.discriminative].name;
    text += fmt::format("{}, {}: errors {}\n", first, second,
                        crossing_text(pair.errors, first, second));
    text += fmt::format("{}, {}: log losses {}\n", first, second,
                        crossing_text(pair.log_losses, first, second));
  }
  return text;
}

std::string dimensions_text(const Comparison& found) {
  TextCells cells{{"columns"}};
  for (const LearningCurve& curve : found.parts.front().curves.curves) {
    cells[0].push_back(curve.name + " limit");
    cells[0].push_back("rows needed");
    cells[0].emplace_back("interval");
  }
  for (const Comparison::Part& of : found.parts) {
    auto& line = cells.emplace_back();
    line.push_back(std::to_string(of.dimension.value_or(0)));
    for (const DimensionCurves::Needed& needed : of.needed) {
      line.push_back(fmt::format("{:.4f}", needed.asymptotic_error));
      const double within_all = 0.5;
      line.push_back(needed.rows.size ? fmt::format("{:.0f}", *needed.rows.size)
                     : needed.rows.below > within_all
                         ? fmt::format("< {}", of.curves.sizes.front())
                         : fmt::format("> {}", of.curves.sizes.back()));
      line.push_back(needed.rows.size ? interval_text(needed.rows) : "");
    }
  }
  return fmt::format(
             "training rows until the mean error is within {} of its limit for very many rows "
             "(90% interval)\n",
             found.within.value_or(0)) +
         text_table(std::move(cells));
}

}  // namespace genera::cli
