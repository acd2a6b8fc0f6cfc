#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fit/mixture/class_gaussians.hpp"

namespace genera::fit_detail {

/// The numbers of the rows of one class, sorted by value: a search over them does not depend on the
/// order in which the rows came. Columns are compared from the first to the last; missing numbers
/// come after all others, and equal rows are sorted by weight.
class OrderedRows {
 public:
  /// Rows of class k.
  OrderedRows(const ClassGaussians& one, std::size_t k, const Rows& rows);
  OrderedRows(const OrderedRows&) = delete;
  OrderedRows& operator=(const OrderedRows&) = delete;

  /// Must not be used after this object is gone.
  [[nodiscard]] const Rows& rows() const { return rows_; }

 private:
  Matrix numbers_;
  Vector weights_;  // empty: all are one
  std::vector<std::int8_t> labels_;
  std::vector<std::string> class_names_;
  Rows rows_;
};

}  // namespace genera::fit_detail
