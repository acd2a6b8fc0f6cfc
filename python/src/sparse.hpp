#pragma once

#include <nanobind/nanobind.h>

#include <genera/rows.hpp>

#include "arrays.hpp"

namespace genera::python {

/// The three arrays of a sparse matrix by rows (CSR), kept alive and checked: every entry lies in
/// the matrix.
class SparseArrays {
 public:
  /// Throws ValueError, saying which array is wrong and where, or TypeError.
  SparseArrays(nb::handle begins, nb::handle places, nb::handle values, Index columns);

  [[nodiscard]] Index rows() const { return begins_.size(0) - 1; }
  [[nodiscard]] Index columns() const { return columns_; }
  /// As a SparseView has them: the places of each row in order, none of them twice, no value 0.
  [[nodiscard]] bool is_canonical() const { return canonical_; }
  /// Without the names of the columns.
  [[nodiscard]] SparseView view() const;

 private:
  Array begins_, places_, values_;
  Index columns_;
  bool canonical_ = true;
};

void bind_sparse(nb::module_& module);

}  // namespace genera::python
