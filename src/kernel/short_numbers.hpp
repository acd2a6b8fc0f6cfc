#pragma once

#include <cstdint>
#include <span>

#include <genera/types.hpp>

namespace genera::kernel {

/// Fields of a text, one behind the other.
struct FieldsAhead {
  const char* begin;                     ///< of the first
  const char* base;                      ///< from where the stops count
  std::span<const std::uint32_t> stops;  ///< the byte behind each
};

/// So many bytes are read before the end of a field, wherever it begins.
inline constexpr Index short_number_bytes = 16;
/// So many numbers are read in one call.
inline constexpr Index max_short_numbers = 64;

/// Numbers as most are written: sign, digits, decimal sign, digits, up to 15 characters behind the
/// sign, and then the delimiter. Returns how many fields from the first on are such; `values` are
/// theirs, with the bits of any other way of reading them. Not every machine can do it: it may say
/// none.
[[nodiscard]] Index short_numbers(const FieldsAhead& fields, char delimiter, char decimal,
                                  double* values);

}  // namespace genera::kernel
