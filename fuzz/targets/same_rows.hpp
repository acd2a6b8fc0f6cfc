#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <genera/source.hpp>
#include <genera/table.hpp>

#include "../check.hpp"

namespace genera::fuzz {

/// What came of reading: a table, or the sentence that refuses it.
struct Read {
  std::optional<Table> table{};
  std::string refused{};
};

template <class Reader>
[[nodiscard]] Read read_of(const Reader& reader) {
  Read read;
  read.refused = refusal([&] { read.table = reader(); });
  return read;
}

/// The same bytes, never more than `piece` at a time.
[[nodiscard]] Source in_pieces(std::string_view bytes, std::size_t piece, Source::Format format);

/// NaN equals NaN.
[[nodiscard]] bool same_numbers(const Matrix& a, const Matrix& b);

/// Two ways of reading the same bytes give the same table, or are refused by the same sentence.
void require_same(const Read& a, const Read& b);

}  // namespace genera::fuzz
