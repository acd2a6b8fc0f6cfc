#include "given.hpp"

#include <genera/description.hpp>
#include <genera/error.hpp>

#include <algorithm>

namespace genera::cli {
namespace {

ColumnItem column_item(const ColumnItems& texts, const std::string& item,
                       const std::vector<std::string>& columns) {
  std::size_t equals = item.rfind('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == item.size())
    throw Error(Errc::bad_argument,
                texts.option + ": '" + item + "' is not of the form " + texts.form, texts.correct);
  for (std::size_t at = item.find('='); at != std::string::npos; at = item.find('=', at + 1)) {
    if (std::find(columns.begin(), columns.end(), item.substr(0, at)) == columns.end()) continue;
    equals = at;
    break;
  }
  return {item.substr(0, equals), item.substr(equals + 1)};
}

}  // namespace

OptionText given_option() {
  return {"--given", "COL=VALUE,…",
          "cells that are known: numbers, counts, levels, or the class under the target's name "
          "(repeatable; the list accepts CSV quoting)"};
}

std::vector<ColumnItem> column_items(const ColumnItems& texts,
                                     const std::vector<std::string>& items, const Model& model) {
  std::vector<std::string> columns = feature_names(model);
  columns.push_back(model.target());
  std::vector<ColumnItem> cut;
  for (const std::string& item : items) cut.push_back(column_item(texts, item, columns));
  return cut;
}

std::vector<Given> given_cells(const std::vector<std::string>& items, const Model& model) {
  const ColumnItems texts{"--given", "COL=VALUE",
                          "write a column, '=' and its value, as in petal_length=1.5"};
  std::vector<Given> given;
  for (ColumnItem& item : column_items(texts, items, model))
    given.push_back({std::move(item.column), std::move(item.value)});
  return given;
}

}  // namespace genera::cli
