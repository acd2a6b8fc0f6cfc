#pragma once

#include <string>
#include <vector>

#include <genera/error.hpp>
#include <genera/report.hpp>
#include "data/csv/parse_chunk.hpp"
#include "data/csv/roles.hpp"

namespace genera::data {

/// What a pass over all rows has found that users should know. `default_tokens`: the user did not
/// say which cells mean missing.
[[nodiscard]] std::vector<Note> notes_of_pass(const FileColumns& file, const RecordLayout& layout,
                                              const Observations& seen, bool default_tokens);

/// "2 of 40 cells are not numbers: ", and where: "a.csv:3 'x', a.csv:9 'y'".
[[nodiscard]] std::string not_numbers(const NotNumbers& cells, Index present);
[[nodiscard]] std::string list_places(const NotNumbers& cells, const std::string& source);

/// A column of numbers in which a few cells are not numbers.
struct OddColumn {
  std::string name;
  NotNumbers cells;
  Index present = 0;
};
/// Throws Error (bad_data) about all of them. `hint` overrides the usual one unless it is empty.
[[noreturn]] void refuse_odd_columns(const FileColumns& file, const std::vector<OddColumn>& columns,
                                     const Advice& hint);

/// The error (bad_data) that the labels are not classes. `named`: the user named the target.
[[nodiscard]] Error measured_target(const FileColumns& file, const RecordLayout& layout,
                                    bool named);
/// The same for labels that are dates, or that hardly ever occur twice; `guess` is their column's.
[[nodiscard]] Error identifying_target(const FileColumns& file, const RecordLayout& layout,
                                       const ColumnGuess& guess, bool named);

}  // namespace genera::data
