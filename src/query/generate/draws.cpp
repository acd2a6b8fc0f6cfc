#include "query/generate/draws.hpp"

#include <algorithm>
#include <numeric>

#include <genera/error.hpp>

#include "kernel/parallel.hpp"
#include "kernel/patterns.hpp"

namespace genera::query {
namespace {

using kernel::panel_rows;

constexpr Index rows_at_once = 1024;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Index draw_class(std::span<const double> probabilities, double u) {
  Index last_possible = 0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    const double p = probabilities[k];
    if (p <= 0) continue;
    if (u < p) return static_cast<Index>(k);
    u -= p;
    last_possible = static_cast<Index>(k);
  }
  return last_possible;
}

/// Rows that fell to one class, at most a panel of them, and their streams from there on.
struct SameClass {
  Index k = 0;
  std::vector<Index> rows{};
  std::vector<Rng> streams{};
};

std::vector<SameClass> panels_by_class(std::span<const Index> rows,
                                       const RowDrawer::Chances& chances) {
  std::vector<SameClass> open(at(chances.classes.columns()));
  std::vector<SameClass> full;
  for (const Index row : rows) {
    Rng stream = chances.stream(row);
    const Index k =
        draw_class(chances.classes.row(chances.classes.rows() == 1 ? 0 : row), stream.uniform());
    SameClass& panel = open[at(k)];
    panel.k = k;
    panel.rows.push_back(row);
    panel.streams.push_back(stream);
    if (std::ssize(panel.rows) == panel_rows) full.push_back(std::exchange(panel, {}));
  }
  for (SameClass& panel : open) {
    if (!panel.rows.empty()) full.push_back(std::move(panel));
  }
  return full;
}

/// One sparse column for each block of texts, from the terms of each row.
std::vector<SparseColumns> texts_of(const Model& model,
                                    const std::vector<std::vector<TermCounts>>& rows) {
  std::vector<SparseColumns> texts;
  for (const Block& block : model.blocks()) {
    const auto* counts = std::get_if<CountBlock>(&block);
    if (!counts || counts->parameters().text.empty()) continue;
    const std::size_t which = texts.size();
    SparseColumns& sparse = texts.emplace_back();
    sparse.name = counts->parameters().text;
    sparse.terms = counts->parameters().terms;
    for (const std::vector<TermCounts>& row : rows) {
      for (const auto& [term, count] : row[which]) {
        sparse.places.push_back(static_cast<std::int32_t>(term));
        sparse.values.push_back(count);
      }
      sparse.begins.push_back(std::ssize(sparse.places));
    }
  }
  return texts;
}

}  // namespace

RowDrawer::RowDrawer(const Model& model, const CountRules& rules)
    : model_(model), gaussians_(model, GaussianParts::For::draws), discrete_(model, rules) {
  if (!model.is_density())
    throw Error(Errc::bad_model, "complement is a scorer, not a density: nothing can be drawn",
                "use --model multinomial");
}

void RowDrawer::complete(OwnRows& rows, const Chances& chances, int threads) const {
  std::vector<Index> all(at(rows.table.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  const std::vector<kernel::Pattern> patterns =
      kernel::patterns_of(rows.table.numbers, gaussian_columns(model_, rows), all);
  const auto tasks = kernel::tasks_of(patterns, rows_at_once);
  std::vector<std::vector<TermCounts>> texts(all.size());
  kernel::parallel_for(std::ssize(tasks), threads, [&](Index i) {
    GaussianWorker numbers(gaussians_, rows);
    for (const kernel::PatternPart& part : tasks[at(i)]) {
      numbers.observe(part.pattern->observed);
      for (SameClass& same : panels_by_class(part.rows, chances)) {
        numbers.complete(same.rows, [&](GaussianRest& rest, double* panel) {
          rest.draw(same.k, same.streams, panel);
        });
        for (std::size_t lane = 0; lane < same.rows.size(); ++lane) {
          const Index row = same.rows[lane];
          discrete_.draw(same.k, same.streams[lane], {rows, row}, texts[at(row)]);
          rows.table.labels[at(row)] = static_cast<std::int32_t>(same.k);
        }
      }
    }
  });
  if (discrete_.draws_texts()) rows.table.sparse = texts_of(model_, texts);
}

Matrix as_row(const Vector& probabilities) { return {1, std::ssize(probabilities), probabilities}; }

Table draw_rows(const Model& model, DrawRange range, const Rng& rng, int threads) {
  const RowDrawer drawer(model);
  OwnRows rows = drawer.unknown(range.end - range.begin);
  const Matrix prior = as_row(model.prior().probabilities());
  drawer.complete(
      rows,
      {prior, [&](Index row) { return rng.split(static_cast<std::uint64_t>(range.begin + row)); }},
      threads);
  return std::move(rows.table);
}

}  // namespace genera::query
