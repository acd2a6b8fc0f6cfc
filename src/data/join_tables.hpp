#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <genera/stream.hpp>
#include <genera/table.hpp>

#include "data/columns.hpp"

namespace genera::data {

/// The rows of all parts, one after the other; labels and levels are matched by name.
/// Throws Error (bad_data) if the parts have different columns.
[[nodiscard]] Table join(std::vector<Table> parts);

/// Some rows of a table, without what was only carried along.
[[nodiscard]] Table selected(const Table& table, std::span<const Index> rows);

/// Rows of frequencies that are taken one by one, in samples and folds: it takes seconds, and lists
/// of them 0.8 GB.
constexpr Index max_copies = 100'000'000;
/// The error (bad_data) of more.
[[noreturn]] void refuse_copies();

/// How many of the rows of a class enter a stratified sample of the rows of all classes: their
/// share, but at least 20 if there are as many.
[[nodiscard]] Index rows_of_stratum(Index rows, Index of, Index sample);

/// Rows of a class among those of all classes.
struct Share {
  double rows, of;
};
/// The weight of a row of the class in a sample, so that classes weigh as much as in the source.
[[nodiscard]] double weight_of_stratum(const Share& source, const Share& sample);

/// A sample of rows in memory, as read_sample makes it.
[[nodiscard]] RowSample sampled(const Rows& rows, Index max_rows, std::uint64_t seed);

}  // namespace genera::data
