#pragma once

#include "verb.hpp"

#include <genera/sample.hpp>

#include <string>
#include <vector>

/// The option --given: known values of a row.
namespace genera::cli {

[[nodiscard]] OptionText given_option();

/// COL=VALUE, split at the first '=' that follows the name of a column of the model or of its
/// target; names and values may contain '='. Throws Error (bad_argument).
[[nodiscard]] std::vector<Given> given_cells(const std::vector<std::string>& items,
                                             const Model& model);

struct ColumnItem {
  std::string column, value;
};
/// How an error describes the option.
struct ColumnItems {
  std::string option, form;  ///< "--given", "COL=VALUE"
  std::string correct;       ///< an example of a correct value
};
[[nodiscard]] std::vector<ColumnItem> column_items(const ColumnItems& texts,
                                                   const std::vector<std::string>& items,
                                                   const Model& model);

}  // namespace genera::cli
