#pragma once

#include <algorithm>
#include <string_view>

/// Recognition of the documents that hold models and statistics by their first bytes.
namespace genera::data {

/// A JSON object with a key, optionally after a UTF-8 byte order mark.
[[nodiscard]] inline bool begins_json_object(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  constexpr std::string_view blank = " \t\r\n";
  const auto brace = text.find_first_not_of(blank);
  if (brace == std::string_view::npos || text[brace] != '{') return false;
  const auto key = text.find_first_not_of(blank, brace + 1);
  return key != std::string_view::npos && text[key] == '"';
}

/// A document of this library whose first key is "classes", like statistics, even if truncated.
[[nodiscard]] inline bool begins_with_classes(std::string_view start) {
  const auto begins = [&](std::size_t at, std::string_view name) {
    const std::string_view rest = start.substr(std::min(at, start.size()));
    return !rest.empty() && (rest.starts_with(name) || name.starts_with(rest));
  };
  const auto quote = start.find('"');
  const bool json = start.find('\n') < quote && begins(quote, "\"classes\"");
  return json || begins(1,
                        "\x67"
                        "classes");
}

/// A CBOR map whose first key is text.
[[nodiscard]] inline bool begins_cbor_map(std::string_view bytes) {
  if (bytes.size() < 2) return false;
  const auto major = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]) >> 5U; };
  return major(0) == 5 && major(1) == 3;
}

}  // namespace genera::data
