#pragma once

#include <string_view>
#include <vector>

namespace genera::data {

/// A file of data/ as it was when the library was built.
struct BuiltinText {
  std::string_view name;  ///< without ".csv"
  std::string_view description;
  std::string_view text;
};

/// All of them, in the order of data/catalogue.txt. Written by cmake/builtin_data.cmake.
[[nodiscard]] std::vector<BuiltinText> builtin_texts();

}  // namespace genera::data
