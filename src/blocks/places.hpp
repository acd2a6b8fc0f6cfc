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

/// Locations of the columns of a block in the data, and maps of levels and terms to the numbering
/// of the block.
struct Places {
  /// among all numbers: measurements, counts, and categories as numbers
  std::vector<Index> numbers{};
  std::vector<Index> codes{};  ///< among the codes, for categories
  std::vector<std::vector<std::int32_t>>
      levels{};  ///< for each: level of the data -> level of the block, or -1
  std::optional<std::size_t> sparse{};  ///< sparse column of the data, if used
  std::vector<std::int32_t> terms{};    ///< term of the data -> term of the block, or -1
};

/// Rows with located columns, and their numbers prepared for reading.
struct BoundRows {
  Rows rows{};
  data::NumberColumns numbers{};         ///< all numbers of the data
  std::shared_ptr<const Table> owned{};  ///< if the rows were converted
  bool several_texts = false;            ///< words are then named with their column

  [[nodiscard]] const SparseView& sparse(const Places& places) const {
    return rows.data().sparse[*places.sparse];
  }
  [[nodiscard]] const CodesView& codes(Index place) const {
    return rows.data().codes[static_cast<std::size_t>(place)];
  }
};

/// Locates columns in the data: by name, or in order if they have no names.
class Finder {
 public:
  explicit Finder(const DataView& data)
      : data_(data), columns_(data), features_(data::sparse_features(data)) {}

  /// Columns of measurements or counts, stored as numbers or as a sparse matrix.
  [[nodiscard]] Places numbers(const std::vector<std::string>& names, const NameSet& known);
  /// Dense numeric columns.
  [[nodiscard]] Places dense_numbers(const std::vector<std::string>& names);
  /// Numbers located before, as these features of the model.
  [[nodiscard]] Places known_numbers(const std::vector<std::string>& names,
                                     std::vector<Index> features) const;
  /// Categorical columns with the levels known to the block.
  [[nodiscard]] Places categories(const std::vector<std::string>& names,
                                  const std::vector<NameSet>& levels);
  /// Terms of a text column.
  [[nodiscard]] Places text(const std::string& name, const NameSet& terms);

 private:
  [[nodiscard]] Places by_position(std::size_t count);
  [[nodiscard]] Places entries(std::size_t sparse, const NameSet& known) const;

  const DataView& data_;
  data::ColumnPlaces columns_;
  std::optional<std::size_t> features_;  // index of the sparse matrix
  Index next_ = 0;                       // next column without a name
};

/// True if x is a possible count.
[[nodiscard]] inline bool is_count(double x) { return x >= 0 && x <= data::largest_count; }

}  // namespace genera::blocks
