#pragma once

#include <memory>
#include <string>
#include <vector>

#include <genera/fit_auto.hpp>

#include "evaluate/reading.hpp"

/// What fit_auto chooses among.
namespace genera::select_detail {

struct AutoCandidate {
  std::string name;
  std::string kind;  ///< without the numbers of a grid
  /// Of whatever reading; only the best of a family can be a member of a committee.
  std::string family;
  Recipe recipe;
  const Reading* reading;
};

struct AutoCandidates {
  std::vector<std::unique_ptr<const Reading>> readings;  ///< the first: as the data suggest
  std::vector<AutoCandidate> list;                       ///< simple ones first: ties go to them
};

/// Rows to choose by. What they are depends on the numbers, not on how these are stored.
struct AutoSample {
  std::shared_ptr<const Table> table;
  Storage storage = Storage::as_given;  ///< of the table
  bool wide = false;                    ///< mostly zeros, and too large for full covariances
  bool counts = false;                  ///< mostly zeros, and whole numbers of at least 0
};
/// A sparse matrix of numbers is laid out unless it is wide. `rows`: of which it is a sample.
[[nodiscard]] AutoSample auto_sample(Table&& sample, Index rows);

/// The types of the columns `given` are not varied. If fits are `expensive` (EM), there are fewer.
[[nodiscard]] AutoCandidates auto_candidates(const AutoSample& sample,
                                             const std::vector<std::string>& given,
                                             const AutoOptions& options, bool expensive);

}  // namespace genera::select_detail
