#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <genera/stream.hpp>
#include <genera/table.hpp>

#include "data/columns.hpp"

namespace genera::data {

/// The rows of all parts in order; labels and levels are matched by name. Throws Error (bad_data)
/// if the parts have different columns.
[[nodiscard]] Table join(std::vector<Table> parts);

/// A table of these rows, without the columns copied for output.
[[nodiscard]] Table selected(const Table& table, std::span<const Index> rows);

/// Largest total frequency that samples and folds expand to single rows: takes seconds and 0.8 GB
/// for the list of rows.
constexpr Index max_copies = 100'000'000;
/// Throws the error (bad_data) for more.
[[noreturn]] void refuse_copies();

/// Number of rows of a class in a stratified sample: its share, but at least 20 rows if it has
/// them.
[[nodiscard]] Index rows_of_stratum(Index rows, Index of, Index sample);

/// Number of rows of a class, and of all classes.
struct Share {
  double rows, of;
};
/// Weight of a sampled row of the class that restores the share of the class in the source.
[[nodiscard]] double weight_of_stratum(const Share& source, const Share& sample);

/// A sample of rows in memory; see read_sample.
[[nodiscard]] RowSample sampled(const Rows& rows, Index max_rows, std::uint64_t seed);

}  // namespace genera::data
