// Labels as Python has them -> places in a list of classes.
#include "labels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace genera::python {
namespace {

template <class T>
struct Range {
  T min, max;
};

template <class T>
Range<T> range_of(const T* first, Index rows, Index stride) {
  Range<T> range{*first, *first};
  const auto extend = [&](T value) {
    range.min = std::min(range.min, value);
    range.max = std::max(range.max, value);
  };
  if (stride == 1)  // by vectors
    std::for_each_n(first, rows, extend);
  else
    for (Index i = 0; i < rows; ++i) extend(first[i * stride]);
  return range;
}

/// Of whole numbers that lie close together: codes in their order, and the different ones.
template <class T>
nb::object encoded(const T* first, Index rows, Index stride) {
  if (rows == 0) return nb::none();
  const auto [min, max] = range_of(first, rows, stride);
  constexpr std::uint64_t max_places = 1U << 20;
  const std::uint64_t places = static_cast<std::uint64_t>(max) - static_cast<std::uint64_t>(min);
  if (places >= max_places ||
      max > static_cast<T>(std::min<std::uint64_t>(std::numeric_limits<T>::max(), 1ULL << 53)))
    return nb::none();
  std::vector<std::int32_t> codes(static_cast<std::size_t>(rows));  // from the least on
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(places) + 1);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::uint64_t place = static_cast<std::uint64_t>(first[static_cast<Index>(i) * stride]) -
                                static_cast<std::uint64_t>(min);
    codes[i] = static_cast<std::int32_t>(place);
    seen[place] = 1;
  }
  std::vector<std::int64_t> values;
  std::vector<std::int32_t> code_of(seen.size(), -1);
  for (std::size_t p = 0; p < seen.size(); ++p) {
    if (seen[p] == 0) continue;
    code_of[p] = static_cast<std::int32_t>(values.size());
    values.push_back(static_cast<std::int64_t>(min) + static_cast<std::int64_t>(p));
  }
  if (values.size() < seen.size()) {
    for (std::int32_t& code : codes) code = code_of[static_cast<std::size_t>(code)];
  }
  return nb::make_tuple(array_of(std::move(codes)), array_of(std::move(values)));
}

}  // namespace

nb::object encode_integers(nb::handle labels) {
  const std::optional<Array> array = Array::of(labels, 1);
  if (!array || array->is_float()) return nb::none();
  return detail::visit_elements(array->data(), array->type(),
                                [&]<class T>(const T* first) -> nb::object {
                                  if constexpr (std::is_integral_v<T>)
                                    return encoded(first, array->size(0), array->stride(0));
                                  return nb::none();
                                });
}

nb::tuple encode_items(nb::handle bytes, Index size) {
  const Array array = Array::require(bytes, 1, "labels as bytes");
  if (size <= 0 || array.type() != Element::u8 || array.stride(0) != 1)
    throw nb::type_error("labels as bytes must be contiguous bytes");
  const char* first = static_cast<const char*>(array.data());
  const Index rows = array.size(0) / size;
  std::unordered_map<std::string_view, std::int32_t> known;
  std::vector<std::int32_t> codes(static_cast<std::size_t>(rows));
  std::vector<std::int64_t> firsts;
  std::string_view last;
  std::int32_t last_code = -1;
  for (Index i = 0; i < rows; ++i) {
    const std::string_view item(first + i * size, static_cast<std::size_t>(size));
    if (last_code < 0 || item != last) {
      const auto [found, is_new] = known.emplace(item, static_cast<std::int32_t>(firsts.size()));
      if (is_new) firsts.push_back(i);
      last = item;
      last_code = found->second;
    }
    codes[static_cast<std::size_t>(i)] = last_code;
  }
  return nb::make_tuple(array_of(std::move(codes)), array_of(std::move(firsts)));
}

void bind_labels(nb::module_& module) {
  module.def("encode_integers", &encode_integers, nb::arg("labels"),
             "Sorted codes and the different numbers; None: they need another way.");
  module.def("encode_items", &encode_items, nb::arg("bytes"), nb::arg("size"),
             "Codes in order of first appearance and the first rows.");
}

}  // namespace genera::python
