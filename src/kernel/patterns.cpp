#include "kernel/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace genera::kernel {
namespace {

constexpr Index bits = 64;

/// One bit for each column that is observed, row after row.
class Masks {
 public:
  Masks(const MatrixView& numbers, std::span<const Index> columns, std::span<const Index> rows)
      : words_(std::ssize(columns) / bits + 1),
        masks_(rows.size() * static_cast<std::size_t>(words_)) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < columns.size(); ++j) {
        if (!std::isnan(numbers(rows[i], columns[j])))
          mask(i)[j / bits] |= std::uint64_t{1} << (j % bits);
      }
    }
  }

  [[nodiscard]] std::span<std::uint64_t> mask(std::size_t i) {
    return {masks_.data() + i * static_cast<std::size_t>(words_), static_cast<std::size_t>(words_)};
  }
  [[nodiscard]] std::span<const std::uint64_t> mask(std::size_t i) const {
    return {masks_.data() + i * static_cast<std::size_t>(words_), static_cast<std::size_t>(words_)};
  }

 private:
  Index words_;
  std::vector<std::uint64_t> masks_;
};

std::vector<Index> columns_in(std::span<const std::uint64_t> mask) {
  std::vector<Index> columns;
  for (Index j = 0; j < std::ssize(mask) * bits; ++j) {
    if (mask[static_cast<std::size_t>(j / bits)] >> (j % bits) & 1U) columns.push_back(j);
  }
  return columns;
}

}  // namespace

std::vector<Pattern> patterns_of(const MatrixView& numbers, std::span<const Index> columns,
                                 std::span<const Index> rows) {
  const Masks masks(numbers, columns, rows);
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(masks.mask(a), masks.mask(b));
  });
  std::vector<Pattern> patterns;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && std::ranges::equal(masks.mask(order[i]), masks.mask(order[i - 1]));
    if (!same) patterns.push_back({columns_in(masks.mask(order[i])), {}});
    patterns.back().rows.push_back(rows[order[i]]);
  }
  return patterns;
}

std::vector<std::vector<PatternPart>> tasks_of(const std::vector<Pattern>& patterns, Index most) {
  std::vector<std::vector<PatternPart>> tasks;
  Index rows = most;  // of the last task
  for (const Pattern& pattern : patterns) {
    const std::span<const Index> all(pattern.rows);
    for (std::size_t begin = 0; begin < all.size(); begin += static_cast<std::size_t>(most)) {
      const std::size_t count = std::min(all.size() - begin, static_cast<std::size_t>(most));
      if (rows + static_cast<Index>(count) > most) {
        tasks.emplace_back();
        rows = 0;
      }
      tasks.back().push_back({&pattern, all.subspan(begin, count)});
      rows += static_cast<Index>(count);
    }
  }
  return tasks;
}

}  // namespace genera::kernel
