#pragma once

#include <Eigen/Core>

#include <genera/types.hpp>

/// For programs that use Eigen; the library itself never shows it. Nothing is copied but
/// `to_matrix`.
namespace genera {

/// A matrix or array of doubles or floats, in either order, seen as rows of numbers. It must
/// outlive the view.
template <class Derived>
[[nodiscard]] MatrixView view(const Eigen::PlainObjectBase<Derived>& matrix) {
  const Strides strides =
      Derived::IsRowMajor ? Strides{matrix.outerStride(), 1} : Strides{1, matrix.outerStride()};
  return {matrix.data(), matrix.rows(), matrix.cols(), strides};
}

using EigenMap =
    Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// A result of the library, as Eigen sees it; the matrix must outlive the map.
[[nodiscard]] inline EigenMap map(const Matrix& matrix) {
  return {matrix.data(), matrix.rows(), matrix.columns()};
}

/// A copy of anything Eigen can evaluate.
template <class Derived>
[[nodiscard]] Matrix to_matrix(const Eigen::MatrixBase<Derived>& values) {
  Matrix result(values.rows(), values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) result(i, j) = static_cast<double>(values(i, j));
  }
  return result;
}

}  // namespace genera
