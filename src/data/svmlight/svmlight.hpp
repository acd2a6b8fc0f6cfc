#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <genera/table.hpp>
#include "data/bytes/record_cutter.hpp"

/// Lines such as `1 3:0.5 17:1 # why`: a label and the entries that are not 0.
namespace genera::data {

/// How such lines become rows.
struct SvmlightForm {
  enum class Labels { unused, optional, required };
  std::string source;  ///< as shown in messages
  Labels labels = Labels::required;
  bool counts = false;                                       ///< values are whole numbers >= 0
  std::optional<std::unordered_set<std::uint32_t>> known{};  ///< only these features; empty: all
};

/// What `Table::target` is if the labels are used.
inline constexpr std::string_view svmlight_target = "label";

struct SvmlightChunk {
  Table table;             ///< its features are the only member of `sparse`
  bool query_ids = false;  ///< some entry was qid:N
};

/// Throws Error (bad_data) with the place on a line that cannot be read.
[[nodiscard]] SvmlightChunk parse_svmlight(const SvmlightForm& form, const RecordChunk& chunk);

}  // namespace genera::data
