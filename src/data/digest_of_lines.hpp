#pragma once

#include <cstdint>
#include <string_view>

namespace genera::data {

/// The sum of a hash of each line that is not blank, so that neither the order of lines nor the
/// division of a text into chunks matters. Line ends do not count. Of a line of more than 64 bytes
/// only the first and the last 32 bytes and the length are hashed, to keep it cheap beside parsing.
[[nodiscard]] std::uint64_t digest_of_lines(std::string_view text);

}  // namespace genera::data
