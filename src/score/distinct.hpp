#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/table.hpp>

namespace genera::score {

/// Throws Error (bad_model) if two of the classes or features have the same name.
inline void require_distinct(const std::vector<std::string>& classes,
                             const std::vector<Column>& features) {
  const auto check = [](const auto& items, const char* what, auto name_of) {
    std::unordered_set<std::string_view> seen;
    seen.reserve(items.size());
    for (const auto& item : items) {
      if (!seen.insert(name_of(item)).second)
        throw Error(Errc::bad_model, fmt::format("the {} '{}' occurs twice", what, name_of(item)),
                    fmt::format("give each {} its own name", what));
    }
  };
  check(classes, "class", [](const std::string& name) -> std::string_view { return name; });
  check(features, "feature", [](const Column& column) -> std::string_view { return column.name; });
}

}  // namespace genera::score
