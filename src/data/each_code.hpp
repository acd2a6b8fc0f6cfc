#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <genera/rows.hpp>

namespace genera::data {

/// Codes of one column for these rows; -1 if missing.
[[nodiscard]] inline std::vector<std::int32_t> codes_of(const CodesView& column, const Rows& rows) {
  std::vector<std::int32_t> codes(static_cast<std::size_t>(rows.count()));
  if (column.valid != nullptr) {
    for (std::size_t i = 0; i < codes.size(); ++i)
      codes[i] = column(rows.row(static_cast<Index>(i)));
    return codes;
  }
  genera::detail::visit_elements(column.data, column.type, [&]<class T>(const T* first) {
    // No wider than needed, for vectorisation.
    using Wide =
        std::conditional_t<sizeof(T) <= sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
    /// negative codes are larger after conversion
    const auto known = static_cast<Wide>(column.names.size());
    const auto code_at = [&](const T* at) {
      return static_cast<Wide>(*at) < known ? static_cast<std::int32_t>(*at) : -1;
    };
    const Index begin = rows.count() > 0 ? rows.row(0) : 0;
    if (rows.contiguous() && column.stride == 1) {
      for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = code_at(first + begin + i);
    } else {
      for (std::size_t i = 0; i < codes.size(); ++i)
        codes[i] = code_at(first + rows.row(static_cast<Index>(i)) * column.stride);
    }
  });
  return codes;
}

/// Columns of codes that are contiguous in memory, as in a table.
struct AdjacentCodes {
  const std::int32_t* first = nullptr;  ///< null: not contiguous
  Index stride = 0;
  std::vector<std::uint32_t> levels;

  explicit AdjacentCodes(std::span<const CodesView> columns) {
    if (columns.empty()) return;
    const auto* const begin = static_cast<const std::int32_t*>(columns.front().data);
    const Index apart = columns.front().stride;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const CodesView& codes = columns[j];
      const bool plain = codes.type == Element::i32 && codes.valid == nullptr;
      if (!plain || codes.data != begin + j || codes.stride != apart) return;
      levels.push_back(static_cast<std::uint32_t>(codes.names.size()));
    }
    first = begin;
    stride = apart;
  }
};

/// False only if no code is missing in these rows. Tests all cells without a branch per cell.
[[nodiscard]] inline bool may_lack_codes(const DataView& data, std::span<const Index> rows) {
  if (data.codes.empty()) return false;
  const AdjacentCodes adjacent(data.codes);
  if (adjacent.first == nullptr) return true;
  const std::size_t d = data.codes.size();
  std::uint32_t signs = 0;  // of the codes and of last level minus code
  for (const Index i : rows) {
    const std::int32_t* const row = adjacent.first + i * adjacent.stride;
    for (std::size_t j = 0; j < d; ++j) {
      const auto code = static_cast<std::uint32_t>(row[j]);
      signs |= code | (adjacent.levels[j] - 1 - code);
    }
  }
  constexpr int sign_bit = 31;
  return signs >> sign_bit != 0;
}

/// Calls begin(i) for each row rows[i] and then visit(column, code) for each column of codes, with
/// -1 for missing. Memory is read in order, and the sums of different columns are independent.
template <class Begin, class Visit>
void each_code(const DataView& data, std::span<const Index> rows, Begin begin, Visit visit) {
  const AdjacentCodes adjacent(data.codes);
  const std::size_t d = data.codes.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    begin(i);
    if (adjacent.first == nullptr) {
      for (std::size_t j = 0; j < d; ++j) visit(j, data.codes[j](rows[i]));
      continue;
    }
    const std::int32_t* const row = adjacent.first + rows[i] * adjacent.stride;
    for (std::size_t j = 0; j < d; ++j)
      visit(j, static_cast<std::uint32_t>(row[j]) < adjacent.levels[j] ? row[j] : -1);
  }
}

}  // namespace genera::data
