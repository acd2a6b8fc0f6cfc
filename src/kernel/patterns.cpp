#include "kernel/patterns.hpp"

#include <algorithm>
#include <numeric>

namespace genera::kernel {
namespace {

constexpr Index bits = Masks::bits;

std::vector<Index> columns_in(std::span<const std::uint64_t> mask) {
  std::vector<Index> columns;
  for (Index j = 0; j < std::ssize(mask) * bits; ++j) {
    if (mask[static_cast<std::size_t>(j / bits)] >> (j % bits) & 1U) columns.push_back(j);
  }
  return columns;
}

}  // namespace

Masks::Masks(Index rows, Index columns)
    : words_(columns / bits + 1), masks_(static_cast<std::size_t>(rows * words_)) {}

std::vector<Pattern> patterns_of(const Masks& masks, std::span<const Index> rows) {
  std::vector<Index> order(rows.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::ranges::lexicographical_compare(masks.of(a), masks.of(b));
  });
  std::vector<Pattern> patterns;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && std::ranges::equal(masks.of(order[i]), masks.of(order[i - 1]));
    if (!same) patterns.push_back({columns_in(masks.of(order[i])), {}});
    patterns.back().rows.push_back(rows[static_cast<std::size_t>(order[i])]);
  }
  return patterns;
}

std::vector<std::vector<PatternPart>> tasks_of(const std::vector<Pattern>& patterns, Index max) {
  std::vector<std::vector<PatternPart>> tasks;
  Index rows = max;  // of the last task
  for (const Pattern& pattern : patterns) {
    const std::span<const Index> all(pattern.rows);
    for (std::size_t begin = 0; begin < all.size(); begin += static_cast<std::size_t>(max)) {
      const std::size_t count = std::min(all.size() - begin, static_cast<std::size_t>(max));
      if (rows + static_cast<Index>(count) > max) {
        tasks.emplace_back();
        rows = 0;
      }
      tasks.back().push_back({&pattern, all.subspan(begin, count)});
      rows += static_cast<Index>(count);
    }
  }
  return tasks;
}

Index rows_of(const std::vector<PatternPart>& task) {
  Index rows = 0;
  for (const PatternPart& part : task) rows += std::ssize(part.rows);
  return rows;
}

}  // namespace genera::kernel
