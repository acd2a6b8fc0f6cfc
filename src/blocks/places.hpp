#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <genera/names.hpp>
#include <genera/rows.hpp>

#include "data/columns.hpp"
#include "data/largest_count.hpp"

namespace genera::blocks {

/// Where the columns of a block are in the data, and its levels and terms as the block numbers
/// them.
struct Places {
  std::vector<Index> numbers{};  ///< among all numbers: measured, counted, categories as numbers
  std::vector<Index> codes{};    ///< among the codes, if that is where categories are
  std::vector<std::vector<std::int32_t>>
      levels{};                         ///< for each: level of the data -> block's, or -1
  std::optional<std::size_t> sparse{};  ///< of the data, if that is where entries are
  std::vector<std::int32_t> terms{};    ///< term of the data -> the block's, or -1
};

/// Rows in which columns have been found, and their numbers ready to be read.
struct BoundRows {
  Rows rows{};
  data::NumberColumns numbers{};         ///< all of the data
  std::shared_ptr<const Table> owned{};  ///< if the rows had to be laid out again
  bool several_texts = false;            ///< words are then named with their column

  [[nodiscard]] const SparseView& sparse(const Places& places) const {
    return rows.data().sparse[*places.sparse];
  }
  [[nodiscard]] const CodesView& codes(Index place) const {
    return rows.data().codes[static_cast<std::size_t>(place)];
  }
};

/// Finds columns in the data: by name, or one after the other where they have none.
class Finder {
 public:
  explicit Finder(const DataView& data)
      : data_(data), columns_(data), features_(data::sparse_features(data)) {}

  /// The columns of measurements or counts: numbers, or entries of a sparse matrix.
  [[nodiscard]] Places numbers(const std::vector<std::string>& names, const NameSet& known);
  /// Numbers that are not sparse.
  [[nodiscard]] Places dense_numbers(const std::vector<std::string>& names);
  /// Numbers that were found before, as these features of the model.
  [[nodiscard]] Places known_numbers(const std::vector<std::string>& names,
                                     std::vector<Index> features) const;
  /// Categories, with the levels that the block knows of each.
  [[nodiscard]] Places categories(const std::vector<std::string>& names,
                                  const std::vector<NameSet>& levels);
  /// The terms of a text column.
  [[nodiscard]] Places text(const std::string& name, const NameSet& terms);

 private:
  [[nodiscard]] Places by_position(std::size_t count);
  [[nodiscard]] Places entries(std::size_t sparse, const NameSet& known) const;

  const DataView& data_;
  data::ColumnPlaces columns_;
  std::optional<std::size_t> features_;  // the sparse matrix
  Index next_ = 0;                       // column without a name
};

/// Whether something can have been counted so often.
[[nodiscard]] inline bool is_count(double x) { return x >= 0 && x <= data::largest_count; }

}  // namespace genera::blocks
