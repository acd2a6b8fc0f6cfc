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

/// Statistics of the usable, labelled rows, and a count of the others. A row is not usable if a
/// number is missing in it; with Missing::drop, if anything is.
struct Summary {
  Statistics statistics{};
  Index rows = 0;
  Index unlabelled_rows = 0;
  Index incomplete_rows = 0;           // labelled, but not usable
  std::vector<Index> missing_cells{};  // per feature, in labelled rows
  WeightedRows weighted{};             // of the labelled rows; empty if there are no weights
};

/// Tells whether a row of the data can be learned from.
[[nodiscard]] std::function<bool(Index)> usable_rows(const Rows& rows, Missing missing);

/// Rows of the data that have a label.
[[nodiscard]] std::vector<Index> labelled_rows(const Rows& rows);

/// All that have a label and a weight besides.
[[nodiscard]] std::vector<Index> learnable_rows(const Rows& rows, Missing missing);

/// Which rows a summary with Missing::em has left out, by position: those without a label, and
/// those in which a number is missing.
[[nodiscard]] std::vector<bool> rows_left_out(const Rows& rows);

/// What the parts of the same data leave to those after them: large memory is asked for once.
struct SummaryMemory {
  kernel::FreeList<RowMoments> workers{};
  kernel::FreeList<ClassMoments> workers_for_all_classes{};
  kernel::FreeList<Moments> moments{};  ///< that nobody needs any more
};

/// Throws Error (bad_data) on an infinite number or a weight that is negative, too large or not
/// finite.
[[nodiscard]] Summary summarise(const Rows& rows, const SummaryOptions& options);
/// The same for parts of the same data: `none` of its rows, whose levels and terms all parts share.
[[nodiscard]] Summary summarise(const Rows& rows, const SummaryOptions& options,
                                const Statistics& none);
[[nodiscard]] Summary summarise(const Rows& rows, const SummaryOptions& options,
                                const Statistics& none, SummaryMemory& memory);

/// What statistics are refused with if rows have no labels at all: Error (bad_argument).
[[noreturn]] void refuse_unlabelled();

/// Adds b to a, chunk after chunk.
void merge(Summary& a, const Summary& b);
void merge(Summary& a, Summary&& b);

/// Rows of a chunk of which sums are made: a function of the data alone.
[[nodiscard]] Index rows_per_part(const Rows& rows);

/// All rows, in chunks whose size depends on nothing but the data, on several threads.
[[nodiscard]] Summary summarise_all(const Rows& rows, const SummaryOptions& options,
                                    const Control& control);

}  // namespace genera::sums
