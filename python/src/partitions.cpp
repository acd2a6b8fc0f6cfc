// Rows in partitions that never meet: what travels between them, as bytes.
#include "partitions.hpp"

#include <cmath>

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <genera/em.hpp>
#include <genera/io.hpp>
#include <genera/softmax.hpp>

#include "classifier.hpp"
#include "data.hpp"
#include "facts.hpp"
#include "plan.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

using Inputs = std::vector<std::pair<std::string, std::string>>;

nb::bytes python_bytes(const std::string& bytes) { return nb::bytes(bytes.data(), bytes.size()); }
std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

std::vector<std::string_view> views_of(const nb::list& parts) {
  std::vector<std::string_view> views;
  for (const nb::handle part : parts) {
    if (!nb::isinstance<nb::bytes>(part)) throw nb::type_error("sums of partitions must be bytes");
    views.push_back(view_of(nb::borrow<nb::bytes>(part)));
  }
  return views;
}

/// The bytes of the merge of all parts in their order.
template <class Read>
nb::bytes merged_bytes(const nb::list& parts, const Read& read) {
  const std::vector<std::string_view> views = views_of(parts);
  if (views.empty()) throw nb::value_error("there is nothing to merge");
  return python_bytes(run(Work::brief, 1, nb::none(), [&](const Control&) {
    auto total = read(views.front());
    for (std::size_t i = 1; i < views.size(); ++i) total.merge(read(views[i]));
    return to_bytes(total, Format::cbor);
  }));
}

FittedModel model_with(Classifier model, const Inputs& inputs) {
  std::vector<Column> columns;
  for (const auto& [name, type] : inputs) columns.push_back({name, column_type(type)});
  return FittedModel(std::move(model), std::move(columns));
}

bool lacks(const NumbersView& numbers, Index column, const Rows& rows) {
  for (Index i = 0; i < rows.count(); ++i)
    if (std::isnan(numbers(rows.row(i), column))) return true;
  return false;
}

/// True if a cell of a numeric column is missing, which takes EM; counts and categories do not.
bool lacks_measurements(const Rows& rows) {
  const DataView& data = rows.data();
  std::vector<ColumnType> types;
  for (const Column& column : data.columns)
    if (is_number(column.type)) types.push_back(column.type);
  auto type = types.begin();
  for (const NumbersView& piece : data.numbers) {
    for (Index j = 0; j < piece.columns; ++j, ++type)
      if (*type == ColumnType::numeric && lacks(piece, j, rows)) return true;
  }
  return false;
}

struct Labelled {
  std::vector<Index> rows{};  ///< with a label
  Index unlabelled = 0;       ///< of a weight above 0
};

Labelled labelled_of(const Rows& rows) {
  Labelled found;
  const CodesView& labels = rows.data().labels;
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    if (labels.empty() || labels(row) >= 0)
      found.rows.push_back(row);
    else if (rows.weight(row) > 0)
      ++found.unlabelled;
  }
  return found;
}

/// Nothing if only EM can learn from these rows. A partition may have no label at all.
std::optional<Collected> collect_unless_em(const Rows& rows, const Plan& plan,
                                           const Control& control) {
  const CollectOptions options = collect_options_of(plan, rows);
  if (plan.fit.missing == Missing::refuse) return collect(rows, options, control);
  const Labelled labelled = labelled_of(rows);
  if (labelled.unlabelled > 0 && plan.fit.uses_unlabelled()) return std::nullopt;
  Collected found;
  const bool all = std::ssize(labelled.rows) == rows.count();
  const Rows known = all ? rows : rows.only(labelled.rows);
  try {
    if (known.count() > 0) found = collect(known, options, control);
  } catch (const Error& error) {
    const bool generative = std::holds_alternative<Recipe>(plan.recipe);
    const bool em = plan.fit.missing == Missing::em && generative;
    if (!em || error.code() != Errc::bad_data || !lacks_measurements(known)) throw;
    return std::nullopt;
  }
  if (plan.fit.missing == Missing::drop)
    found.dropped_rows += labelled.unlabelled;
  else
    found.unlabelled_left_out = labelled.unlabelled;
  return found;
}

