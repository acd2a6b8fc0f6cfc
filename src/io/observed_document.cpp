#include "io/document.hpp"

#include "io/discrete_statistics.hpp"

namespace genera::io {
namespace {

Value cases_document(const AvailableCases& cases) {
  Members members;
  put_schema(cases.counted, members);
  List classes;
  for (const ClassStatistics& one : cases.counted.classes()) {
    Members of_class;
    put_size(one, of_class);
    put_sums(one, of_class);
    if (const auto found = cases.numbers.find(one.name); found != cases.numbers.end()) {
      of_class["column_weights"] = Value{found->second.weight};
      of_class["mean"] = Value{found->second.mean};
      of_class["mean_low"] = Value{found->second.mean_low};
      of_class["scatter"] = Value{found->second.scatter};
    }
    classes.push_back(Value{std::move(of_class)});
  }
  members["classes"] = Value{std::move(classes)};
  return {std::move(members)};
}

AvailableCases read_cases(const Field& field) {
  std::vector<std::string> keys = schema_keys();
  keys.emplace_back("classes");
  field.allow_only(keys);
  AvailableCases read{.counted = read_schema(field)};
  const auto d = static_cast<Index>(read.counted.columns().size());
  for (const Field& one : field["classes"].elements("an object")) {
    one.allow_only({"name", "rows", "weight", "column_weights", "mean", "mean_low", "scatter",
                    "levels", "counts", "counts_observed", "terms"});
    ClassStatistics& of_class = read_size(one, read.counted);
    read_sums(one, read.counted, of_class);
    if (d == 0) continue;
    read.numbers[of_class.name] = {.weight = one["column_weights"].weights(d),
                                   .mean = one["mean"].numbers(d),
                                   .mean_low = one["mean_low"].numbers(d),
                                   .scatter = one["scatter"].weights(d)};
  }
  return read;
}

}  // namespace

Value to_document(const ObservedStatistics& statistics) {
  Members root;
  root["format"] = Value{std::string(observed_format)};
  root["version"] = Value{format_version};
  if (!statistics.labelled.counted.schema().empty())
    root["labelled"] = cases_document(statistics.labelled);
  if (!statistics.unlabelled.counted.schema().empty())
    root["unlabelled"] = cases_document(statistics.unlabelled);
  root["unlabelled_left_out"] = Value{static_cast<double>(statistics.unlabelled_left_out)};
  List missing;
  for (const auto& [column, cells] : statistics.missing_cells) {
    Members one;
    one["column"] = Value{column};
    one["cells"] = Value{static_cast<double>(cells)};
    missing.push_back(Value{std::move(one)});
  }
  root["missing_cells"] = Value{std::move(missing)};
  return {std::move(root)};
}

ObservedStatistics to_observed(const Value& document, const std::string& place) {
  const Field root(document, place);
  check_format(root, observed_format);
  root.allow_only(
      {"format", "version", "labelled", "unlabelled", "unlabelled_left_out", "missing_cells"});
  ObservedStatistics read;
  if (root.has("labelled")) read.labelled = read_cases(root["labelled"]);
  if (root.has("unlabelled")) read.unlabelled = read_cases(root["unlabelled"]);
  for (const ClassStatistics& one : read.unlabelled.counted.classes()) {
    if (!one.name.empty())
      root["unlabelled"].refuse("has a class with a name", "write classes under 'labelled'");
  }
  read.unlabelled_left_out = root["unlabelled_left_out"].count();
  for (const Field& one : root["missing_cells"].elements("an object")) {
    one.allow_only({"column", "cells"});
    read.missing_cells[one["column"].text()] = one["cells"].count();
  }
  return read;
}

}  // namespace genera::io
