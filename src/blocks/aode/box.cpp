// Probabilities of intervals and levels, given known cells.
#include <cmath>

#include "blocks/aode/kind.hpp"
#include "blocks/aode/table.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/log_sum.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// For each column, the probability of its condition given each level; empty: no condition.
using Conditions = std::vector<Vector>;

Vector only(Index levels, Index level) {
  Vector one(at(levels));
  one[at(level)] = 1;
  return one;
}

/// log P(all conditions | k) + log of the number of columns.
double log_probability(const detail::AodeTable& table, Index k, const Conditions& conditions) {
  Vector logs;
  for (std::size_t i = 0; i < table.columns(); ++i) {
    for (Index u = 0; u < table.levels(i); ++u) {
      const double own = conditions[i].empty() ? 1 : conditions[i][at(u)];
      const Index state = table.place(i, u);
      double log = std::log(own) + table.log_parent(state)[k];
      for (std::size_t j = 0; j < table.columns() && log > -kernel::infinity; ++j) {
        if (j == i || conditions[j].empty()) continue;
        double sum = 0;
        for (Index v = 0; v < table.levels(j); ++v)
          if (conditions[j][at(v)] > 0)
            sum += conditions[j][at(v)] * std::exp(table.log_child(state, table.place(j, v))[k]);
        log += std::log(sum);
      }
      logs.push_back(log);
    }
  }
  return kernel::log_sum(logs);
}

}  // namespace

BoxTerms AodeKind::box(const Block& block, Index k, const BoxQuestion& question) {
  const detail::AodeTable& table = block.density();
  Conditions known(table.columns()), both(table.columns());
  std::size_t number = 0, code = 0;
  for (std::size_t j = 0; j < table.columns(); ++j) {
    const Index levels = table.levels(j);
    if (const std::optional<Cut>& cut = block.parameters().columns[j].cut) {
      const double x = question.known_numbers[number];
      const kernel::Interval& asked = question.numbers[number++];
      if (!std::isnan(x)) {
        known[j] = both[j] = only(levels, cut->bin(x));
      } else if (is_bounded(asked)) {
        for (Index b = 0; b < levels; ++b)
          both[j].push_back(detail::share_of_bin(*cut, b, asked.low, asked.high));
      }
      continue;
    }
    if (question.known_levels[code] >= 0)
      known[j] = both[j] = only(levels, question.known_levels[code]);
    else if (question.levels[code] >= 0)
      both[j] = only(levels, question.levels[code]);
    ++code;
  }
  const double log = log_probability(table, k, both) - log_probability(table, k, known);
  return exactly(std::isnan(log) ? -kernel::infinity : std::min(0.0, log));
}

}  // namespace genera::blocks
