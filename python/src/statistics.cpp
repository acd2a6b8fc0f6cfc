// Additive statistics: partial_fit, merge and forget.
#include <algorithm>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <genera/fit.hpp>
#include <genera/io.hpp>

#include "classifier.hpp"
#include "facts.hpp"
#include "fit.hpp"
#include "partitions.hpp"
#include "plan.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

bool has_sparse_matrix(const Rows& rows) {
  return std::ranges::any_of(rows.data().sparse,
                             [](const SparseView& one) { return one.kind != SparseKind::text; });
}

void require_statistics(const Plan& plan) {
  if (!plan.automatic && !plan.calibrate) return;
  throw Error(Errc::bad_argument,
              plan.automatic ? "auto chooses a model by rows held out: statistics are not enough"
                             : "a temperature takes rows held out: statistics are not enough",
              {"use {} without {}, or fit", {{"model", {"lda"}}, {"calibrate"}}});
}

/// Numbers are cut into the bins of `like`, if it is not null.
std::unique_ptr<Statistics> collected(const Data& data, const nb::dict& options, nb::handle threads,
                                      const Statistics* like) {
  const Plan plan = plan_of(options);
  require_statistics(plan);
  const Rows rows = data.view();
  CollectOptions collecting = collect_options_of(plan, rows);
  if (like != nullptr) collecting.cuts = cuts_of(like->schema());
  Collected found = run(work_of(data.cells()), threads_of(threads), nb::none(),
                        [&](const Control& control) { return collect(rows, collecting, control); });
  return std::make_unique<Statistics>(std::move(found.statistics));
}

nb::tuple estimated(const Statistics& statistics, const nb::dict& options,
                    const std::vector<std::pair<std::string, std::string>>& inputs,
                    nb::handle threads) {
  const Plan plan = plan_of(options);
  require_statistics(plan);
  genera::Fitted<Classifier> found =
      run(Work::brief, threads_of(threads), nb::none(),
          [&](const Control& control) { return estimate(statistics, plan.recipe, control); });
  std::vector<Column> columns;
  for (const auto& [name, type] : inputs) columns.push_back({name, column_type(type)});
  return nb::make_tuple(FittedModel(std::move(found.model), std::move(columns)),
                        object_of(facts(found.report)));
}

nb::bytes bytes_of(const Statistics& statistics) {
  const std::string bytes = to_bytes(statistics, Format::cbor);
  return nb::bytes(bytes.data(), bytes.size());
}

nb::dict weights_of(const Statistics& statistics) {
  nb::dict classes;
  for (const ClassStatistics& one : statistics.classes())
    classes[one.name.c_str()] = nb::make_tuple(one.rows, one.weight);
  return classes;
}

/// Mean and scatter of the numbers of each class, and their weight.
nb::dict moments_of(const Statistics& statistics) {
  nb::dict classes;
  for (const ClassStatistics& one : statistics.classes())
    classes[one.name.c_str()] = nb::make_tuple(array_of(one.moments.mean),
                                               array_of(one.moments.scatter), one.moments.weight);
  return classes;
}

/// Sums of the counts of each class: of columns, or of the terms of a sparse matrix by name.
nb::dict sums_of(const Statistics& statistics) {
  nb::dict classes;
  for (const ClassStatistics& one : statistics.classes())
    classes[one.name.c_str()] =
        array_of(one.terms.empty() ? one.counts.sums : one.terms.front().sums);
  return classes;
}

/// The means of the numbers, counts and columns of a sparse matrix in the first class, by name.
nb::dict first_means_of(const Statistics& statistics) {
  nb::dict means;
  const auto put = [&](const std::vector<std::string>& names, const auto& mean) {
    for (std::size_t j = 0; j < names.size(); ++j) means[names[j].c_str()] = mean(j);
  };
  if (statistics.classes().empty()) return means;
  const ClassStatistics& first = statistics.classes().front();
  const auto at = [](const Vector& sums, std::size_t j) { return j < sums.size() ? sums[j] : 0; };
  put(statistics.columns(), [&](std::size_t j) { return first.moments.mean[j]; });
  put(statistics.schema().names_of(ColumnType::count),
      [&](std::size_t j) { return first.counts.sums[j] / first.counts.observed[j]; });
  if (statistics.schema().sparse_matrix)
    put(statistics.terms().front().names(),
        [&](std::size_t j) { return at(first.terms.front().sums, j) / first.weight; });
  return means;
}

