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

/// Counts the terms of the texts of a column, row by row. One per chunk of rows; reuses memory from
/// row to row.
class TermCounter {
 public:
  explicit TermCounter(const TextOptions& options);  // options are valid

  /// Prepares for texts of about `bytes` bytes.
  void expect(std::size_t bytes);

  void add(std::string_view text);  ///< adds a row
  void add_missing();               ///< adds a row with a missing text

  /// Number of rows so far with bytes that are not UTF-8.
  [[nodiscard]] Index malformed() const { return malformed_; }
  [[nodiscard]] SparseColumns take(std::string name) &&;

 private:
  template <class Terms>
  void count_runs(Terms& terms, TextOptions::Lengths lengths);
  void count_numbers();
  void end_row(bool missing);

  TextOptions options_;
  TextPieces pieces_;
  NameSet exact_;                       // the terms without hashing
  HashedTerms hashed_;                  // the terms with hashing
  std::vector<std::string_view> runs_;  // terms of the current row
  std::vector<std::int32_t> numbers_;
  std::vector<std::int32_t> entry_of_;  // last entry of each term, in this or an earlier row
  SparseColumns columns_;
  Index malformed_ = 0;
};

}  // namespace genera::data
