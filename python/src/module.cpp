// The module genera._genera: a thin bridge to the public headers of the library.
#include "classifier.hpp"
#include "data.hpp"
#include "errors.hpp"
#include "fit.hpp"
#include "labels.hpp"
#include "laboratory.hpp"
#include "partitions.hpp"
#include "sparse.hpp"
#include "tables.hpp"

#include <nanobind/stl/string.h>

#include <genera/version.hpp>

NB_MODULE(_genera, module) {
  using namespace genera::python;
  register_errors(module);
  bind_sparse(module);
  bind_data(module);
  bind_labels(module);
  bind_classifier(module);
  bind_parameters(module);
  bind_probability(module);
  bind_statistics(module);
  bind_partitions(module);
  bind_fit(module);
  bind_tables(module);
  bind_candidates(module);
  bind_selection(module);
  bind_comparison(module);
  bind_diagnosis(module);
  bind_evaluation(module);
  bind_figures(module);
  module.attr("version") = genera::version;
}
