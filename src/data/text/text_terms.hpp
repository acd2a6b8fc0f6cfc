#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <genera/names.hpp>
#include <genera/table.hpp>

#include "data/text/hashed_terms.hpp"
#include "data/text/text_pieces.hpp"

namespace genera::data {

/// The terms of the texts of a column, row after row. One per chunk of rows; memory is kept from
/// row to row.
class TermCounter {
 public:
  explicit TermCounter(const TextOptions& options);  // options are valid

  /// Texts of about so many bytes will come.
  void expect(std::size_t bytes);

  void add(std::string_view text);  ///< one more row
  void add_missing();               ///< one more row, whose text is missing

  /// Rows so far that held bytes which are not UTF-8.
  [[nodiscard]] Index malformed() const { return malformed_; }
  [[nodiscard]] SparseColumns take(std::string name) &&;

 private:
  template <class Terms>
  void count_runs(Terms& terms, TextOptions::Lengths lengths);
  void count_numbers();
  void end_row(bool missing);

  TextOptions options_;
  TextPieces pieces_;
  NameSet exact_;                       // the terms, unless they are hashed
  HashedTerms hashed_;                  // the terms, if they are hashed
  std::vector<std::string_view> runs_;  // of the row: the terms, and their numbers
  std::vector<std::int32_t> numbers_;
  std::vector<std::int32_t> entry_of_;  // each term's last entry, of this row or an earlier one
  SparseColumns columns_;
  Index malformed_ = 0;
};

}  // namespace genera::data
