#pragma once

#include <functional>
#include <vector>

#include <genera/stats.hpp>

#include "kernel/object_pool.hpp"
#include "sums/class_moments.hpp"
#include "sums/row_moments.hpp"
#include "sums/schema.hpp"
#include "sums/weightless.hpp"

namespace genera::sums {

struct SummaryOptions {
  SchemaChoice schema{};
  Missing missing = Missing::refuse;
};

/// Statistics of the usable, labelled rows, and counts of the others. A row is unusable if a number
/// is missing, or with Missing::drop any cell.
struct Summary {
  Statistics statistics{};
  Index rows = 0;
  Index unlabelled_rows = 0;
  Index incomplete_rows = 0;           // labelled, but unusable
  std::vector<Index> missing_cells{};  // by feature, in labelled rows
  WeightedRows weighted{};             // labelled rows with weights; empty without weights
};

/// A function that returns true if a row of the data can be used.
[[nodiscard]] std::function<bool(Index)> usable_rows(const Rows& rows, Missing missing);

/// Rows of the data with a label.
[[nodiscard]] std::vector<Index> labelled_rows(const Rows& rows);

/// Rows with a label and a weight that can be used.
[[nodiscard]] std::vector<Index> learnable_rows(const Rows& rows, Missing missing);

/// For each position, true if a summary with Missing::em leaves the row out: it has no label, or a
/// number is missing.
[[nodiscard]] std::vector<bool> rows_left_out(const Rows& rows);

/// Memory reused by successive parts of the same data.
struct SummaryMemory {
  kernel::FreeList<RowMoments> workers{};
  kernel::FreeList<ClassMoments> workers_for_all_classes{};
  kernel::FreeList<Moments> moments{};  ///< moments whose storage may be reused
};

/// Throws Error (bad_data) for an infinite number or a weight that is negative, too large or not
/// finite.
[[nodiscard]] Summary summarise(const Rows& rows, const SummaryOptions& options);
/// The same for parts of the same data; `none` are empty statistics, whose levels and terms all
/// parts share.
[[nodiscard]] Summary summarise(const Rows& rows, const SummaryOptions& options,
                                const Statistics& none);
[[nodiscard]] Summary summarise(const Rows& rows, const SummaryOptions& options,
                                const Statistics& none, SummaryMemory& memory);

/// Throws the error (bad_argument) for rows without any label.
[[noreturn]] void refuse_unlabelled();

/// Adds b to a; call in the order of chunks.
void merge(Summary& a, const Summary& b);
void merge(Summary& a, Summary&& b);

/// Number of rows in a chunk to be summed; depends only on the data.
[[nodiscard]] Index rows_per_part(const Rows& rows);

/// Summarises all rows on several threads, in chunks whose size depends only on the data.
[[nodiscard]] Summary summarise_all(const Rows& rows, const SummaryOptions& options,
                                    const Control& control);

}  // namespace genera::sums
