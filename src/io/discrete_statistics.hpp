#pragma once

#include "io/document.hpp"

/// The parts of a statistics document about what is counted; absent where there is nothing.
namespace genera::io {

void put_schema(const Statistics& statistics, Members& root);
/// The keys that it uses.
[[nodiscard]] const std::vector<std::string>& schema_keys();

/// The members "name", "rows" and "weight" of a class; and back, as a new class of `statistics`.
void put_size(const ClassStatistics& one, Members& members);
[[nodiscard]] ClassStatistics& read_size(const Field& one, Statistics& statistics);
/// More than 0 if there are rows.
[[nodiscard]] double read_weight(const Field& field, Index rows);

void put_sums(const ClassStatistics& one, Members& members);

/// The schema, and statistics that know its levels and terms.
[[nodiscard]] Statistics read_schema(const Field& root);
void read_sums(const Field& one, const Statistics& statistics, ClassStatistics& read);

}  // namespace genera::io
