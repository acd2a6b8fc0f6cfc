#pragma once

#include <genera/fit.hpp>
#include <genera/stream.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What the user writes <-> what the library takes. Everything here throws Error (bad_argument)
/// with the nearest names.
namespace genera::cli {

[[nodiscard]] Family parse_family(const std::string& text);
[[nodiscard]] Divisor parse_divisor(const std::string& text);
[[nodiscard]] Shrinkage parse_shrinkage(const std::string& text);
[[nodiscard]] Toward parse_toward(const std::string& text);
[[nodiscard]] OnSingular parse_on_singular(const std::string& text);
[[nodiscard]] Missing parse_missing(const std::string& text);
[[nodiscard]] ColumnType parse_column_type(const std::string& text);
[[nodiscard]] PriorChoice parse_priors(const std::string& text);
[[nodiscard]] char parse_delimiter(const std::string& text);
[[nodiscard]] char parse_decimal(const std::string& text);

/// A finite number; `option` is named in the error.
[[nodiscard]] double parse_number(const std::string& option, const std::string& text);
[[nodiscard]] int parse_threads(const std::string& text);
[[nodiscard]] std::uint64_t parse_seed(const std::string& text);

/// What a member of the family says of the covariances, in words.
[[nodiscard]] std::string_view meaning_of(Family family);

}  // namespace genera::cli
