#pragma once

#include <genera/error.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace genera::cli {

/// The items of `a,"b, c",d`: blanks around an item are trimmed, quotes as in CSV. A quote may end
/// before the item does, as in `"x,y"=0.5`. Throws Error (bad_argument) if a quote stays open or an
/// item is empty; `option` is named there.
[[nodiscard]] std::vector<std::string> split_list(const std::string& option, std::string_view text);

/// The items of all lists.
[[nodiscard]] std::vector<std::string> split_lists(const std::string& option,
                                                   const std::vector<std::string>& texts);

/// The items NAME=VALUE of a list, split at the last '=', because names may contain one.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> split_pairs(
    const std::string& option, const std::vector<std::string>& texts);

/// The inverse of split_list: a,"b, c".
[[nodiscard]] std::string joined_list(const std::vector<std::string>& items);

/// An option as typed in a shell: --shrinkage oas, --drop 'a b,c', --no-header.
[[nodiscard]] std::string as_typed(const OptionUse& option);

}  // namespace genera::cli
