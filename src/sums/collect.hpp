#pragma once

#include <functional>
#include <optional>

#include <genera/stats.hpp>

#include "sums/schema.hpp"
#include "sums/summarise.hpp"

namespace genera::sums {

/// Result of one pass over the rows, before the policy for missing values is applied.
struct Pass {
  Summary summary;
  std::vector<Note> notes;
  Index unlabelled_left_out = 0;
};
/// Keeps only the requested sums of sparse entries.
[[nodiscard]] Pass pass_over(RowsRef rows, const CollectOptions& options, Entries entries,
                             const Control& control);

struct PassOptions {
  CollectOptions collect{};
  Entries entries = Entries::all;
  std::function<bool(const Summary&)> is_enough{};  ///< given the rows so far; see pass_until
};
/// Like pass_over, but empty if the rows are not in memory and the pass ended early because it had
/// seen enough.
[[nodiscard]] std::optional<Pass> pass_until(RowsRef rows, const PassOptions& options,
                                             const Control& control);

/// Throws Error (bad_data) if the total weight of a class is too small for computation; adds a note
/// about classes that weigh less than one row.
void check_weights(const Statistics& statistics, std::vector<Note>& notes);

/// Removes the rows without a label from the counts and adds a note.
void leave_out_unlabelled(Pass& pass);

/// Applies the policy for missing values. Throws Error (bad_data) if it refuses them or no row is
/// left.
[[nodiscard]] Collected finish(Pass&& pass, Missing missing);

/// Number of cells of naive blocks that are left out.
[[nodiscard]] Index cells_left_out(const Summary& summary);
/// Adds a note about them, if there are any.
void note_left_out(const Summary& summary, std::vector<Note>& notes);

/// "'age' (12), 'income' (3)": columns with missing cells in labelled rows.
enum class MissingAmong { all, numbers, others };
[[nodiscard]] std::string missing_columns(const Summary& summary, MissingAmong which);

}  // namespace genera::sums
