#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <genera/table.hpp>

#include "data/columns.hpp"

namespace genera::data {

/// The rows of all parts, one after the other; labels and levels are matched by name.
/// Throws Error (bad_data) if the parts have different columns.
[[nodiscard]] Table join(std::vector<Table> parts);

/// Some rows of a table, without what was only carried along.
[[nodiscard]] Table selected(const Table& table, std::span<const Index> rows);

/// `most` rows chosen by the seed, as read_sample does.
[[nodiscard]] Table sampled(const Rows& rows, Index most, std::uint64_t seed);

}  // namespace genera::data