/// The bytes of statistics (None without labels) and what was left out of them; None if the rows
/// need EM.
nb::object collect_partition(const Data& data, const nb::dict& options, nb::handle threads) {
  const Plan plan = plan_of(options);
  const Rows rows = data.view();
  refuse_unfit_types(plan.model, rows.data().columns);
  std::optional<Collected> found =
      run(work_of(data.cells()), threads_of(threads), nb::none(),
          [&](const Control& control) { return collect_unless_em(rows, plan, control); });
  if (!found) return nb::none();
  nb::dict left_out;
  left_out["dropped_rows"] = found->dropped_rows;
  left_out["unlabelled_left_out"] = found->unlabelled_left_out;
  left_out["missing_cells"] = found->missing_cells;
  nb::object sums = nb::none();
  if (!found->statistics.classes().empty())
    sums = python_bytes(to_bytes(found->statistics, Format::cbor));
  return nb::make_tuple(sums, left_out);
}

nb::bytes merge_statistics(const nb::list& parts) {
  return merged_bytes(parts, [](std::string_view bytes) { return statistics_from_bytes(bytes); });
}

// -- EM
// --------------------------------------------------------------------------------------------

const Recipe& generative(const Plan& plan) {
  if (const auto* recipe = std::get_if<Recipe>(&plan.recipe)) return *recipe;
  throw Error(Errc::bad_argument, "a linear model cannot learn from missing values",
              {"use {}", {{"missing", {"drop"}}}});
}

nb::bytes observe_partition(const Data& data, const nb::dict& options, nb::handle threads) {
  const Plan plan = plan_of(options);
  const Rows rows = data.view();
  return python_bytes(
      run(work_of(data.cells()), threads_of(threads), nb::none(), [&](const Control& control) {
        return to_bytes(observe(rows, generative(plan), plan.fit, control), Format::cbor);
      }));
}

nb::bytes merge_observed(const nb::list& parts) {
  return merged_bytes(parts, [](std::string_view bytes) { return observed_from_bytes(bytes); });
}

std::unique_ptr<EmPlan> em_plan(const nb::bytes& observed, const nb::dict& options,
                                nb::handle threads) {
  const Plan plan = plan_of(options);
  return run(Work::lasting, threads_of(threads), nb::none(), [&](const Control& control) {
    return std::make_unique<EmPlan>(observed_from_bytes(view_of(observed)), generative(plan),
                                    plan.fit, control);
  });
}

nb::bytes merge_expected(const EmPlan& plan, const nb::list& parts) {
  return merged_bytes(
      parts, [&](std::string_view bytes) { return expected_sums_from_bytes(bytes, plan); });
}

nb::bytes merge_patterns(const EmPlan& plan, const nb::list& parts) {
  return merged_bytes(parts,
                      [&](std::string_view bytes) { return pattern_sums_from_bytes(bytes, plan); });
}

std::unique_ptr<EmRows> em_rows(const EmPlan& plan, const Data& data, nb::handle threads) {
  const Rows rows = data.view();
  return run(work_of(data.cells()), threads_of(threads), nb::none(),
             [&](const Control& control) { return std::make_unique<EmRows>(plan, rows, control); });
}

nb::bytes complete_sums(const EmRows& rows) {
  return python_bytes(run(Work::lasting, 1, nb::none(),
                          [&](const Control&) { return to_bytes(rows.complete(), Format::cbor); }));
}

nb::bytes expected_sums(const EmRows& rows, const nb::bytes& model) {
  return python_bytes(run(Work::lasting, 1, nb::none(), [&](const Control&) {
    return to_bytes(rows.expect(model_from_bytes(view_of(model))), Format::cbor);
  }));
}

