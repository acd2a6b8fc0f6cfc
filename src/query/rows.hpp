#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <genera/model.hpp>

namespace genera::query {

/// Where the columns of a block are in a table or a view, and its levels and terms as the model
/// numbers them.
struct BoundBlock {
  std::vector<Index> numbers{};  ///< columns of the view: Gaussian, counts, categories as numbers
  std::vector<Index> codes{};    ///< columns of the table's codes, if that is where categories are
  std::vector<std::vector<std::int32_t>> levels{};  ///< for each: table's level -> model's, or -1
  std::optional<std::size_t> sparse{};              ///< of the table, if that is where counts are
  std::vector<std::int32_t> terms{};                ///< table's term -> the model's, or -1
};

/// Rows to ask about.
struct Rows {
  MatrixView numbers{};
  const Table* table = nullptr;  ///< null: nothing but numbers
  std::vector<BoundBlock> blocks{};
  std::shared_ptr<const Table> owned{};  ///< if the rows had to be laid out anew

  [[nodiscard]] Index count() const { return table ? table->rows() : numbers.rows(); }
};

/// Whether something can have been counted so often; beyond 2^53 doubles leave whole numbers out.
[[nodiscard]] inline bool is_count(double x) { return x >= 0 && x <= 9007199254740992; }

/// Where the features of the model are in a table. Throws Error (bad_data) if one is not there.
[[nodiscard]] Rows rows_of(const Model& model, const Table& table);
/// The features in order. Throws Error (bad_argument) if the number of columns is another, or if
/// the model reads text.
[[nodiscard]] Rows rows_of(const Model& model, const MatrixView& numbers);

}  // namespace genera::query
