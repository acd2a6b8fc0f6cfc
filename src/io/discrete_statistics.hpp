#pragma once

#include "io/document.hpp"

/// Discrete columns in a statistics document; absent without such columns.
namespace genera::io {

void put_schema(const Statistics& statistics, Members& root);
/// The keys used here.
[[nodiscard]] const std::vector<std::string>& schema_keys();

/// Writes the members "name", "rows" and "weight" of a class.
void put_size(const ClassStatistics& one, Members& members);
[[nodiscard]] ClassStatistics& read_size(const Field& one, Statistics& statistics);
/// Throws unless it is positive if there are rows.
[[nodiscard]] double read_weight(const Field& field, Index rows);

void put_sums(const ClassStatistics& one, Members& members);

/// Reads the schema into empty statistics with its levels and terms.
[[nodiscard]] Statistics read_schema(const Field& root);
void read_sums(const Field& one, const Statistics& statistics, ClassStatistics& read);

}  // namespace genera::io
