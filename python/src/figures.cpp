// What figures show, as dicts of arrays: what is drawn is up to Python.
#include <genera/figure.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "classifier.hpp"
#include "laboratory.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

using OptionalRange = std::optional<std::pair<double, double>>;

figure::Options options_of(const nb::dict& how) {
  figure::Options options{.axes = nb::cast<std::vector<std::string>>(how["axes"]),
                          .columns = nb::cast<Index>(how["columns"]),
                          .rows = nb::cast<Index>(how["rows"]),
                          .masses = nb::cast<Vector>(how["masses"])};
  if (nb::cast<bool>(how["others_at_mean"])) options.others = figure::Others::mean;
  for (const OptionalRange& range : nb::cast<std::vector<OptionalRange>>(how["ranges"])) {
    options.ranges.emplace_back();
    if (range) options.ranges.back() = {range->first, range->second};
  }
  return options;
}

nb::tuple pair_of(const figure::Range& range) { return nb::make_tuple(range.low, range.high); }

/// A matrix with the values of each class, or of all, on a grid: rows of y, columns of x.
nb::object on_grid(const figure::Grid& grid, const nb::object& cells) {
  return cells.attr("reshape")(grid.y.size(), grid.x.size(), -1);
}

void add_frame(nb::dict& to, const figure::Frame& frame) {
  nb::list axes;
  for (const figure::Axis& axis : frame.axes)
    axes.append(nb::make_tuple(axis.name, pair_of(axis.range)));
  to["axes"] = axes;
  to["classes"] = list_of(frame.classes);
  to["target"] = frame.target;
  to["caption"] = list_of(frame.caption);
}

nb::dict dict_of(const figure::Points& points) {
  nb::list at, wrong;
  for (const Vector& coordinates : points.at) at.append(array_of(coordinates));
  std::vector<std::uint8_t> flags;
  for (Index i = 0; i < points.count(); ++i) flags.push_back(points.wrong(i) ? 1 : 0);
  nb::dict to;
  to["at"] = at;
  to["classes"] = array_of(points.classes);
  to["predictions"] = array_of(points.predictions);
  to["wrong"] = array_of(std::move(flags)).attr("astype")("bool");
  to["left_out"] = points.left_out;
  return to;
}

nb::list list_of_curves(const std::vector<figure::Curve>& curves) {
  nb::list all;
  for (const figure::Curve& curve : curves) {
    nb::dict to;
    to["x"] = array_of(curve.x);
    to["y"] = array_of(curve.y);
    to["first"] = curve.first;
    to["second"] = curve.second;
    all.append(to);
  }
  return all;
}

nb::list list_of_ellipses(const std::vector<figure::Ellipse>& ellipses) {
  nb::list all;
  for (const figure::Ellipse& ellipse : ellipses) {
    nb::dict to;
    to["of_class"] = ellipse.of_class;
    to["component"] = ellipse.component;
    to["weight"] = ellipse.weight;
    to["mass"] = ellipse.mass;
    to["centre"] = nb::make_tuple(ellipse.x, ellipse.y);
    to["half_axes"] = nb::make_tuple(ellipse.major, ellipse.minor);
    to["angle"] = ellipse.angle;
    to["x"] = array_of(ellipse.outline.x);
    to["y"] = array_of(ellipse.outline.y);
    all.append(to);
  }
  return all;
}

nb::dict dict_of(const figure::Scatter& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  to["points"] = dict_of(figure.points);
  return to;
}

nb::dict dict_of(const figure::Regions& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  to["x"] = array_of(figure.grid.x);
  to["y"] = array_of(figure.grid.y);
  to["posterior"] = on_grid(figure.grid, array_of(figure.posterior));
  to["labels"] = array_of(figure.labels).attr("reshape")(figure.grid.y.size(), -1);
  to["boundaries"] = list_of_curves(figure.boundaries);
  to["ellipses"] = list_of_ellipses(figure.ellipses);
  to["points"] = dict_of(figure.points);
  return to;
}

