#pragma once

#include "io/document.hpp"

/// The parts of a statistics document about what is counted; absent where there is nothing.
namespace genera::io {

void put_schema(const Statistics& statistics, Members& root);
void put_sums(const ClassStatistics& one, Members& members);

/// The schema, and statistics that know its levels and terms.
[[nodiscard]] Statistics read_schema(const Field& root);
void read_sums(const Field& one, const Statistics& statistics, ClassStatistics& read);

}  // namespace genera::io
