#include "plan.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/error.hpp>

namespace genera::python {
namespace {

using Type = OptionSpec::Type;

template <class T>
bool read(const nb::handle& given, OptionValue& to) {
  T value{};
  if (!nb::try_cast(given, value)) return false;
  to = std::move(value);
  return true;
}

bool read_range(const nb::handle& given, OptionValue& to) {
  std::pair<Index, Index> range;
  if (!nb::try_cast(given, range)) return read<double>(given, to);
  to = MixtureOptions::Range{range.first, range.second};
  return true;
}

/// A Python value as the type of the option has it; anything else as its text, which the library
/// refuses with what it expected.
OptionValue value_of(const OptionSpec& option, const nb::handle& given) {
  OptionValue value;
  if (nb::isinstance<nb::str>(given) && read<std::string>(given, value)) return value;
  const bool is_bool = PyBool_Check(given.ptr());
  switch (option.type) {
    case Type::flag:
      if (is_bool) return given.ptr() == Py_True;
      break;
    case Type::number:
    case Type::whole:
    case Type::number_or_choice:
      if (!is_bool && read<double>(given, value)) return value;
      break;
    case Type::range:
      if (!is_bool && read_range(given, value)) return value;
      break;
    case Type::words:
    case Type::choices:
      if (read<std::vector<std::string>>(given, value)) return value;
      break;
    case Type::priors:
      if (read<ClassProbabilities>(given, value)) return value;
      break;
    case Type::choice:
      break;
  }
  return nb::cast<std::string>(nb::str(given));
}

/// None is what is not given.
OptionValues values_of(const nb::dict& options, const std::vector<OptionSpec>& table) {
  OptionValues values;
  for (const auto& [key, given] : options) {
    const auto name = nb::cast<std::string>(nb::str(key));
    const auto option = std::ranges::find(table, name, &OptionSpec::name);
    if (option == table.end())
      throw nb::type_error(("there is no parameter '" + name + "'").c_str());
    if (!given.is_none()) values[name] = value_of(*option, given);
  }
  return values;
}

template <class T>
T taken(nb::dict& options, const char* name, T otherwise) {
  if (!options.contains(name)) return otherwise;
  T value = nb::cast<T>(options[name]);
  nb::del(options[name]);
  return value;
}

}  // namespace

AutoOptions Plan::auto_options() const {
  return {.base = std::get<Recipe>(recipe),
          .smoothing_given = smoothing_given,
          .fit = fit,
          .folds = folds,
          .seed = seed,
          .calibrate = calibrate,
          .pool = pool,
          .simple = simple,
          .fast = fast,
          .keep_rows = keep_rows,
          .keep_types = keep_types};
}

SelectOptions Plan::select_options() const { return {.folds = folds, .seed = seed, .fit = fit}; }

bool Plan::iterates() const {
  const auto* linear = std::get_if<LinearRecipe>(&recipe);
  const auto* generative = std::get_if<Recipe>(&recipe);
  return automatic || calibrate || (generative && generative->mixture) ||
         (linear && std::holds_alternative<LogisticOptions>(linear->options));
}

Plan plan_of(const nb::dict& options) {
  nb::dict rest;
  rest.update(options);
  const auto model = taken<std::string>(rest, "model", "auto");
  const auto seed = taken<std::uint64_t>(rest, "seed", 1);
  auto keep_types = taken<std::vector<std::string>>(rest, "keep_types", {});
  return {spec_from(model, values_of(rest, model_options()), seed), seed, std::move(keep_types)};
}

ClusterOptions cluster_options_of(const nb::dict& options) {
  nb::dict rest;
  rest.update(options);
  const auto seed = taken<std::uint64_t>(rest, "seed", 1);
  return cluster_options_from(values_of(rest, cluster_options()), seed);
}

}  // namespace genera::python
