#pragma once

#include <string_view>

/// How the documents begin that models and statistics are written as.
namespace genera::data {

/// A JSON object with a key, perhaps behind a UTF-8 mark.
[[nodiscard]] inline bool begins_json_object(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  constexpr std::string_view blank = " \t\r\n";
  const auto brace = text.find_first_not_of(blank);
  if (brace == std::string_view::npos || text[brace] != '{') return false;
  const auto key = text.find_first_not_of(blank, brace + 1);
  return key != std::string_view::npos && text[key] == '"';
}

/// A map of CBOR whose first key is text.
[[nodiscard]] inline bool begins_cbor_map(std::string_view bytes) {
  if (bytes.size() < 2) return false;
  const auto major = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]) >> 5U; };
  return major(0) == 5 && major(1) == 3;
}

}  // namespace genera::data
