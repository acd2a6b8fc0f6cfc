// What figures show, as dicts of arrays: what is drawn is up to Python.
#include <genera/figure.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "classifier.hpp"
#include "facts.hpp"
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

template <class Figure>
nb::object dict_of(const Figure& figure) {
  return object_of(figure::facts(figure), Numbers::arrays);
}

/// Calls `make(rows, options, control)` without the GIL; rows are null if there are no data.
template <class F>
nb::object figure_of(const Data* data, const nb::dict& how, nb::handle threads, F&& make) {
  const figure::Options options = options_of(how);
  const Rows given = data ? data->view() : Rows();
  const std::optional<Table> dense = data ? with_numeric_columns(given) : std::nullopt;
  const Rows rows = dense ? Rows(*dense) : given;
  return dict_of(run(Work::lasting, threads_of(threads), nb::none(), [&](const Control& control) {
    return make(data ? &rows : nullptr, options, control);
  }));
}

nb::object regions_of(const FittedModel& fitted, const Data* data, const nb::dict& how,
                      nb::handle threads) {
  return figure_of(data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::regions(fitted.model(), rows, options, control);
                   });
}

nb::object density_of(const FittedModel& fitted, const Data* data, const nb::dict& how,
                      nb::handle threads) {
  const Model& model = fitted.density();
  return figure_of(data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::density(model, rows, options, control);
                   });
}

nb::object solid_of(const FittedModel& fitted, const Data* data, const nb::dict& how,
                    nb::handle threads) {
  const Model& model = fitted.density();
  return figure_of(data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::solid(model, rows, options, control);
                   });
}

nb::object line_of(const FittedModel& fitted, const Data* data, const nb::dict& how,
                   const OptionalRange& between, nb::handle threads) {
  std::optional<figure::Range> range;
  if (between) range = {between->first, between->second};
  return figure_of(data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::line(fitted.model(), rows, options, range, control);
                   });
}

nb::object samples_of(const FittedModel& fitted, const Data* data, const nb::dict& how,
                      std::uint64_t seed, Index count, nb::handle threads) {
  const Model& model = fitted.density();
  return figure_of(data, how, threads,
                   [&](const Rows* rows, figure::Options options, const Control& control) {
                     options.draws = count;
                     return figure::samples(model, rows, Rng(seed), options, control);
                   });
}

nb::object line_of_samples_of(const FittedModel& fitted, const Data* data, const nb::dict& how,
                              std::uint64_t seed, Index count, nb::handle threads) {
  const Model& model = fitted.density();
  return figure_of(data, how, threads,
                   [&](const Rows* rows, figure::Options options, const Control& control) {
                     options.draws = count;
                     return figure::line_of_samples(model, rows, Rng(seed), options, control);
                   });
}

nb::object pairs_of(const FittedModel& fitted, const Data& data, const nb::dict& how, Index max,
                    nb::handle threads) {
  return figure_of(&data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::pairs(fitted.model(), *rows, options, max, control);
                   });
}

nb::object canonical_of(const FittedModel& fitted, const Data& data, const nb::dict& how,
                        nb::handle threads) {
  return figure_of(&data, how, threads,
                   [&](const Rows* rows, const figure::Options& options, const Control& control) {
                     return figure::canonical(fitted.model(), *rows, options, control);
                   });
}

nb::object roc_of(const FittedModel& fitted, const Data& data, Index positive, nb::handle threads) {
  const Rows rows = data.view();
  return dict_of(
      run(work_of(data.cells()), threads_of(threads), nb::none(), [&](const Control& control) {
        return figure::roc(fitted.model(), rows, positive, control);
      }));
}

nb::object roc_of_posterior(const std::vector<std::string>& classes, nb::handle posterior,
                            const Data& data, Index positive) {
  return dict_of(figure::roc(classes, matrix_of(posterior, "posteriors"), data.view(), positive));
}

/// With the crossings of the pairs as marks.
nb::object curves_of(const Comparison::Part& found, bool by_error) {
  std::vector<figure::CurveCrossing> crossings;
  for (const ComparedPair& pair : found.pairs) {
    const Crossing& crossing = by_error ? pair.errors : pair.log_losses;
    if (crossing.at.size)
      crossings.push_back({found.curves.curves[pair.of.generative].name,
                           found.curves.curves[pair.of.discriminative].name, *crossing.at.size});
  }
  return dict_of(figure::curves(found.curves.curves, found.curves.repeats(),
                                by_error ? Metric::error : Metric::log_loss, crossings));
}

nb::object needed_of(const std::vector<const Comparison::Part*>& parts, double within) {
  Comparison all{.within = within};
  for (const Comparison::Part* part : parts) all.parts.push_back(*part);
  return dict_of(figure::needed(all));
}

Covariance listed_covariance(const std::string& name) {
  if (const auto covariance = covariance_named(name)) return *covariance;
  throw nb::value_error(("there is no covariance called '" + name + "'").c_str());
}

nb::object bic_of(const nb::list& listed, std::size_t best) {
  std::vector<ClusterCandidate> candidates;
  for (const nb::handle one : listed) {
    const auto candidate = nb::cast<nb::dict>(one);
    candidates.push_back(
        {.components = nb::cast<Index>(candidate["components"]),
         .covariance = listed_covariance(nb::cast<std::string>(candidate["covariance"])),
         .bic = nb::cast<double>(candidate["bic"]),
         .on_floor = nb::cast<bool>(candidate["on_floor"]),
         .given_up = candidate.contains("given_up") && nb::cast<bool>(candidate["given_up"])});
  }
  return dict_of(figure::bic(candidates, best));
}

/// `scores`: (alpha, gamma, value) of each point.
nb::object path_of(const std::vector<std::vector<double>>& scores, const OptionalRange& chosen,
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
  module.def("figure_samples", &samples_of, nb::arg("model"), nb::arg("data").none(),
             nb::arg("how"), nb::arg("seed") = 1, nb::arg("count") = 0, threads);
  module.def("figure_line_of_samples", &line_of_samples_of, nb::arg("model"),
             nb::arg("data").none(), nb::arg("how"), nb::arg("seed") = 1, nb::arg("count") = 0,
             threads);
  module.def(
      "figure_line_of_rows",
      [](const Data& data, const nb::dict& how) {
        const std::optional<Table> dense = with_numeric_columns(data.view());
        return dict_of(figure::line_of_rows(dense ? Rows(*dense) : data.view(), options_of(how)));
      },
      nb::arg("data"), nb::arg("how"));
  module.def(
      "numeric_features",
      [](const FittedModel& fitted) { return figure::numeric_features(fitted.model()); },
      nb::arg("model"));
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
  module.def("figure_roc_of_posterior", &roc_of_posterior, nb::arg("classes"), nb::arg("posterior"),
             nb::arg("data"), nb::arg("positive"));
  module.def("figure_curves", &curves_of, nb::arg("curves"), nb::arg("by_error"));
  module.def("figure_needed", &needed_of, nb::arg("parts"), nb::arg("within"));
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
