#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <genera/rows.hpp>
#include <genera/types.hpp>

/// Arrays of Python, in and out, without copies.
namespace genera::python {

namespace nb = nanobind;

/// An array that Python owns: it is kept alive, never copied and never changed. Made and destroyed
/// with the GIL.
class Array {
 public:
  /// None if the object has no buffer of this many dimensions, or one of other elements than ours
  /// (objects, dates, another byte order, unaligned ones).
  [[nodiscard]] static std::optional<Array> of(nb::handle object, int dimensions);
  /// Throws TypeError, saying what was expected, instead.
  [[nodiscard]] static Array require(nb::handle object, int dimensions, const char* what);

  [[nodiscard]] const void* data() const { return view_->buf; }
  [[nodiscard]] Element type() const { return type_; }
  [[nodiscard]] Index size(int axis) const { return view_->shape[axis]; }
  /// In elements.
  [[nodiscard]] Index stride(int axis) const { return view_->strides[axis] / view_->itemsize; }
  [[nodiscard]] bool is_float() const { return type_ == Element::f64 || type_ == Element::f32; }

  /// All of its columns (of one dimension: the one).
  [[nodiscard]] NumbersView numbers() const;
  /// Throws TypeError unless it is a contiguous array of doubles.
  [[nodiscard]] std::span<const double> doubles(const char* what) const;

 private:
  struct Release {
    void operator()(Py_buffer* view) const;
  };
  /// It stays where it is: its pointers may point into itself.
  using View = std::unique_ptr<Py_buffer, Release>;
  Array(View view, Element type) : view_(std::move(view)), type_(type) {}

  View view_;
  Element type_ = Element::f64;
};

using DoubleArray = nb::ndarray<nb::numpy, double>;

/// What Python then owns.
template <class T>
[[nodiscard]] nb::object array_of(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}
template <class T>
[[nodiscard]] nb::object array_of(std::unique_ptr<T[]> values, std::size_t size) {
  T* kept = values.release();
  const nb::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept, {size}, owner));
}
[[nodiscard]] nb::object array_of(Matrix values);
/// A copy of an array of numbers with two dimensions; `what` names it in errors.
[[nodiscard]] Matrix matrix_of(nb::handle object, const char* what);
[[nodiscard]] nb::list list_of(const std::vector<std::string>& names);

}  // namespace genera::python
