#pragma once

#include <functional>
#include <optional>

#include <genera/stats.hpp>

#include "sums/schema.hpp"
#include "sums/summarise.hpp"

namespace genera::sums {

/// What one pass over the rows found, before anything is said about missing values.
struct Pass {
  Summary summary;
  std::vector<Note> notes;
  Index unlabelled_left_out = 0;
};
/// Of sparse entries it keeps only what is asked for.
[[nodiscard]] Pass pass_over(RowsRef rows, const CollectOptions& options, Entries entries,
                             const Control& control);

struct PassOptions {
  CollectOptions collect{};
  Entries entries = Entries::all;
  std::function<bool(const Summary&)> is_enough{};  ///< of the rows so far; see pass_until
};
/// The same, or nothing: a pass over rows that are not in memory ends as soon as it has seen
/// enough.
[[nodiscard]] std::optional<Pass> pass_until(RowsRef rows, const PassOptions& options,
                                             const Control& control);

/// Throws Error (bad_data) if the rows of a class weigh too little to compute with; notes a class
/// that weighs less than one row.
void check_weights(const Statistics& statistics, std::vector<Note>& notes);

/// Rows without a label do not count from now on, and a note says so.
void leave_out_unlabelled(Pass& pass);

/// Applies the policy; throws Error (bad_data) if it refuses what is missing, or if nothing is
/// left.
[[nodiscard]] Collected finish(Pass&& pass, Missing missing);

/// How many cells of naive blocks are left out, one by one, which is exact.
[[nodiscard]] Index cells_left_out(const Summary& summary);
/// Says which, if there are any.
void note_left_out(const Summary& summary, std::vector<Note>& notes);

/// "'age' (12), 'income' (3)": columns with missing cells in labelled rows.
enum class MissingAmong { all, numbers, others };
[[nodiscard]] std::string missing_columns(const Summary& summary, MissingAmong which);

}  // namespace genera::sums
