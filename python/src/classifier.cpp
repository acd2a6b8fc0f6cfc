#include "classifier.hpp"

#include <algorithm>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/canonical.hpp>
#include <genera/explain.hpp>
#include <genera/impute.hpp>
#include <genera/io.hpp>
#include <genera/query.hpp>
#include <genera/sample.hpp>

#include "errors.hpp"
#include "run.hpp"
#include "tables.hpp"

namespace genera::python {
namespace {

/// The places of the features among the inputs; empty unless all of both are numbers.
std::vector<Index> places_of(const std::vector<Column>& features,
                             const std::vector<Column>& inputs) {
  if (!std::ranges::all_of(inputs, is_number, &Column::type)) return {};
  NameSet names;
  for (const Column& column : inputs) names.add(column.name);
  std::vector<Index> places;
  for (const Column& feature : features) {
    const auto place = names.find(feature.name);
    if (!place || inputs[static_cast<std::size_t>(*place)].type != feature.type) return {};
    places.push_back(*place);
  }
  return places;
}

/// Calls `ask` with rows and a control, without the GIL.
template <class F>
auto ask(const FittedModel& fitted, nb::handle rows, nb::handle threads, F&& question) {
  const Data data = fitted.data_of(rows);
  const Rows view = data.view();
  return run(work_of(data.cells()), threads_of(threads), nb::none(),
             [&](const Control& control) { return question(view, control); });
}

nb::object log_joint_of(const FittedModel& fitted, nb::handle rows, nb::handle threads) {
  const JointRef model = fitted.joint();
  return array_of(ask(fitted, rows, threads, [&](const Rows& view, const Control& control) {
    return log_joint(model, view, control);
  }));
}

nb::object log_posterior_of(const FittedModel& fitted, nb::handle rows, nb::handle threads) {
  return array_of(ask(fitted, rows, threads, [&](const Rows& view, const Control& control) {
    return log_posterior(fitted.model(), view, control);
  }));
}

nb::object log_density_of(const FittedModel& fitted, nb::handle rows, nb::handle threads) {
  const JointRef model = fitted.joint();
  return array_of(ask(fitted, rows, threads, [&](const Rows& view, const Control& control) {
    return log_density(model, view, control);
  }));
}

/// Log joint densities, or the scores of a linear model.
nb::object scores_of(const FittedModel& fitted, nb::handle rows, nb::handle threads) {
  return array_of(ask(fitted, rows, threads, [&](const Rows& view, const Control& control) {
                    return answers(fitted.model(), view, {.log_joint = true}, control);
                  }).log_joint);
}

nb::object distances_of(const FittedModel& fitted, nb::handle rows, nb::handle threads) {
  const Model& model = fitted.density();
  return array_of(ask(fitted, rows, threads, [&](const Rows& view, const Control& control) {
    return mahalanobis(model, view, control);
  }));
}

nb::object tails_of(const FittedModel& fitted, nb::handle rows, std::uint64_t seed,
                    nb::handle threads) {
  const JointRef model = fitted.joint();
  return array_of(ask(fitted, rows, threads, [&](const Rows& view, const Control& control) {
    const WantedAnswers wanted{.distances = true, .log_density = true};
    return OutlierTail(model, seed, control)(view, answers(model, view, wanted, control));
  }));
}

nb::list explanations_of(const FittedModel& fitted, nb::handle rows, Index max,
                         nb::handle threads) {
  const auto found = ask(fitted, rows, threads, [&](const Rows& view, const Control& control) {
    return explain(fitted.model(), view, max, control);
  });
  nb::list all;
  for (const Explanation& one : found) {
    nb::list evidence;
    for (const Evidence& share : one.evidence)
      evidence.append(nb::make_tuple(share.feature, share.log_odds));
    all.append(nb::make_tuple(one.best, one.second, one.log_odds, one.base, evidence, one.rest));
  }
  return all;
}

Given given_of(nb::handle column, nb::handle value) {
  Given one{nb::cast<std::string>(nb::str(column)), 0.0};
  std::string level;
  double number = 0;
  if (nb::try_cast(value, level))
    one.value = level;
  else if (nb::try_cast(value, number))
    one.value = number;
  else
    throw nb::type_error(
        ("what is given of '" + one.column + "' must be a number or a string").c_str());
  return one;
}

std::string repr_of(const FittedModel& fitted) {
  const ClassifierRef model = fitted.model();
  std::string name;
  for (const BlockDescription& block : describe(model).blocks)
    name += (name.empty() ? "" : " + ") + block.model;
  return "<genera.Model " + name + ": " + counted(std::ssize(model.features()), "feature") + ", " +
         counted(std::ssize(model.classes()), "class", "classes") + ">";
}

nb::dict sample_of(const FittedModel& fitted, Index rows, std::uint64_t seed,
                   const nb::object& of_class, const nb::dict& given, std::optional<Index> length,
                   nb::handle threads) {
  SampleOptions options{.length = length};
  if (!of_class.is_none()) options.of_class = nb::cast<std::string>(of_class);
  options.given = given_cells(given);
  const JointRef model = fitted.joint();
  return dict_of(run(work_of(rows * static_cast<Index>(fitted.model().features().size())),
                     threads_of(threads), nb::none(), [&](const Control& control) {
                       return sample(model, rows, Rng(seed), options, control);
                     }));
}

nb::dict impute_of(const FittedModel& fitted, nb::handle rows, std::optional<std::uint64_t> seed,
                   nb::handle threads) {
  const JointRef model = fitted.joint();
  return dict_of(ask(fitted, rows, threads, [&](const Rows& view, const Control& control) {
                   return seed ? impute_by_draw(model, view, Rng(*seed), {}, control)
                               : impute(model, view, {}, control);
                 }).table);
}

nb::bytes bytes_of(const FittedModel& fitted, const std::string& format) {
  const std::string bytes = run(Work::brief, 1, nb::none(), [&](const Control&) {
    return to_bytes(fitted.model().copy(), format == "cbor" ? Format::cbor : Format::json);
  });
  return nb::bytes(bytes.data(), bytes.size());
}

/// Name, weight, weight in the density and model of each member of a committee; else empty.
nb::list members_of(const FittedModel& fitted) {
  nb::list list;
  const Committee* committee = fitted.model().committee();
  for (std::size_t m = 0; committee && m < committee->members().size(); ++m) {
    const Committee::Member& member = committee->members()[m];
    list.append(nb::make_tuple(member.name, member.weight, committee->density_weights()[m],
                               FittedModel(ClassifierRef(member).copy(), {})));
  }
  return list;
}

std::vector<Column> columns_of(const std::vector<std::pair<std::string, std::string>>& named) {
  std::vector<Column> columns;
  for (const auto& [name, type] : named) columns.push_back({name, column_type(type)});
  return columns;
}

nb::list pairs_of(const std::vector<Column>& columns) {
  nb::list list;
  for (const Column& column : columns)
    list.append(nb::make_tuple(column.name, std::string(name_of(column.type))));
  return list;
}

using NamedTypes = std::vector<std::pair<std::string, std::string>>;

FittedModel model_from(const nb::bytes& bytes, const NamedTypes& inputs) {
  return run(Work::brief, 1, nb::none(),
             [&, view = std::string_view(bytes.c_str(), bytes.size())](const Control&) {
               return FittedModel(classifier_from_bytes(view), columns_of(inputs));
             });
}

nb::tuple axes_of(const FittedModel& fitted) {
  CanonicalAxes axes = canonical_axes(fitted.density());
  return nb::make_tuple(list_of(axes.columns), array_of(std::move(axes.centre)),
                        array_of(std::move(axes.coefficients)),
                        array_of(std::move(axes.proportions)));
}

nb::object variates_of(const FittedModel& fitted, nb::handle rows, nb::handle threads) {
  const Model& model = fitted.density();
  return array_of(ask(fitted, rows, threads, [&](const Rows& view, const Control& control) {
    return canonical_variates(model, view, control);
  }));
}

}  // namespace

std::vector<Given> given_cells(const nb::dict& given) {
  std::vector<Given> cells;
  for (const auto& [column, value] : given) cells.push_back(given_of(column, value));
  return cells;
}

FittedModel::FittedModel(Classifier model, std::vector<Column> inputs)
    : model_(std::move(model)), inputs_(std::move(inputs)) {
  if (inputs_.empty()) inputs_ = this->model().features();
  places_ = places_of(this->model().features(), inputs_);
  if (places_.empty()) return;
  predictor_.emplace(this->model());
  row_.resize(places_.size());
}

const Model& FittedModel::density() const {
  if (const Model* density = model().model()) return *density;
  if (model().committee())
    throw Error(Errc::bad_model, "a committee of several models has no parameters of its own",
                {"ask one of its members, or fit a single model ({})", {{"model", {"best"}}}});
  (void)joint();
  return *model().model();
}

JointRef FittedModel::joint() const {
  if (const auto joint = JointRef::of(model())) return *joint;
  throw Error(Errc::bad_model,
              "a linear scorer has no density: it gives labels and posteriors only",
              "use a generative model");
}

Data FittedModel::data_of(nb::handle rows) const {
  if (nb::isinstance<Data>(rows)) return nb::cast<Data>(rows);
  const bool is_list = nb::isinstance<nb::list>(rows);
  const nb::object converted =
      is_list ? nb::module_::import_("numpy").attr("asarray")(rows, "float64") : nb::none();
  std::optional<Array> array = Array::of(is_list ? nb::handle(converted) : rows, 2);
  if (!array) throw nb::type_error("rows must be Data or an array of numbers with two dimensions");
  if (array->size(1) != static_cast<Index>(inputs_.size()))
    throw nb::value_error(("X has " + std::to_string(array->size(1)) +
                           " features, but the model is expecting " +
                           std::to_string(inputs_.size()) + " features as input")
                              .c_str());
  Data data(array->size(0));
  std::vector<Column> columns = inputs_;
  for (Column& column : columns)  // the core matches numbers to the levels of categories
    if (!is_number(column.type)) column.type = ColumnType::numeric;
  data.add_numbers(std::move(*array), columns);
  return data;
}

std::span<const double> FittedModel::one_row(nb::handle rows) const {
  if (!predictor_) return {};
  const std::optional<Array> array = Array::of(rows, 2);
  if (!array || array->size(0) != 1 || array->size(1) != static_cast<Index>(inputs_.size()))
    return {};
  detail::visit_elements(array->data(), array->type(), [&](const auto* first) {
    for (std::size_t j = 0; j < places_.size(); ++j)
      row_[j] = static_cast<double>(first[places_[j] * array->stride(1)]);
  });
  return row_;
}

std::vector<std::int32_t> FittedModel::places_for(nb::handle rows, nb::handle threads) const {
  if (const auto row = one_row(rows); !row.empty()) {
    if (const Index label = predictor_->predict(row); label >= 0)
      return {static_cast<std::int32_t>(label)};
  }
  return ask(*this, rows, threads, [&](const Rows& view, const Control& control) {
    return genera::predict(model(), view, control);
  });
}

nb::object FittedModel::predict(nb::handle rows, nb::handle threads) const {
  return array_of(places_for(rows, threads));
}

nb::object FittedModel::predict_labels(nb::handle rows, nb::handle classes,
                                       nb::handle threads) const {
  const Array labels = Array::require(classes, 1, "classes");
  if (labels.size(0) != std::ssize(model().classes()))
    throw nb::value_error("classes must be as many as those of the model");
  const std::vector<std::int32_t> places = places_for(rows, threads);
  return detail::visit_elements(labels.data(), labels.type(), [&]<class T>(const T* first) {
    auto values = std::make_unique_for_overwrite<T[]>(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) values[i] = first[places[i] * labels.stride(0)];
    return array_of(std::move(values), places.size());
  });
}

nb::object FittedModel::posterior(nb::handle rows, nb::handle threads) const {
  if (const auto row = one_row(rows); !row.empty()) {
    Matrix posterior(1, static_cast<Index>(model().classes().size()));
    if (predictor_->predict(row, posterior.row(0)) >= 0) return array_of(std::move(posterior));
  }
  return array_of(ask(*this, rows, threads, [&](const Rows& view, const Control& control) {
    return genera::posterior(model(), view, control);
  }));
}

void bind_classifier(nb::module_& module) {
  const auto threads = nb::arg("threads") = nb::none();
  nb::class_<FittedModel>(module, "Model",
                          "A fitted model of the core: immutable, safe from any number of threads.")
      .def("predict", &FittedModel::predict, nb::arg("rows"), threads)
      .def("predict_labels", &FittedModel::predict_labels, nb::arg("rows"), nb::arg("classes"),
           threads)
      .def("posterior", &FittedModel::posterior, nb::arg("rows"), threads)
      .def("log_posterior", &log_posterior_of, nb::arg("rows"), threads)
      .def("log_joint", &log_joint_of, nb::arg("rows"), threads)
      .def("scores", &scores_of, nb::arg("rows"), threads)
      .def("log_density", &log_density_of, nb::arg("rows"), threads)
      .def("mahalanobis", &distances_of, nb::arg("rows"), threads)
      .def("tail", &tails_of, nb::arg("rows"), nb::arg("seed") = 1, threads)
      .def("explain", &explanations_of, nb::arg("rows"), nb::arg("most"), threads)
      .def("sample", &sample_of, nb::arg("rows"), nb::arg("seed") = 1,
           nb::arg("of_class") = nb::none(), nb::arg("given") = nb::dict(),
           nb::arg("length") = nb::none(), threads)
      .def("canonical_axes", &axes_of)
      .def("canonical_variates", &variates_of, nb::arg("rows"), threads)
      .def("impute", &impute_of, nb::arg("rows"), nb::arg("seed") = nb::none(), threads)
      .def("describe", [](const FittedModel& f) { return dict_of(describe(f.model())); })
      .def("to_bytes", &bytes_of, nb::arg("format") = "cbor")
      .def(
          "save",
          [](const FittedModel& f, const std::string& path, const std::string& labels) {
            const LabelType type = label_type(labels);
            const nb::gil_scoped_release release;
            f.model().visit(
                [&](const auto& known) { genera::save(known.with_label_type(type), path); });
          },
          nb::arg("path"), nb::arg("labels"))
      .def("with_priors",
           [](const FittedModel& f, const Vector& priors) {
             if (const Committee* committee = f.model().committee())
               return FittedModel(committee->with_prior(Prior(priors)), f.inputs());
             return FittedModel(f.density().with_prior(Prior(priors)), f.inputs());
           })
      .def_prop_ro("classes", [](const FittedModel& f) { return list_of(f.model().classes()); })
      .def_prop_ro("priors",
                   [](const FittedModel& f) { return array_of(f.model().prior().probabilities()); })
      .def_prop_ro("target", [](const FittedModel& f) { return f.model().target(); })
      .def_prop_ro(
          "label_type",
          [](const FittedModel& f) { return std::string(name_of(f.model().label_type())); })
      .def_prop_ro("temperature", [](const FittedModel& f) { return f.model().temperature(); })
      .def_prop_ro("notes", [](const FittedModel& f) { return list_of(f.model().notes()); })
      .def_prop_ro("features", [](const FittedModel& f) { return pairs_of(f.model().features()); })
      .def_prop_ro("feature_count",
                   [](const FittedModel& f) { return f.model().features().size(); })
      .def_prop_ro("inputs", [](const FittedModel& f) { return pairs_of(f.inputs()); })
      .def_prop_ro("is_density", [](const FittedModel& f) { return f.model().has_density(); })
      .def_prop_ro("members", &members_of)
      .def("__repr__", &repr_of)
      .def("__getstate__",
           [](const FittedModel& f) {
             return nb::make_tuple(bytes_of(f, "cbor"), pairs_of(f.inputs()));
           })
      .def("__setstate__", [](FittedModel& f, const std::pair<nb::bytes, NamedTypes>& state) {
        new (&f) FittedModel(model_from(state.first, state.second));
      });
  module.def(
      "load_model", [](const std::string& path) { return FittedModel(load_classifier(path), {}); },
      nb::call_guard<nb::gil_scoped_release>());
  module.def("model_from_bytes", &model_from, nb::arg("bytes"), nb::arg("inputs") = NamedTypes());
}

}  // namespace genera::python