nb::dict dict_of(const figure::Density& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  to["x"] = array_of(figure.grid.x);
  to["y"] = array_of(figure.grid.y);
  to["density"] = array_of(figure.density).attr("reshape")(figure.grid.y.size(), -1);
  to["joint"] = on_grid(figure.grid, array_of(figure.joint));
  nb::list contours;
  for (const figure::Contour& contour : figure.contours) {
    nb::dict one;
    one["of_class"] = contour.of_class;
    one["mass"] = contour.mass;
    one["level"] = contour.level;
    one["lines"] = list_of_curves(contour.lines);
    contours.append(one);
  }
  to["contours"] = contours;
  to["boundaries"] = list_of_curves(figure.boundaries);
  to["points"] = dict_of(figure.points);
  return to;
}

nb::dict dict_of(const figure::Line& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  to["x"] = array_of(figure.x);
  to["density"] = array_of(figure.density);
  to["joint"] = array_of(figure.joint);
  to["posterior"] = array_of(figure.posterior);
  to["boundaries"] = array_of(figure.boundaries);
  to["area"] = nb::none();
  if (figure.area)
    to["area"] = nb::make_tuple(pair_of(figure.area->between), figure.area->probability);
  to["points"] = dict_of(figure.points);
  return to;
}

nb::dict dict_of(const figure::Solid& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  nb::list ellipsoids;
  for (const figure::Ellipsoid& ellipsoid : figure.ellipsoids) {
    nb::dict one;
    one["of_class"] = ellipsoid.of_class;
    one["component"] = ellipsoid.component;
    one["mass"] = ellipsoid.mass;
    one["centre"] = array_of(ellipsoid.centre);
    one["axes"] = array_of(ellipsoid.axes);
    ellipsoids.append(one);
  }
  to["ellipsoids"] = ellipsoids;
  to["points"] = dict_of(figure.points);
  return to;
}

nb::dict dict_of(const figure::Samples& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  to["data"] = dict_of(figure.data);
  to["drawn"] = dict_of(figure.drawn);
  return to;
}

nb::dict dict_of(const figure::Pairs& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  nb::list lines, below;
  for (const figure::Line& line : figure.lines) lines.append(dict_of(line));
  for (const figure::Regions& regions : figure.below) below.append(dict_of(regions));
  to["lines"] = lines;
  to["below"] = below;
  to["points"] = dict_of(figure.points);
  return to;
}

/// Of two classes there is a line, and no regions.
nb::dict dict_of(const figure::Canonical& figure) {
  nb::dict to;
  to["line"] = figure.line ? nb::object(dict_of(*figure.line)) : nb::none();
  to["regions"] = figure.line ? nb::none() : nb::object(dict_of(figure.regions));
  to["means"] = array_of(figure.means);
  return to;
}

nb::dict dict_of(const figure::Confusion& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  to["counts"] = array_of(figure.counts);
  to["shares"] = array_of(figure.shares);
  return to;
}

nb::dict dict_of(const figure::Reliability& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  Matrix bins(std::ssize(figure.bins), 5);
  for (Index i = 0; i < bins.rows(); ++i) {
    const ReliabilityBin& bin = figure.bins[static_cast<std::size_t>(i)];
    std::ranges::copy(
        Vector{bin.low, bin.high, static_cast<double>(bin.rows), bin.confidence, bin.accuracy},
        bins.row(i).begin());
  }
  to["bins"] = array_of(std::move(bins));  // low, high, rows, confidence, accuracy
  to["error"] = figure.error;
  to["rows"] = figure.rows;
  return to;
}

nb::dict dict_of(const figure::Roc& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  nb::list curves;
  for (const figure::RocCurve& curve : figure.curves) {
    nb::dict one;
    one["name"] = curve.name;
    one["of_class"] = curve.of_class;
    one["x"] = array_of(curve.x);
    one["y"] = array_of(curve.y);
    one["area"] = curve.area;
    curves.append(one);
  }
  to["curves"] = curves;
  return to;
}

