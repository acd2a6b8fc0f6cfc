#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include <genera/select.hpp>

/// Choosing, comparing, diagnosing, evaluating, and what figures show of that.
namespace genera::python {

namespace nb = nanobind;

template <class T>
[[nodiscard]] nb::object optional_of(const std::optional<T>& value) {
  return value ? nb::cast(*value) : nb::none();
}

/// What Python names as a list of (name, parameters, Data or None for the rows of all); of their
/// rows those of `keep`, if it is not empty.
[[nodiscard]] std::vector<Candidate> candidates_of(const nb::list& given,
                                                   std::span<const Index> keep);

void bind_candidates(nb::module_& module);
void bind_selection(nb::module_& module);
void bind_comparison(nb::module_& module);
void bind_diagnosis(nb::module_& module);
void bind_evaluation(nb::module_& module);
void bind_figures(nb::module_& module);

}  // namespace genera::python
