#include "tables.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/stream.hpp>

#include "data.hpp"
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

nb::object diagonal_matrix(const Diagonal& diagonal) {
  const auto d = static_cast<Index>(diagonal.entries.size());
  Matrix full(d, d);
  for (Index j = 0; j < d; ++j) full(j, j) = diagonal.entries[static_cast<std::size_t>(j)];
  return array_of(std::move(full));
}

nb::dict dict_of_facts(const Facts& facts);

struct ToPython {
  nb::object operator()(bool value) const { return nb::bool_(value); }
  nb::object operator()(double value) const { return nb::float_(value); }
  nb::object operator()(const std::string& text) const { return nb::cast(text); }
  nb::object operator()(const Fact::Names& names) const { return list_of(names); }
  nb::object operator()(const std::vector<Fact::Names>& lists) const {
    nb::list all;
    for (const Fact::Names& names : lists) all.append(list_of(names));
    return all;
  }
  nb::object operator()(const Vector& values) const { return array_of(values); }
  nb::object operator()(const Matrix& values) const { return array_of(values); }
  nb::object operator()(const std::vector<Matrix>& matrices) const {
    nb::list all;
    for (const Matrix& matrix : matrices) all.append(array_of(matrix));
    return all;
  }
  nb::object operator()(const Diagonal& diagonal) const { return diagonal_matrix(diagonal); }
  nb::object operator()(const std::vector<Facts>& lists) const {
    nb::list all;
    for (const Facts& facts : lists) all.append(dict_of_facts(facts));
    return all;
  }
};

nb::dict dict_of_facts(const Facts& facts) {
  nb::dict dict;
  for (const Fact& fact : facts) dict[fact.key.c_str()] = std::visit(ToPython{}, fact.value);
  return dict;
}

nb::object linear_of(const std::optional<LinearScores>& linear) {
  if (!linear) return nb::none();
  return nb::make_tuple(array_of(linear->intercepts), array_of(linear->coefficients));
}

nb::dict dict_of_block(const BlockDescription& block) {
  nb::dict dict;
  dict["type"] = block.type;
  dict["model"] = block.model;
  dict["meaning"] = block.meaning;
  dict["lines"] = list_of(block.lines);
  dict["facts"] = dict_of_facts(block.facts);
  if (block.moments) {
    nb::list covariances;
    for (const Covariance& covariance : block.moments->covariances)
      covariances.append(std::visit(
          [](const auto& known) -> nb::object {
            if constexpr (std::is_same_v<decltype(known), const Matrix&>)
              return array_of(known);
            else
              return diagonal_matrix(known);
          },
          covariance));
    dict["means"] = array_of(block.moments->means);
    dict["covariances"] = covariances;
  }
  dict["linear"] = linear_of(block.linear);
  return dict;
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

nb::dict dict_of(const Description& description) {
  nb::dict dict;
  nb::list blocks;
  for (const BlockDescription& block : description.blocks) blocks.append(dict_of_block(block));
  nb::dict parameters;
  for (const ParameterGroup& group : description.parameters)
    parameters[group.name.c_str()] = group.count;
  dict["blocks"] = blocks;
  dict["discriminants"] = linear_of(description.discriminants);
  dict["parameters"] = parameters;
  return dict;
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
