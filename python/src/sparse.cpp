#include "sparse.hpp"

#include <algorithm>
#include <string>

namespace genera::python {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw nb::value_error(what.c_str()); }

void require_whole(const Array& array, const char* what) {
  if (array.type() != Element::i32 && array.type() != Element::i64)
    throw nb::type_error((std::string(what) + " must be integers of 32 or 64 bits").c_str());
}

void require_contiguous(const Array& array, const char* what) {
  if (array.size(0) > 1 && array.stride(0) != 1)
    throw nb::type_error((std::string(what) + " must be contiguous").c_str());
}

/// Calls f with the elements of an array of indices.
template <class F>
decltype(auto) with_indices(const Array& array, F f) {
  return array.type() == Element::i32 ? f(static_cast<const std::int32_t*>(array.data()))
                                      : f(static_cast<const std::int64_t*>(array.data()));
}

/// Without a way out of the loop, so that it is done in vectors.
template <class Place>
bool increases(const Place* begin, const Place* end) {
  bool increasing = true;
  for (const Place* at = begin; at + 1 < end; ++at) increasing = increasing & (at[0] < at[1]);
  return increasing;
}

template <class Place>
void check_places(const Place* begin, const Place* end, Index row, Index columns) {
  const auto outside = std::find_if(
      begin, end, [&](Place place) { return place < 0 || static_cast<Index>(place) >= columns; });
  if (outside == end) return;
  refuse("indices: row " + std::to_string(row + 1) +
         " of the sparse matrix has an entry in column " + std::to_string(*outside) +
         ", but there are " + std::to_string(columns) + " columns, numbered from 0");
}

/// Whether the places of each row are in order, each of them once. Of such a row the first and the
/// last one are checked.
template <class Begin, class Place>
bool check_rows(const Begin* begins, Index rows, const Place* places, Index columns) {
  bool ordered = true;
  for (Index row = 0; row < rows; ++row) {
    const Place* const begin = places + begins[row];
    const Place* const end = places + begins[row + 1];
    if (begin == end) continue;
    if (!increases(begin, end)) {
      ordered = false;
      check_places(begin, end, row, columns);
    } else if (*begin < 0 || static_cast<Index>(end[-1]) >= columns) {
      check_places(begin, end, row, columns);
    }
  }
  return ordered;
}

template <class Begin>
void check_begins(const Begin* begins, Index rows, Index entries) {
  if (begins[0] != 0) refuse("indptr begins with " + std::to_string(begins[0]) + " instead of 0");
  for (Index row = 0; row < rows; ++row) {
    if (begins[row + 1] < begins[row])
      refuse("indptr falls from " + std::to_string(begins[row]) + " to " +
             std::to_string(begins[row + 1]) + " at row " + std::to_string(row + 1) +
             " of the sparse matrix");
  }
  if (static_cast<Index>(begins[rows]) > entries)
    refuse("indptr ends with " + std::to_string(begins[rows]) + ", but indices has " +
           std::to_string(entries) + " entries");
}

bool has_zeros(const Array& values, Index entries) {
  return detail::visit_elements(values.data(), values.type(), [&](const auto* first) {
    bool zeros = false;
    for (Index e = 0; e < entries; ++e) zeros = zeros | (first[e] == 0);
    return zeros;
  });
}

}  // namespace

SparseArrays::SparseArrays(nb::handle begins, nb::handle places, nb::handle values, Index columns)
    : begins_(Array::require(begins, 1, "indptr")),
      places_(Array::require(places, 1, "indices")),
      values_(Array::require(values, 1, "data")),
      columns_(columns) {
  require_whole(begins_, "indptr");
  require_whole(places_, "indices");
  require_contiguous(begins_, "indptr");
  require_contiguous(places_, "indices");
  require_contiguous(values_, "data");
  if (begins_.size(0) == 0) refuse("indptr is empty, but has an entry more than there are rows");
  const Index entries = places_.size(0);
  if (values_.size(0) != entries)
    refuse("indices has " + std::to_string(entries) + " entries, but data has " +
           std::to_string(values_.size(0)));
  const nb::gil_scoped_release release;
  with_indices(begins_, [&](const auto* first) {
    check_begins(first, rows(), entries);
    const bool ordered = with_indices(
        places_, [&](const auto* place) { return check_rows(first, rows(), place, columns_); });
    canonical_ = ordered && !has_zeros(values_, static_cast<Index>(first[rows()]));
  });
}

SparseView SparseArrays::view() const {
  SparseView view;
  view.begins = begins_.data();
  view.begin_type = begins_.type();
  view.places = places_.data();
  view.place_type = places_.type();
  view.values = values_.data();
  view.value_type = values_.type();
  return view;
}

void bind_sparse(nb::module_& module) {
  nb::class_<SparseArrays>(module, "SparseArrays",
                           "The arrays of a sparse matrix by rows (CSR), checked.")
      .def(nb::init<nb::handle, nb::handle, nb::handle, Index>(), nb::arg("indptr"),
           nb::arg("indices"), nb::arg("data"), nb::arg("columns"))
      .def_prop_ro("is_canonical", &SparseArrays::is_canonical);
}

}  // namespace genera::python
