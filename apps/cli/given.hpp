#pragma once

#include "verb.hpp"

#include <genera/sample.hpp>

#include <string>
#include <vector>

/// The option --given: cells that are known.
namespace genera::cli {

[[nodiscard]] OptionText given_option();

/// COL=VALUE, cut in two: names and values may both hold '='; the first one behind a name of a
/// column of the model, or of its target, is meant. Throws Error (bad_argument): not of this form.
[[nodiscard]] std::vector<Given> given_cells(const std::vector<std::string>& items,
                                             const Model& model);

struct ColumnItem {
  std::string column, value;
};
/// The same for any option.
struct ColumnItems {
  std::string option, form;  ///< "--given", "COL=VALUE"
  std::string correct;       ///< what to write instead
};
[[nodiscard]] std::vector<ColumnItem> column_items(const ColumnItems& texts,
                                                   const std::vector<std::string>& items,
                                                   const Model& model);

}  // namespace genera::cli
