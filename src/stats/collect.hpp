#pragma once

#include <genera/stats.hpp>

#include "stats/schema.hpp"

namespace genera::stats {

/// As the public collect(), but of sparse entries only what is asked for.
[[nodiscard]] Collected collect(RowStream& rows, const CollectOptions& options, Entries entries);
[[nodiscard]] Collected collect(const Table& table, const CollectOptions& options, Entries entries);

}  // namespace genera::stats
