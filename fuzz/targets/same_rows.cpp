#include "same_rows.hpp"

#include <algorithm>
#include <cmath>

namespace genera::fuzz {
namespace {

bool same_sparse(const SparseColumns& a, const SparseColumns& b) {
  return a.name == b.name && a.terms == b.terms && a.begins == b.begins && a.places == b.places &&
         a.values == b.values && a.missing == b.missing && a.kind == b.kind;
}

}  // namespace

Source in_pieces(std::string_view bytes, std::size_t piece, Source::Format format) {
  return Source::callback(
      [rest = bytes, piece](char* to, std::size_t size) mutable {
        const std::size_t got = rest.copy(to, std::min(size, piece));
        rest.remove_prefix(got);
        return got;
      },
      "in", format);
}

bool same_numbers(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.columns() != b.columns()) return false;
  return std::equal(a.data(), a.data() + a.rows() * a.columns(), b.data(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

void require_same(const Read& a, const Read& b) {
  require(a.refused == b.refused, "the same bytes are refused by the same sentence");
  if (!a.table || !b.table) return;
  const Table& x = *a.table;
  const Table& y = *b.table;
  require(x.columns == y.columns && x.target == y.target, "the same columns");
  require(x.rows() == y.rows() && x.lines == y.lines, "the same rows");
  require(same_numbers(x.numbers, y.numbers), "the same numbers");
  require(x.codes == y.codes && x.levels == y.levels, "the same codes");
  require(x.classes == y.classes && x.labels == y.labels, "the same labels");
  require(x.weights == y.weights, "the same weights");
  require(x.kept == y.kept && x.kept_header == y.kept_header, "the same kept cells");
  require(
      std::equal(x.sparse.begin(), x.sparse.end(), y.sparse.begin(), y.sparse.end(), same_sparse),
      "the same entries");
}

}  // namespace genera::fuzz
