#pragma once

#include <cstdint>
#include <span>

#include <genera/types.hpp>

namespace genera::kernel {

/// Consecutive fields of a text.
struct FieldsAhead {
  const char* begin;                     ///< of the first field
  const char* base;                      ///< origin of the stops
  std::span<const std::uint32_t> stops;  ///< end of each field
};

/// Number of bytes read before the end of a field, wherever it begins.
inline constexpr Index short_number_bytes = 16;
/// Maximum number of numbers per call.
inline constexpr Index max_short_numbers = 64;

/// Parses numbers in the common form: sign, digits, decimal sign, digits, up to 15 characters after
/// the sign, followed by the delimiter. Returns how many fields from the first on have this form;
/// `values` receives them with the same bits as any other parser. Returns 0 on machines without
/// support.
[[nodiscard]] Index short_numbers(const FieldsAhead& fields, char delimiter, char decimal,
                                  double* values);

}  // namespace genera::kernel
