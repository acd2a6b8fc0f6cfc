#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace genera::cli {

/// The items of `a,"b, c",d`: blanks around an item are trimmed, quotes as in CSV. A quote may end
/// before the item does, as in `"x,y"=0.5`. Throws Error (bad_argument) if a quote stays open or an
/// item is empty; `option` is named there.
[[nodiscard]] std::vector<std::string> split_list(const std::string& option, std::string_view text);

/// The items of all lists, one after the other.
[[nodiscard]] std::vector<std::string> split_lists(const std::string& option,
                                                   const std::vector<std::string>& texts);

/// The items NAME=VALUE of a list, cut at the last '=' (names may hold one).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> split_pairs(
    const std::string& option, const std::vector<std::string>& texts);

}  // namespace genera::cli
