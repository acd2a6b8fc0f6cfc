#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <genera/table.hpp>
#include "data/bytes/record_cutter.hpp"

/// Lines such as `1 3:0.5 17:1 # why`: a label and the nonzero entries.
namespace genera::data {

/// Options for parsing such lines.
struct SvmlightForm {
  enum class Labels { unused, optional, required };
  std::string source;  ///< name in messages
  Labels labels = Labels::required;
  bool counts = false;                                       ///< values are whole numbers >= 0
  std::optional<std::unordered_set<std::uint32_t>> known{};  ///< features to read; empty: all
};

/// Value of `Table::target` if labels are used.
inline constexpr std::string_view svmlight_target = "label";

struct SvmlightChunk {
  Table table;             ///< its features are the only element of `sparse`
  bool query_ids = false;  ///< an entry was qid:N
};

/// Throws Error (bad_data), with the place, for a line that cannot be read.
[[nodiscard]] SvmlightChunk parse_svmlight(const SvmlightForm& form, const RecordChunk& chunk);

}  // namespace genera::data
