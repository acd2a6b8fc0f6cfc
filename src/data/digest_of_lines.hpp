#pragma once

#include <cstdint>
#include <string_view>

namespace genera::data {

/// The sum of a hash of each line that is not blank, so that neither the order of lines nor the
/// places where a text is cut into chunks matter. Line ends do not count. Of lines of more than 64
/// bytes the first and the last 32 and the length are hashed, which costs a small part of parsing.
[[nodiscard]] std::uint64_t digest_of_lines(std::string_view text);

}  // namespace genera::data
