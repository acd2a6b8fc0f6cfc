#include <genera/diagnosis.hpp>

#include "data.hpp"
#include "facts.hpp"
#include "laboratory.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

Facts with_notes(const Diagnosis& diagnosis) {
  Facts all = facts(diagnosis);
  append(all, facts(diagnosis.notes));
  return all;
}

nb::object diagnose_data(const Data& data, Index outliers, std::uint64_t seed, nb::handle threads,
                         const nb::object& tell) {
  const DiagnosisOptions options{.max_outliers = outliers, .seed = seed};
  const Rows rows = data.view();
  return object_of(
      with_notes(run(Work::lasting, threads_of(threads), tell,
                     [&](const Control& control) { return diagnose(rows, options, control); })));
}

}  // namespace

void bind_diagnosis(nb::module_& module) {
  module.def("diagnose", &diagnose_data, nb::arg("data"), nb::arg("outliers"), nb::arg("seed"),
             nb::arg("threads") = nb::none(), nb::arg("tell") = nb::none(),
             "What the numbers say about the choice of a model.");
  module.def("diagnose_statistics", [](const Statistics& statistics) {
    return object_of(with_notes(diagnose(statistics)));
  });
}

}  // namespace genera::python
