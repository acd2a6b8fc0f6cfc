#include "sums/negative_counts.hpp"

#include <string>

#include <fmt/format.h>

#include <genera/error.hpp>

namespace genera::sums {
namespace {

[[noreturn]] void refuse(const DataView& data, Index row, const std::string& name, double value) {
  throw Error(
      Errc::bad_data,
      fmt::format("{}: '{}' is {}, which is not a count", Rows(data).place(row), name, value),
      "counts are numbers of at least 0");
}

}  // namespace

void refuse_negative(const DataView& data, std::span<const Index> rows,
                     const data::NumberColumns& counts) {
  for (const Index row : rows) {
    for (Index j = 0; j < counts.count(); ++j) {
      if (const double value = counts(row, j); value < 0)
        refuse(data, row, data::names_of(data, ColumnType::count)[static_cast<std::size_t>(j)],
               value);
    }
  }
}

void refuse_negative(const DataView& data, const SparseView& sparse, std::span<const Index> rows) {
  if (sparse.kind == SparseKind::numbers) return;
  for (const Index row : rows) {
    for (Index e = sparse.begin(row); e < sparse.begin(row + 1); ++e) {
      if (sparse.value(e) < 0)
        refuse(data, row, sparse.terms[static_cast<std::size_t>(sparse.place(e))], sparse.value(e));
    }
  }
}

}  // namespace genera::sums
