#include "arrays.hpp"

#include <cstring>
#include <cstdint>

namespace genera::python {
namespace {

std::optional<Element> element_of_format(const char* format, Py_ssize_t size) {
  if (format == nullptr) return std::nullopt;
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (std::strlen(format) != 1) return std::nullopt;
  if (std::strchr("df", *format)) return *format == 'd' ? Element::f64 : Element::f32;
  const auto sized = [&](Element eight, Element four, Element two,
                         Element one) -> std::optional<Element> {
    if (size == 8) return eight;
    if (size == 4) return four;
    if (size == 2) return two;
    return size == 1 ? std::optional(one) : std::nullopt;
  };
  if (std::strchr("qlihb", *format))
    return sized(Element::i64, Element::i32, Element::i16, Element::i8);
  if (std::strchr("QLIHB?", *format))
    return sized(Element::u64, Element::u32, Element::u16, Element::u8);
  return std::nullopt;
}

bool is_aligned(const Py_buffer& view) {
  if (reinterpret_cast<std::uintptr_t>(view.buf) % static_cast<std::uintptr_t>(view.itemsize) != 0)
    return false;
  for (int axis = 0; axis < view.ndim; ++axis) {
    if (view.strides[axis] % view.itemsize != 0) return false;
  }
  return true;
}

}  // namespace

void Array::Release::operator()(Py_buffer* view) const {
  PyBuffer_Release(view);  // of nothing, if it was never filled
  delete view;
}

std::optional<Array> Array::of(nb::handle object, int dimensions) {
  if (!PyObject_CheckBuffer(object.ptr())) return std::nullopt;
  View view(new Py_buffer());
  if (PyObject_GetBuffer(object.ptr(), view.get(), PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    return std::nullopt;
  }
  const auto type = element_of_format(view->format, view->itemsize);
  if (view->ndim != dimensions || !type || !is_aligned(*view)) return std::nullopt;
  return Array(std::move(view), *type);
}

Array Array::require(nb::handle object, int dimensions, const char* what) {
  std::optional<Array> array = of(object, dimensions);
  if (!array)
    throw nb::type_error((std::string(what) + " must be an array of numbers with " +
                          std::to_string(dimensions) + " dimension(s)")
                             .c_str());
  return std::move(*array);
}

NumbersView Array::numbers() const {
  NumbersView view;
  view.data = data();
  view.type = type_;
  view.columns = view_->ndim == 1 ? 1 : size(1);
  view.strides = {stride(0), view_->ndim == 1 ? 1 : stride(1)};
  return view;
}

std::span<const double> Array::doubles(const char* what) const {
  if (type_ != Element::f64 || view_->ndim != 1 || (size(0) > 1 && stride(0) != 1))
    throw nb::type_error((std::string(what) + " must be contiguous doubles").c_str());
  return {static_cast<const double*>(data()), static_cast<std::size_t>(size(0))};
}

nb::object array_of(Matrix values) {
  auto* kept = new Matrix(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Matrix*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(
      kept->data(),
      {static_cast<std::size_t>(kept->rows()), static_cast<std::size_t>(kept->columns())}, owner));
}

nb::list list_of(const std::vector<std::string>& names) {
  nb::list list;
  for (const std::string& name : names) list.append(nb::str(name.c_str(), name.size()));
  return list;
}

Matrix matrix_of(nb::handle object, const char* what) {
  const Array array = Array::require(object, 2, what);
  const NumbersView view = array.numbers();
  Matrix matrix(array.size(0), array.size(1));
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.columns(); ++j) matrix(i, j) = view(i, j);
  }
  return matrix;
}

}  // namespace genera::python
