#pragma once

#include <Eigen/Core>

#include <genera/types.hpp>

/// Adapters for programs that use Eigen, which the library does not expose. Only `to_matrix`
/// copies.
namespace genera {

/// A view of an Eigen matrix or array of doubles or floats in either order. It must outlive the
/// view.
template <class Derived>
[[nodiscard]] MatrixView view(const Eigen::PlainObjectBase<Derived>& matrix) {
  const Strides strides =
      Derived::IsRowMajor ? Strides{matrix.outerStride(), 1} : Strides{1, matrix.outerStride()};
  return {matrix.data(), matrix.rows(), matrix.cols(), strides};
}

using EigenMap =
    Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// An Eigen map of a matrix of the library, which must outlive the map.
[[nodiscard]] inline EigenMap map(const Matrix& matrix) {
  return {matrix.data(), matrix.rows(), matrix.columns()};
}

/// A copy of any Eigen expression.
template <class Derived>
[[nodiscard]] Matrix to_matrix(const Eigen::MatrixBase<Derived>& values) {
  Matrix result(values.rows(), values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) result(i, j) = static_cast<double>(values(i, j));
  }
  return result;
}

}  // namespace genera