nb::dict dict_of(const figure::Trends& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  nb::list trends;
  for (const figure::Trend& trend : figure.trends) {
    nb::dict one;
    one["name"] = trend.name;
    one["solid"] = trend.solid;
    one["x"] = array_of(trend.x);
    one["y"] = array_of(trend.y);
    one["error"] = array_of(trend.error);
    one["usable"] = array_of(trend.usable);
    trends.append(one);
  }
  to["trends"] = trends;
  to["log_x"] = figure.log_x;
  to["best"] = optional_of(figure.best);
  to["marks"] = array_of(figure.marks);
  return to;
}

nb::dict dict_of(const figure::HeatMap& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  to["x"] = array_of(figure.x);
  to["y"] = array_of(figure.y);
  to["values"] = array_of(figure.values);
  to["value_name"] = figure.value_name;
  to["best"] = optional_of(figure.best);
  return to;
}

nb::list list_of_bars(const std::vector<figure::Bar>& bars) {
  nb::list all;
  for (const figure::Bar& bar : bars) all.append(nb::make_tuple(bar.name, bar.value));
  return all;
}

nb::dict dict_of(const figure::Features& figure) {
  nb::dict to;
  add_frame(to, figure.frame);
  nb::list evidence;
  for (const auto& bars : figure.evidence) evidence.append(list_of_bars(bars));
  to["separation"] = list_of_bars(figure.separation);
  to["evidence"] = evidence;
  return to;
}

/// Calls `make(rows, options, control)` without the GIL; rows are null if there are no data.
template <class F>
nb::dict figure_of(const Data* data, const nb::dict& how, nb::handle threads, F&& make) {
  const figure::Options options = options_of(how);
  const Rows given = data ? data->view() : Rows();
  const std::optional<Table> dense = data ? with_numeric_columns(given) : std::nullopt;
  const Rows rows = dense ? Rows(*dense) : given;
  return dict_of(run(Work::lasting, threads_of(threads), nb::none(), [&](const Control& control) {
    return make(data ? &rows : nullptr, options, control);
  }));
}

nb::dict regions_of(const FittedModel& fitted, const Data* data, const nb::dict& how,
                    nb::handle threads) {
  return figure_of(data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::regions(fitted.model(), rows, options, control);
                   });
}

nb::dict density_of(const FittedModel& fitted, const Data* data, const nb::dict& how,
                    nb::handle threads) {
  const Model& model = fitted.density();
  return figure_of(data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::density(model, rows, options, control);
                   });
}

nb::dict solid_of(const FittedModel& fitted, const Data* data, const nb::dict& how,
                  nb::handle threads) {
  const Model& model = fitted.density();
  return figure_of(data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::solid(model, rows, options, control);
                   });
}

nb::dict line_of(const FittedModel& fitted, const Data* data, const nb::dict& how,
                 const OptionalRange& between, nb::handle threads) {
  std::optional<figure::Range> range;
  if (between) range = {between->first, between->second};
  return figure_of(data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::line(fitted.model(), rows, options, range, control);
                   });
}

nb::dict samples_of(const FittedModel& fitted, const Data& data, const nb::dict& how,
                    std::uint64_t seed, nb::handle threads) {
  const Model& model = fitted.density();
  return figure_of(&data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::samples(model, *rows, Rng(seed), options, control);
                   });
}

nb::dict pairs_of(const FittedModel& fitted, const Data& data, const nb::dict& how, Index max,
                  nb::handle threads) {
  return figure_of(&data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::pairs(fitted.model(), *rows, options, max, control);
                   });
}

nb::dict canonical_of(const FittedModel& fitted, const Data& data, const nb::dict& how,
                      nb::handle threads) {
  return figure_of(&data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::canonical(fitted.model(), *rows, options, control);
                   });
}

nb::dict roc_of(const FittedModel& fitted, const Data& data, Index positive, nb::handle threads) {
  const Rows rows = data.view();
  return dict_of(
      run(work_of(data.cells()), threads_of(threads), nb::none(), [&](const Control& control) {
        return figure::roc(fitted.model(), rows, positive, control);
      }));
}

