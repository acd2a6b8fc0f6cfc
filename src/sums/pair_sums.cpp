#include "sums/pair_sums.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/each_code.hpp"
#include "kernel/index.hpp"
#include "sums/discrete_sums.hpp"

namespace genera::sums {
namespace {

using kernel::at;

constexpr double max_bytes = 1'073'741'824;

/// The matrix with at least this size, zeros where it was smaller.
void grow(Matrix& matrix, Index rows, Index columns) {
  if (matrix.rows() >= rows && matrix.columns() >= columns) return;
  Matrix larger(std::max(rows, matrix.rows()), std::max(columns, matrix.columns()));
  for (Index i = 0; i < matrix.rows(); ++i) std::ranges::copy(matrix.row(i), larger.row(i).begin());
  matrix = std::move(larger);
}

Index mapped(const std::vector<std::int32_t>& map, Index level) {
  return map.empty() ? level : map[at(level)];
}

Index end_of(const std::vector<std::int32_t>& map, Index levels) {
  if (map.empty()) return levels;
  std::int32_t last = -1;
  for (Index v = 0; v < levels; ++v) last = std::max(last, map[at(v)]);
  return last + 1;
}

}  // namespace

void refuse_many_pairs(std::span<const Index> levels, Index classes) {
  double all = 0, squares = 0;
  for (const Index count : levels) {
    all += static_cast<double>(count);
    squares += static_cast<double>(count) * static_cast<double>(count);
  }
  const double bytes = (all * all - squares) / 2 * static_cast<double>(classes) * 8;
  if (bytes <= max_bytes) return;
  throw Error(Errc::bad_data,
              fmt::format("the pairs of {} and {:.0f} levels in {} need {:.1f} GB, and 1.1 are "
                          "allowed",
                          counted(std::ssize(levels), "column"), all,
                          counted(classes, "class", "classes"), bytes / 1e9),
              {"lower {}, leave columns with many levels out ({}), or use {}",
               {{"max_bins", {"8"}}, {"drop"}, {"model", {"gnb"}}}});
}

void refuse_many_pairs(const DataView& data) {
  std::vector<Index> levels;
  for (const CodesView& codes : data.codes) levels.push_back(std::ssize(codes.names));
  refuse_many_pairs(levels, std::ssize(data.labels.names));
}

void count_pairs(const DataView& data, const std::vector<Index>& rows, std::vector<Matrix>& to) {
  const std::size_t columns = data.codes.size();
  if (columns < 2) return;
  for (std::size_t a = 0; a < columns; ++a)
    for (std::size_t b = a + 1; b < columns; ++b)
      grow(to[pair_place(a, b, columns)], std::ssize(data.codes[a].names),
           std::ssize(data.codes[b].names));
  std::vector<std::int32_t> row(columns);
  for (const Index i : rows) {
    const double weight = data.weights.empty() ? 1 : data.weights[at(i)];
    for (std::size_t j = 0; j < columns; ++j) row[j] = data.codes[j](i);
    std::size_t place = 0;
    for (std::size_t a = 0; a < columns; ++a) {
      if (row[a] < 0) {
        place += columns - a - 1;
        continue;
      }
      for (std::size_t b = a + 1; b < columns; ++b, ++place)
        if (row[b] >= 0) to[place](row[a], row[b]) += weight;
    }
  }
}

void add_pairs(std::vector<Matrix>& ours, const std::vector<Matrix>& theirs, const PairMap& map,
               double sign) {
  if (ours.empty()) return;
  const std::size_t columns = map.columns.size();
  for (std::size_t a = 0; a < columns; ++a) {
    for (std::size_t b = a + 1; b < columns; ++b) {
      const std::size_t from_a = at(map.columns[a]), from_b = at(map.columns[b]);
      const bool turned = from_a > from_b;
      const Matrix& from =
          theirs[pair_place(std::min(from_a, from_b), std::max(from_a, from_b), columns)];
      Matrix& to = ours[pair_place(a, b, columns)];
      const Index rows = turned ? from.columns() : from.rows();
      const Index across = turned ? from.rows() : from.columns();
      grow(to, end_of(map.levels[a], rows), end_of(map.levels[b], across));
      for (Index u = 0; u < rows; ++u)
        for (Index v = 0; v < across; ++v)
          to(mapped(map.levels[a], u), mapped(map.levels[b], v)) +=
              sign * (turned ? from(v, u) : from(u, v));
    }
  }
}

bool clear_rounding(std::vector<Matrix>& left, const std::vector<Matrix>& before) {
  for (std::size_t i = 0; i < left.size(); ++i)
    for (Index u = 0; u < left[i].rows(); ++u)
      for (Index v = 0; v < left[i].columns(); ++v) {
        const bool was = u < before[i].rows() && v < before[i].columns();
        if (!clear_rounding(left[i](u, v), was ? before[i](u, v) : 0)) return false;
      }
  return true;
}

std::vector<Matrix> kept_pairs(const std::vector<Matrix>& pairs,
                               const std::vector<std::vector<std::size_t>>& kept) {
  std::vector<Matrix> left(pairs.size());
  const std::size_t columns = kept.size();
  for (std::size_t a = 0; a < columns && !pairs.empty(); ++a) {
    for (std::size_t b = a + 1; b < columns; ++b) {
      const Matrix& from = pairs[pair_place(a, b, columns)];
      Matrix& to = left[pair_place(a, b, columns)];
      to = Matrix(std::ssize(kept[a]), std::ssize(kept[b]));
      for (Index u = 0; u < to.rows(); ++u)
        for (Index v = 0; v < to.columns(); ++v) {
          const auto i = static_cast<Index>(kept[a][at(u)]), j = static_cast<Index>(kept[b][at(v)]);
          if (i < from.rows() && j < from.columns()) to(u, v) = from(i, j);
        }
    }
  }
  return left;
}

}  // namespace genera::sums
