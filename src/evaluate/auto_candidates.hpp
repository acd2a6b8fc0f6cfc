#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <genera/fit_auto.hpp>

/// What fit_auto chooses among.
namespace genera::select_detail {

/// A way to read the columns; the table is that of the sample, read so.
struct Reading {
  std::vector<std::pair<std::string, ColumnType>> types;
  std::optional<ColumnType> default_type;
  std::string words;  ///< "categories instead of numbers: 'a', 'b'"; empty: as the data suggest
  std::shared_ptr<const Table> table;
};

struct AutoCandidate {
  std::string name;
  std::string kind;  ///< without the numbers of a grid
  Recipe recipe;
  const Reading* reading;
};

struct AutoCandidates {
  std::vector<std::unique_ptr<const Reading>> readings;  ///< the first: as the data suggest
  std::vector<AutoCandidate> list;                       ///< simple ones first: ties go to them
};

/// `sample` as the data suggest; the types of the columns `told` are not varied. If fits are
/// `expensive` (EM), there are fewer.
[[nodiscard]] AutoCandidates auto_candidates(std::shared_ptr<const Table> sample,
                                             const std::vector<std::string>& told,
                                             const AutoOptions& options, bool expensive);

}  // namespace genera::select_detail
