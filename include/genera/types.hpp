#pragma once

#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

/// Dense numbers, without any matrix library in the interface.
/// Everywhere: n rows, one per observation; d columns, one per feature; K classes.
namespace genera {

using Index = std::ptrdiff_t;
using Vector = std::vector<double>;

namespace detail {

/// Uninitialised storage for `count` numbers. Large blocks use large pages where the system has
/// them.
[[nodiscard]] double* allocate_numbers(std::size_t count);
void free_numbers(double* numbers, std::size_t count) noexcept;

/// Allocator of vectors whose elements stay uninitialised unless a value is given.
template <class T>
struct NumberAllocator {
  using value_type = T;
  NumberAllocator() = default;
  template <class U>
  NumberAllocator(const NumberAllocator<U>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t count) { return allocate_numbers(count); }
  void deallocate(T* numbers, std::size_t count) noexcept { free_numbers(numbers, count); }
  void construct(T*) noexcept {}
  template <class U>
  void construct(T* number, U&& value) noexcept {
    *number = std::forward<U>(value);
  }
  friend bool operator==(const NumberAllocator&, const NumberAllocator&) { return true; }
};

}  // namespace detail

/// A row-major matrix of doubles; a regular value.
class Matrix {
 public:
  Matrix() = default;
  Matrix(Index rows, Index columns, double fill = 0)
      : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows * columns), fill) {}
  /// `values` holds rows * columns numbers, row after row.
  Matrix(Index rows, Index columns, const Vector& values);
  Matrix(Index rows, Index columns, std::initializer_list<double> values)
      : Matrix(rows, columns, Vector(values)) {}
  /// A matrix of uninitialised numbers. Its memory is not touched before it is written.
  [[nodiscard]] static Matrix for_overwrite(Index rows, Index columns) {
    Matrix matrix;
    matrix.rows_ = rows;
    matrix.columns_ = columns;
    matrix.values_.resize(static_cast<std::size_t>(rows * columns));
    return matrix;
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index columns() const { return columns_; }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] double* data() { return values_.data(); }
  [[nodiscard]] const double* data() const { return values_.data(); }

  double& operator()(Index i, Index j) { return values_[offset(i, j)]; }
  double operator()(Index i, Index j) const { return values_[offset(i, j)]; }

  [[nodiscard]] std::span<double> row(Index i) {
    return {values_.data() + i * columns_, static_cast<std::size_t>(columns_)};
  }
  [[nodiscard]] std::span<const double> row(Index i) const {
    return {values_.data() + i * columns_, static_cast<std::size_t>(columns_)};
  }

  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  [[nodiscard]] std::size_t offset(Index i, Index j) const {
    assert(0 <= i && i < rows_ && 0 <= j && j < columns_);
    return static_cast<std::size_t>(i * columns_ + j);
  }

  Index rows_ = 0;
  Index columns_ = 0;
  std::vector<double, detail::NumberAllocator<double>> values_;
};

/// Distance between neighbours, counted in elements (not bytes); may be negative.
struct Strides {
  Index row = 0;
  Index column = 1;
};

/// A view of numbers that the caller owns: doubles or floats in any order of storage. They are
/// neither copied nor changed.
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(
      const Matrix& matrix)  // NOLINT(google-explicit-constructor): a matrix is viewed for free
      : MatrixView(matrix.data(), matrix.rows(), matrix.columns(), {matrix.columns(), 1}) {}
  /// Row after row, without gaps.
  MatrixView(const double* data, Index rows, Index columns)
      : MatrixView(data, rows, columns, {columns, 1}) {}
  MatrixView(const float* data, Index rows, Index columns)
      : MatrixView(data, rows, columns, {columns, 1}) {}
  MatrixView(const double* data, Index rows, Index columns, Strides strides)
      : data_(data), rows_(rows), columns_(columns), strides_(strides) {}
  MatrixView(const float* data, Index rows, Index columns, Strides strides)
      : data_(data), is_float_(true), rows_(rows), columns_(columns), strides_(strides) {}

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index columns() const { return columns_; }
  [[nodiscard]] Strides strides() const { return strides_; }

  [[nodiscard]] double operator()(Index i, Index j) const {
    assert(0 <= i && i < rows_ && 0 <= j && j < columns_);
    const Index at = i * strides_.row + j * strides_.column;
    return is_float_ ? static_cast<double>(static_cast<const float*>(data_)[at])
                     : static_cast<const double*>(data_)[at];
  }

  /// Rows [begin, end) of this view.
  [[nodiscard]] MatrixView rows_between(Index begin, Index end) const;

  /// Calls `f` with a typed pointer to the element (0, 0).
  template <class F>
  decltype(auto) visit(F&& f) const {
    return is_float_ ? f(static_cast<const float*>(data_)) : f(static_cast<const double*>(data_));
  }

 private:
  const void* data_ = nullptr;
  bool is_float_ = false;
  Index rows_ = 0;
  Index columns_ = 0;
  Strides strides_;
};

}  // namespace genera