nb::bytes pattern_sums(const EmRows& rows, const nb::bytes& model) {
  return python_bytes(run(Work::lasting, 1, nb::none(), [&](const Control&) {
    return to_bytes(rows.patterns(model_from_bytes(view_of(model))), Format::cbor);
  }));
}

std::unique_ptr<Em> em_of(const EmPlan& plan, const nb::bytes& complete, nb::handle threads) {
  return run(Work::lasting, threads_of(threads), nb::none(), [&](const Control& control) {
    return std::make_unique<Em>(plan, expected_sums_from_bytes(view_of(complete), plan), control);
  });
}

bool accept(Em& em, const EmPlan& plan, const nb::bytes& expected) {
  return run(Work::lasting, 1, nb::none(), [&](const Control&) {
    return em.accept(expected_sums_from_bytes(view_of(expected), plan));
  });
}

nb::bytes em_model(const Em& em) { return python_bytes(to_bytes(em.model(), Format::cbor)); }

nb::tuple em_result(const Em& em, const EmPlan& plan, const nb::bytes& patterns,
                    const Inputs& inputs) {
  genera::Fitted<Model> found = em.result(pattern_sums_from_bytes(view_of(patterns), plan));
  return nb::make_tuple(model_with(Classifier(std::move(found.model)), inputs),
                        object_of(facts(found.report)));
}

void bind_em(nb::module_& module) {
  const auto threads = nb::arg("threads") = nb::none();
  nb::class_<EmPlan>(module, "EmPlan", "What an EM over partitions is about.")
      .def_prop_ro("key", &EmPlan::key)
      .def("merge_expected", &merge_expected, nb::arg("parts"))
      .def("merge_patterns", &merge_patterns, nb::arg("parts"));
  nb::class_<EmRows>(module, "EmRows", "The rows of one partition, prepared for EM.")
      .def("complete", &complete_sums)
      .def("expect", &expected_sums, nb::arg("model"))
      .def("patterns", &pattern_sums, nb::arg("model"));
  nb::class_<Em>(module, "Em", "The driver of an EM over partitions.")
      .def("model", &em_model)
      .def_prop_ro("done", &Em::done)
      .def_prop_ro("log_likelihood", [](const Em& em) { return em.step().log_likelihood; })
      .def("accept", &accept, nb::arg("plan"), nb::arg("expected"))
      .def("result", &em_result, nb::arg("plan"), nb::arg("patterns"), nb::arg("inputs"));
  module.def("observe_partition", &observe_partition, nb::arg("data"), nb::arg("options"), threads);
  module.def("merge_observed", &merge_observed, nb::arg("parts"));
  module.def("em_plan", &em_plan, nb::arg("observed"), nb::arg("options"), threads);
  module.def("em_rows", &em_rows, nb::arg("plan"), nb::arg("data"), threads);
  module.def("em", &em_of, nb::arg("plan"), nb::arg("complete"), threads);
}

// -- softmax regression
// ----------------------------------------------------------------------------

const LogisticOptions& logistic_of(const Plan& plan) {
  return std::get<LogisticOptions>(std::get<LinearRecipe>(plan.recipe).options);
}

nb::bytes collect_softmax_partition(const Data& data, const nb::dict& options, nb::handle threads) {
  const Plan plan = plan_of(options);
  const Rows rows = data.view();
  return python_bytes(
      run(work_of(data.cells()), threads_of(threads), nb::none(), [&](const Control& control) {
        const Missing missing = plan.fit.missing == Missing::drop ? Missing::drop : Missing::refuse;
        return to_bytes(collect_softmax(rows, missing, control));
      }));
}

template <class Sums, class Read>
nb::bytes merged_cbor(const nb::list& parts, const Read& read) {
  const std::vector<std::string_view> views = views_of(parts);
  return python_bytes(run(Work::brief, 1, nb::none(), [&](const Control&) {
    Sums total;
    for (const std::string_view part : views) total.merge(read(part));
    return to_bytes(total);
  }));
}

