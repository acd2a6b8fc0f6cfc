#include "show/curves.hpp"

#include "show/text_table.hpp"

#include <fmt/format.h>

#include <functional>

namespace genera::cli {
namespace {

Json number_or_null(const std::optional<double>& value) {
  return value ? Json::number(*value) : Json();
}

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

std::string winner_name(Crossing::Winner winner, const LearningCurve& first,
                        const LearningCurve& second) {
  return winner == Crossing::Winner::first    ? first.name
         : winner == Crossing::Winner::second ? second.name
                                              : "";
}

Json with_dimension(std::optional<Index> dimension) {
  Json json = Json::object();
  if (dimension) json.add("dimension", *dimension);
  return json;
}

Json point_json(const LearningCurve& curve, const CurvePoint& point,
                std::optional<Index> dimension) {
  const auto mean = [](const std::optional<Average>& of) {
    return of ? Json::number(of->mean) : Json();
  };
  Json json =
      with_dimension(dimension)
          .add("model", curve.name)
          .add("kind", curve.generative ? "generative" : "discriminative")
          .add("size", point.size)
          .add("repeats", static_cast<Index>(point.errors.size()))
          .add("error_mean", Json::number(point.error.mean))
          .add("error_se", Json::number(point.error.se))
          .add("log_loss_mean", Json::number(point.log_loss.mean))
          .add("log_loss_se", Json::number(point.log_loss.se))
          .add("joint_log_likelihood", mean(point.joint))
          .add("conditional_log_likelihood", Json::number(-point.log_loss.mean))
          .add("training_joint_log_likelihood", mean(point.training_joint))
          .add("training_conditional_log_likelihood", Json::number(point.training_conditional.mean))
          .add("shrunk", point.shrunk)
          .add("raised", point.raised)
          .add("prior_only", point.prior_only);
  if (point.ridge) json.add("ridge", Json::number(*point.ridge));
  return json;
}

Json crossing_json(const Crossing& crossing, const char* metric, const LearningCurve& first,
                   const LearningCurve& second, std::optional<Index> dimension) {
  const auto winner = [&](Crossing::Winner of) {
    const std::string name = winner_name(of, first, second);
    return name.empty() ? Json() : Json(name);
  };
  return with_dimension(dimension)
      .add("generative", first.name)
      .add("discriminative", second.name)
      .add("metric", metric)
      .add("size", number_or_null(crossing.at.size))
      .add("low", number_or_null(crossing.at.low))
      .add("high", number_or_null(crossing.at.high))
      .add("share_below", Json::number(crossing.at.below))
      .add("share_above", Json::number(crossing.at.above))
      .add("better_before", winner(crossing.before))
      .add("better_after", winner(crossing.after));
}

/// "57 of 100 samples of 10 rows, 3 of 20"
std::string counts_by_size(const LearningCurves& curves, Index repeats,
                           const std::function<Index(std::size_t)>& count) {
  std::string text;
  for (std::size_t s = 0; s < curves.sizes.size(); ++s) {
    if (count(s) == 0) continue;
    text += text.empty() ? fmt::format("{} of {} of {}", count(s), counted(repeats, "sample"),
                                       counted(curves.sizes[s], "row"))
                         : fmt::format(", {} of {}", count(s), curves.sizes[s]);
  }
  return text;
}

}  // namespace

std::vector<ComparedPair> compared(const LearningCurves& curves,
                                   const std::vector<Contenders::Pair>& pairs,
                                   const BootstrapOptions& bootstrap) {
  std::vector<ComparedPair> found;
  for (const Contenders::Pair& pair : pairs) {
    const LearningCurve& first = curves.curves[pair.generative];
    const LearningCurve& second = curves.curves[pair.discriminative];
    found.push_back(
        {pair.generative, pair.discriminative, crossing(first, second, Metric::error, bootstrap),
         crossing(first, second, Metric::log_loss, bootstrap),
         differences(first, second, Metric::error), differences(first, second, Metric::log_loss)});
  }
  return found;
}

std::string curves_text(const LearningCurves& curves, const std::vector<ComparedPair>& pairs) {
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
  for (const ComparedPair& pair : pairs) {
    const std::string& first = curves.curves[pair.generative].name;
    const std::string& second = curves.curves[pair.discriminative].name;
    text += fmt::format("{}, {}: errors {}\n", first, second,
                        crossing_text(pair.errors, first, second));
    text += fmt::format("{}, {}: log losses {}\n", first, second,
                        crossing_text(pair.log_losses, first, second));
  }
  return text;
}

std::string dimensions_text(const std::vector<DimensionCurves>& all, double within) {
  TextCells cells{{"columns"}};
  for (const LearningCurve& curve : all.front().curves.curves) {
    cells[0].push_back(curve.name + " limit");
    cells[0].push_back("rows needed");
    cells[0].emplace_back("interval");
  }
  for (const DimensionCurves& of : all) {
    auto& line = cells.emplace_back();
    line.push_back(std::to_string(of.dimension));
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
             within) +
         text_table(std::move(cells));
}

void CurvesJson::add(const LearningCurves& from, const std::vector<ComparedPair>& pairs,
                     std::optional<Index> dimension) {
  for (const LearningCurve& curve : from.curves) {
    models.push(with_dimension(dimension)
                    .add("model", curve.name)
                    .add("kind", curve.generative ? "generative" : "discriminative")
                    .add("parameters", curve.parameters));
    for (const CurvePoint& point : curve.points) curves.push(point_json(curve, point, dimension));
  }
  for (const ComparedPair& pair : pairs) {
    const LearningCurve& first = from.curves[pair.generative];
    const LearningCurve& second = from.curves[pair.discriminative];
    for (std::size_t s = 0; s < from.sizes.size(); ++s)
      differences.push(with_dimension(dimension)
                           .add("generative", first.name)
                           .add("discriminative", second.name)
                           .add("size", from.sizes[s])
                           .add("error_mean", Json::number(pair.error_differences[s].mean))
                           .add("error_se", Json::number(pair.error_differences[s].se))
                           .add("log_loss_mean", Json::number(pair.log_loss_differences[s].mean))
                           .add("log_loss_se", Json::number(pair.log_loss_differences[s].se)));
    crossings.push(crossing_json(pair.errors, "error", first, second, dimension));
    crossings.push(crossing_json(pair.log_losses, "log_loss", first, second, dimension));
  }
}

Json needed_json(const std::vector<DimensionCurves>& all) {
  Json needed = Json::array();
  for (const DimensionCurves& of : all) {
    for (std::size_t c = 0; c < of.needed.size(); ++c) {
      const DimensionCurves::Needed& own = of.needed[c];
      needed.push(Json::object()
                      .add("dimension", of.dimension)
                      .add("model", of.curves.curves[c].name)
                      .add("asymptotic_error", Json::number(own.asymptotic_error))
                      .add("rows", number_or_null(own.rows.size))
                      .add("low", number_or_null(own.rows.low))
                      .add("high", number_or_null(own.rows.high))
                      .add("share_below", Json::number(own.rows.below))
                      .add("share_above", Json::number(own.rows.above)));
    }
  }
  return needed;
}

std::vector<std::string> small_sample_notes(const LearningCurves& curves) {
  std::vector<std::string> notes;
  const Index repeats = curves.repeats();
  const auto note = [&](const std::string& what, const std::function<Index(std::size_t)>& count) {
    const std::string counts = counts_by_size(curves, repeats, count);
    if (!counts.empty()) notes.push_back(what + counts);
  };
  Index redrawn = 0;
  for (const Index times : curves.redrawn) redrawn += times;
  if (redrawn > 0)
    notes.push_back(fmt::format("samples were drawn again {} because a class was not in them",
                                counted(redrawn, "time")));
  for (const LearningCurve& curve : curves.curves) {
    const auto& points = curve.points;
    note(curve.name + ": singular covariances were shrunk in ",
         [&](std::size_t s) { return points[s].shrunk; });
    note(curve.name + ": variances were raised to the floor in ",
         [&](std::size_t s) { return points[s].raised; });
    note(curve.name + ": no column varied, so only the prior was learned, in ",
         [&](std::size_t s) { return points[s].prior_only; });
  }
  return notes;
}

}  // namespace genera::cli
