#include "tables.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/stream.hpp>

#include "data.hpp"
#include "facts.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

nb::object array_of_codes(const Codes& codes) {
  std::vector<std::int32_t> values;
  values.reserve(static_cast<std::size_t>(codes.rows() * codes.columns()));
  for (Index i = 0; i < codes.rows(); ++i) {
    for (Index j = 0; j < codes.columns(); ++j) values.push_back(codes(i, j));
  }
  const nb::object flat = array_of(std::move(values));
  return flat.attr("reshape")(codes.rows(), codes.columns());
}

nb::list list_of_columns(const std::vector<Column>& columns) {
  nb::list list;
  for (const Column& column : columns)
    list.append(nb::make_tuple(column.name, std::string(name_of(column.type))));
  return list;
}

Table read(const std::string& path, const nb::object& target, const nb::dict& types,
           const std::vector<std::string>& missing_tokens, const std::vector<std::string>& drop,
           const nb::object& threads) {
  Roles roles;
  if (nb::isinstance<nb::bool_>(target))
    roles.target = nb::cast<bool>(target) ? Target() : Target::none();
  else if (!target.is_none())
    roles.target = nb::cast<std::string>(target);
  else
    roles.target = Target::if_named();
  roles.drop = drop;
  for (const auto& [name, type] : types)
    roles.types.emplace_back(nb::cast<std::string>(name), column_type(nb::cast<std::string>(type)));
  const CsvOptions csv{.missing_tokens = missing_tokens};
  return run(Work::lasting, threads_of(threads), nb::none(), [&](const Control& control) {
    return genera::read_csv(Source::path(path), roles, csv, control);
  });
}

}  // namespace

nb::dict dict_of(Table table) {
  nb::dict dict;
  dict["rows"] = table.rows();
  dict["columns"] = list_of_columns(table.columns);
  dict["numbers"] = array_of(std::move(table.numbers));
  dict["codes"] = array_of_codes(table.codes);
  nb::list levels, sparse;
  for (const auto& names : table.levels) levels.append(list_of(names));
  for (SparseColumns& columns : table.sparse)
    sparse.append(nb::make_tuple(
        columns.name,
        array_of(std::vector<std::int64_t>(columns.begins.begin(), columns.begins.end())),
        array_of(std::move(columns.places)), array_of(std::move(columns.values)),
        list_of(columns.terms)));
  dict["levels"] = levels;
  dict["sparse"] = sparse;
  dict["target"] = table.target;
  dict["classes"] = list_of(table.classes);
  dict["labels"] = array_of(std::move(table.labels));
  dict["weights"] = array_of(std::move(table.weights));
  return dict;
}

nb::object dict_of(const Description& description) {
  const auto linear = [](const std::optional<LinearScores>& scores) {
    return scores ? Fact::Value(Fact::List{scores->intercepts, scores->coefficients})
                  : Fact::Value();
  };
  const auto block = [&](const BlockDescription& one) {
    Facts all{{"type", one.type},   {"model", one.model}, {"meaning", one.meaning},
              {"lines", one.lines}, {"facts", one.facts}, {"linear", linear(one.linear)}};
    if (one.moments)
      append(all, {{"means", one.moments->means}, {"covariances", one.moments->covariances}});
    return all;
  };
  Facts parameters;
  for (const ParameterGroup& group : description.parameters)
    parameters.push_back({group.name, group.count});
  return object_of(Facts{{"blocks", genera::list_of(description.blocks, block)},
                         {"discriminants", linear(description.discriminants)},
                         {"parameters", std::move(parameters)}},
                   Numbers::arrays);
}

void bind_tables(nb::module_& module) {
  module.def(
      "read_table",
      [](const std::string& path, const nb::object& target, const nb::dict& types,
         const std::vector<std::string>& missing_tokens, const std::vector<std::string>& drop,
         const nb::object& threads) {
        return dict_of(read(path, target, types, missing_tokens, drop, threads));
      },
      nb::arg("path"), nb::arg("target") = nb::none(), nb::arg("types") = nb::dict(),
      nb::arg("missing_tokens") = std::vector<std::string>(),
      nb::arg("drop") = std::vector<std::string>(), nb::arg("threads") = nb::none());
  module.def("datasets", [] {
    nb::list all;
    for (const BuiltinDataset& one : builtin_datasets())
      all.append(nb::make_tuple(one.name, one.description));
    return all;
  });
}

}  // namespace genera::python