/// Weights of the levels of each coded column in each class, and what they are called.
nb::tuple levels_of(const Statistics& statistics) {
  nb::list names;
  for (const auto& one : statistics.levels()) names.append(list_of(one.names()));
  nb::dict classes;
  for (const ClassStatistics& one : statistics.classes()) {
    nb::list columns;
    for (const Vector& weights : one.levels) columns.append(array_of(weights));
    classes[one.name.c_str()] = columns;
  }
  return nb::make_tuple(names, classes);
}

std::string repr_of(const Statistics& statistics) {
  Index rows = 0;
  for (const ClassStatistics& one : statistics.classes()) rows += one.rows;
  return "<genera.Statistics of " + counted(rows, "row") + " in " +
         counted(std::ssize(statistics.classes()), "class", "classes") + ">";
}

nb::object subtracted(Statistics& statistics, const Statistics& other) {
  const std::vector<Note> notes = statistics.subtract(other);  // as it was, if that fails
  return object_of(genera::list_of(notes, [](const Note& note) { return note.text; }));
}

}  // namespace

CollectOptions collect_options_of(const Plan& plan, const Rows& rows) {
  CollectOptions options;
  // What EM would learn from cannot be added up.
  options.missing = plan.fit.missing == Missing::drop ? Missing::drop : Missing::refuse;
  if (const Recipe* recipe = std::get_if<Recipe>(&plan.recipe)) {
    const bool counted = has_sparse_matrix(rows) && recipe->discrete.sparse_counts;
    options.scatter = counted ? Scatter::none : scatter_needed(*recipe);  // as fit keeps it
    options.joint = recipe->discrete.joint;
    options.pairs = recipe->discrete.pairs;
    options.max_bins = recipe->discrete.max_bins;
  } else {  // as the bytes of statistics have it
    options.scatter = has_sparse_matrix(rows) ? Scatter::none : Scatter::diagonal;
  }
  return options;
}

void bind_statistics(nb::module_& module) {
  nb::class_<Statistics>(module, "Statistics",
                         "Additive sufficient statistics: what models in closed form are made of.")
      .def(nb::init<>())
      .def("copy", [](const Statistics& s) { return std::make_unique<Statistics>(s); })
      .def("merge", [](Statistics& s, const Statistics& other) { s.merge(other); })
      .def("subtract", &subtracted)
      .def("forget_class", &Statistics::forget_class)
      .def(
          "without_unused_names",
          [](const Statistics& s) { return std::make_unique<Statistics>(without_unused_names(s)); })
      .def(
          "save", [](const Statistics& s, const std::string& path) { genera::save(s, path); },
          nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("weight", &Statistics::weight)
      .def_prop_ro("classes", &weights_of)
      .def_prop_ro("terms",
                   [](const Statistics& s) {
                     return s.terms().empty() ? nb::list() : list_of(s.terms().front().names());
                   })
      .def("moments", &moments_of)
      .def("first_means", &first_means_of)
      .def("count_sums", &sums_of)
      .def("level_sums", &levels_of)
      .def("to_bytes", &bytes_of, "As bytes, for a file or another process.")
      .def_static(
          "from_bytes",
          [](const nb::bytes& bytes) {
            return std::make_unique<Statistics>(
                statistics_from_bytes({bytes.c_str(), bytes.size()}));
          },
          nb::arg("bytes"), "What to_bytes has written. Raises Error if the bytes are damaged.")
      .def("__repr__", &repr_of)
      .def("__getstate__", &bytes_of)
      .def("__setstate__", [](Statistics& s, const nb::bytes& bytes) {
        new (&s) Statistics(statistics_from_bytes({bytes.c_str(), bytes.size()}));
      });
  module.def("collect", &collected, nb::arg("data"), nb::arg("options"),
             nb::arg("threads") = nb::none(), nb::arg("like") = nb::none());
  module.def("estimate", &estimated, nb::arg("statistics"), nb::arg("options"), nb::arg("inputs"),
             nb::arg("threads") = nb::none());
  module.def(
      "load_statistics",
      [](const std::string& path) { return std::make_unique<Statistics>(load_statistics(path)); },
      nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace genera::python
