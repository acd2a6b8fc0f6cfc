#pragma once

#include <vector>

#include <genera/model.hpp>

namespace genera::query {

/// Where the columns of a block begin in a table that is laid out as the model is.
struct OwnPlaces {
  Index number = 0;
  Index code = 0;
};

/// Rows laid out as the model is: columns in the order of its features, codes into its levels. What
/// is missing (NaN, -1) is to be filled.
struct OwnRows {
  Table table;
  std::vector<OwnPlaces> places;  ///< of each block
};

/// `rows` of them, nothing known.
[[nodiscard]] OwnRows unknown_rows(const Model& model, Index rows);

/// The columns of the table that the Gaussian blocks read, one after the other.
[[nodiscard]] std::vector<Index> gaussian_columns(const Model& model, const OwnRows& rows);

}  // namespace genera::query