nb::bytes merge_softmax_statistics(const nb::list& parts) {
  return merged_cbor<SoftmaxStatistics>(
      parts, [](std::string_view bytes) { return softmax_statistics_from_bytes(bytes); });
}

nb::bytes merge_softmax_sums(const nb::list& parts) {
  return merged_cbor<SoftmaxSums>(
      parts, [](std::string_view bytes) { return softmax_sums_from_bytes(bytes); });
}

std::unique_ptr<SoftmaxPlan> softmax_plan(const nb::bytes& statistics, const nb::dict& options) {
  const Plan plan = plan_of(options);
  return std::make_unique<SoftmaxPlan>(
      plan_softmax(softmax_statistics_from_bytes(view_of(statistics)), logistic_of(plan)));
}

std::unique_ptr<SoftmaxPartition> softmax_partition(const nb::bytes& layout, const Data& data,
                                                    Index first_row, nb::handle threads) {
  const Rows rows = data.view();
  return run(work_of(data.cells()), threads_of(threads), nb::none(), [&](const Control& control) {
    return std::make_unique<SoftmaxPartition>(softmax_layout_from_bytes(view_of(layout)), rows,
                                              first_row, control);
  });
}

nb::bytes softmax_answer(SoftmaxPartition& partition, const nb::bytes& request) {
  return python_bytes(run(Work::lasting, 1, nb::none(), [&](const Control&) {
    return to_bytes(partition.answer(softmax_request_from_bytes(view_of(request))));
  }));
}

/// `ask` gets the name of a request and its bytes, and returns the bytes of the merged answers.
nb::tuple fit_softmax_partitions(const SoftmaxPlan& plan, const nb::callable& ask,
                                 const Inputs& inputs) {
  const auto asked = [&](const SoftmaxRequest& request) {
    const nb::bytes answer = nb::cast<nb::bytes>(
        ask(std::string(name_of(request.kind)).c_str(), python_bytes(to_bytes(request))));
    return softmax_sums_from_bytes(view_of(answer));
  };
  genera::Fitted<LinearModel> found = fit_softmax(plan, asked);
  return nb::make_tuple(model_with(Classifier(std::move(found.model)), inputs),
                        object_of(facts(found.report)));
}

void bind_softmax(nb::module_& module) {
  const auto threads = nb::arg("threads") = nb::none();
  nb::class_<SoftmaxPlan>(module, "SoftmaxPlan",
                          "What the driver of softmax regression over partitions knows.")
      .def_prop_ro("layout", [](const SoftmaxPlan& p) { return python_bytes(to_bytes(p.layout)); });
  nb::class_<SoftmaxPartition>(module, "SoftmaxPartition",
                               "The rows of one partition, laid out for softmax regression.")
      .def("answer", &softmax_answer, nb::arg("request"));
  module.def("collect_softmax_partition", &collect_softmax_partition, nb::arg("data"),
             nb::arg("options"), threads);
  module.def("merge_softmax_statistics", &merge_softmax_statistics, nb::arg("parts"));
  module.def("merge_softmax_sums", &merge_softmax_sums, nb::arg("parts"));
  module.def("softmax_plan", &softmax_plan, nb::arg("statistics"), nb::arg("options"));
  module.def("softmax_partition", &softmax_partition, nb::arg("layout"), nb::arg("data"),
             nb::arg("first_row"), threads);
  module.def("fit_softmax_partitions", &fit_softmax_partitions, nb::arg("plan"), nb::arg("ask"),
             nb::arg("inputs"));
}

}  // namespace

void bind_partitions(nb::module_& module) {
  module.def("collect_partition", &collect_partition, nb::arg("data"), nb::arg("options"),
             nb::arg("threads") = nb::none(),
             "The bytes of statistics, and what was left out of them; None if the rows need EM.");
  module.def("merge_statistics", &merge_statistics, nb::arg("parts"));
  bind_em(module);
  bind_softmax(module);
}

}  // namespace genera::python
