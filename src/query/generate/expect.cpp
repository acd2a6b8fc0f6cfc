#include "query/generate/expect.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "kernel/parallel.hpp"
#include "kernel/patterns.hpp"
#include "query/generate/gaussian_parts.hpp"
#include "model/joint_cells.hpp"

namespace genera::query {
namespace {

using kernel::panel_rows;

constexpr Index rows_at_once = 1024;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::int32_t first_largest(const Vector& values) {
  return static_cast<std::int32_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

/// A row whose discrete cells are filled, and where the block at hand has its columns.
struct Row {
  Table& table;
  Index row;
  std::span<const double> classes;
  OwnPlaces places{};

  [[nodiscard]] std::int32_t& code(Index j) const { return table.codes(row, places.code + j); }
  [[nodiscard]] double& number(Index j) const { return table.numbers(row, places.number + j); }
};

void fill(const GaussianBlock&, Row&) {}
void fill(const MixtureBlock&, Row&) {}

void fill(const CategoricalBlock& block, Row& to) {
  for (Index j = 0; j < std::ssize(block.parameters().columns); ++j) {
    if (to.code(j) >= 0) continue;
    const Matrix& p = block.parameters().probabilities[at(j)];
    Vector shares(at(p.columns()));
    for (Index k = 0; k < p.rows(); ++k) {
      for (Index v = 0; v < p.columns(); ++v) shares[at(v)] += to.classes[at(k)] * p(k, v);
    }
    to.code(j) = first_largest(shares);
  }
}

/// p(cell | levels known), mixed over the classes, for the cells that agree with these.
Vector joint_shares(const JointParameters& p, std::span<const double> classes,
                    const std::vector<Index>& cells) {
  Vector shares(cells.size());
  for (Index k = 0; k < p.probabilities.rows(); ++k) {
    double sum = 0;
    for (const Index cell : cells) sum += p.probabilities(k, cell);
    if (sum == 0) continue;  // not in this class
    for (std::size_t i = 0; i < cells.size(); ++i)
      shares[i] += classes[at(k)] * p.probabilities(k, cells[i]) / sum;
  }
  return shares;
}

void fill(const JointBlock& block, Row& to) {
  const JointParameters& p = block.parameters();
  std::vector<std::int32_t> levels(p.levels.size());
  for (std::size_t j = 0; j < levels.size(); ++j) levels[j] = to.code(static_cast<Index>(j));
  if (std::ranges::none_of(levels, [](std::int32_t level) { return level < 0; })) return;
  std::vector<Index> cells;
  detail::for_each_cell(p, levels, [&](Index cell) { cells.push_back(cell); });
  detail::take_apart(p, cells[at(first_largest(joint_shares(p, to.classes, cells)))], levels);
  for (std::size_t j = 0; j < levels.size(); ++j) to.code(static_cast<Index>(j)) = levels[j];
}

void fill_presence(const CountParameters& p, Row& to) {
  for (Index j = 0; j < std::ssize(p.terms); ++j) {
    if (!std::isnan(to.number(j))) continue;
    double share = 0;
    for (Index k = 0; k < p.probabilities.rows(); ++k)
      share += to.classes[at(k)] * p.probabilities(k, j);
    to.number(j) = share > 0.5 ? 1 : 0;
  }
}

/// How often things of probability one would be counted in a row of class k, of which things of
/// probability `missing_share` are not known and the others sum to `known`.
double length_of(const CountParameters& p, Index k, double known, double missing_share) {
  if (missing_share < 1) return known / (1 - missing_share);
  return p.lengths.empty() ? 1 : p.lengths[at(k)];
}

void fill_counts(const CountParameters& p, Row& to) {
  std::vector<Index> missing;
  double known = 0;
  for (Index j = 0; j < std::ssize(p.terms); ++j) {
    if (std::isnan(to.number(j)))
      missing.push_back(j);
    else
      known += to.number(j);
  }
  const bool alone = std::ssize(missing) == std::ssize(p.terms);
  for (const Index j : missing) to.number(j) = 0;
  for (Index k = 0; k < p.probabilities.rows() && !missing.empty(); ++k) {
    double share = 0;
    for (const Index j : missing) share += p.probabilities(k, j);
    const double length = length_of(p, k, known, alone ? 1 : share);
    for (const Index j : missing)
      to.number(j) += to.classes[at(k)] * length * p.probabilities(k, j);
  }
}

void fill(const CountBlock& block, Row& to) {
  const CountParameters& p = block.parameters();
  if (!p.text.empty()) return;
  if (p.kind == CountParameters::Kind::bernoulli)
    fill_presence(p, to);
  else
    fill_counts(p, to);
}

void fill_discrete(const Model& model, OwnRows& rows, Index row, const Matrix& classes) {
  Row to{.table = rows.table, .row = row, .classes = classes.row(row)};
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    to.places = rows.places[b];
    std::visit([&](const auto& block) { fill(block, to); }, model.blocks()[b]);
  }
}

}  // namespace

void expect_missing(const Model& model, OwnRows& rows, const Matrix& classes, int threads) {
  std::vector<Index> all(at(rows.table.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  const std::vector<kernel::Pattern> patterns =
      kernel::patterns_of(rows.table.numbers, gaussian_columns(model, rows), all);
  const auto tasks = kernel::tasks_of(patterns, rows_at_once);
  const GaussianParts parts(model, GaussianParts::For::expectations);
  kernel::parallel_for(std::ssize(tasks), threads, [&](Index i) {
    GaussianWorker numbers(parts, rows);
    kernel::AlignedVector weights(at(classes.columns() * panel_rows));
    for (const kernel::PatternPart& part : tasks[at(i)]) {
      numbers.observe(part.pattern->observed);
      for (std::size_t begin = 0; begin < part.rows.size(); begin += panel_rows) {
        const auto some =
            part.rows.subspan(begin, std::min<std::size_t>(panel_rows, part.rows.size() - begin));
        for (std::size_t lane = 0; lane < some.size(); ++lane) {
          for (Index k = 0; k < classes.columns(); ++k)
            weights[at(k * panel_rows) + lane] = classes(some[lane], k);
        }
        numbers.complete(
            some, [&](GaussianRest& rest, double* panel) { rest.expect(weights.data(), panel); });
        for (const Index row : some) fill_discrete(model, rows, row, classes);
      }
    }
  });
}

}  // namespace genera::query