/// With the crossings of the pairs as marks.
nb::dict curves_of(const Comparison::Part& found, bool by_error) {
  Vector crossings;
  for (const ComparedPair& pair : found.pairs) {
    const Crossing& crossing = by_error ? pair.errors : pair.log_losses;
    if (crossing.at.size) crossings.push_back(*crossing.at.size);
  }
  return dict_of(figure::curves(found.curves.curves, found.curves.repeats(),
                                by_error ? Metric::error : Metric::log_loss, crossings));
}

Family covariance_named(const std::string& name) {
  if (const auto family = structure_named(name)) return *family;
  throw nb::value_error(("there is no covariance called '" + name + "'").c_str());
}

nb::dict bic_of(const nb::list& listed, std::size_t best) {
  std::vector<ClusterCandidate> candidates;
  for (const nb::handle one : listed) {
    const auto candidate = nb::cast<nb::dict>(one);
    candidates.push_back(
        {.components = nb::cast<Index>(candidate["components"]),
         .covariance = covariance_named(nb::cast<std::string>(candidate["covariance"])),
         .bic = nb::cast<double>(candidate["bic"]),
         .on_floor = nb::cast<bool>(candidate["on_floor"]),
         .given_up = candidate.contains("given_up") && nb::cast<bool>(candidate["given_up"])});
  }
  return dict_of(figure::bic(candidates, best));
}

/// `scores`: (alpha, gamma, value) of each point.
nb::dict path_of(const std::vector<std::vector<double>>& scores, const OptionalRange& chosen,
                 bool by_error) {
  std::vector<figure::GridScore> grid;
  for (const std::vector<double>& score : scores)
    grid.push_back({score.at(0), score.at(1), score.at(2)});
  return dict_of(figure::path(grid, chosen, by_error ? Metric::error : Metric::log_loss));
}

void bind_planes(nb::module_& module) {
  const auto threads = nb::arg("threads") = nb::none();
  module.def(
      "figure_scatter",
      [](const Data& data, const nb::dict& how) {
        const std::optional<Table> dense = with_numeric_columns(data.view());
        return dict_of(figure::scatter(dense ? Rows(*dense) : data.view(), options_of(how)));
      },
      nb::arg("data"), nb::arg("how"));
  module.def("figure_regions", &regions_of, nb::arg("model"), nb::arg("data").none(),
             nb::arg("how"), threads);
  module.def("figure_density", &density_of, nb::arg("model"), nb::arg("data").none(),
             nb::arg("how"), threads);
  module.def("figure_solid", &solid_of, nb::arg("model"), nb::arg("data").none(), nb::arg("how"),
             threads);
  module.def("figure_line", &line_of, nb::arg("model"), nb::arg("data").none(), nb::arg("how"),
             nb::arg("between") = nb::none(), threads);
  module.def("figure_samples", &samples_of, nb::arg("model"), nb::arg("data"), nb::arg("how"),
             nb::arg("seed") = 1, threads);
  module.def("figure_pairs", &pairs_of, nb::arg("model"), nb::arg("data"), nb::arg("how"),
             nb::arg("most") = 5, threads);
  module.def("figure_canonical", &canonical_of, nb::arg("model"), nb::arg("data"), nb::arg("how"),
             threads);
}

}  // namespace

void bind_figures(nb::module_& module) {
  bind_planes(module);
  module.def("figure_confusion",
             [](const Evaluation& found) { return dict_of(figure::confusion(found)); });
  module.def("figure_reliability",
             [](const Evaluation& found) { return dict_of(figure::reliability(found)); });
  module.def("figure_roc", &roc_of, nb::arg("model"), nb::arg("data"), nb::arg("positive"),
             nb::arg("threads") = nb::none());
  module.def("figure_curves", &curves_of, nb::arg("curves"), nb::arg("by_error"));
  module.def("figure_bic", &bic_of, nb::arg("candidates"), nb::arg("best"));
  module.def("figure_path", &path_of, nb::arg("scores"), nb::arg("chosen").none(),
             nb::arg("by_error"));
  module.def(
      "figure_features",
      [](const FittedModel& fitted, Index max) {
        return dict_of(figure::features(fitted.model(), max));
      },
      nb::arg("model"), nb::arg("most") = 12);
}

}  // namespace genera::python
