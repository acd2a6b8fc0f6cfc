#include "query/generate/draws.hpp"

#include <algorithm>
#include <numeric>

#include <genera/error.hpp>

#include "blocks/kinds.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"
#include "kernel/patterns.hpp"

namespace genera::query {
namespace {

using kernel::at;

using kernel::panel_rows;

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

/// The texts of the table from the terms of each row.
void write_texts(const Model& model, const std::vector<std::vector<blocks::TermCounts>>& rows,
                 Table& table) {
  std::vector<std::vector<std::string>> terms;
  for (const Block& block : model.blocks()) {
    auto own = blocks::visit(block, [](auto kind, const auto& b) { return kind.text_terms(b); });
    if (own) terms.push_back(*std::move(own));
  }
  for (std::size_t text = 0; text < table.sparse.size(); ++text) {
    SparseColumns sparse{.name = table.sparse[text].name,
                         .text_options = table.sparse[text].text_options,
                         .terms = std::move(terms[text])};
    for (const std::vector<blocks::TermCounts>& row : rows) {
      for (const auto& [term, count] : row[text]) {
        sparse.places.push_back(static_cast<std::int32_t>(term));
        sparse.values.push_back(count);
      }
      sparse.begins.push_back(std::ssize(sparse.places));
    }
    table.sparse[text] = std::move(sparse);
  }
}

}  // namespace

RowDrawer::RowDrawer(const Model& model, const blocks::FillRules& rules)
    : model_(model), draws_texts_(rules.texts), fillers_(model, rules) {}

void RowDrawer::complete(ModelRows& rows, const Chances& chances, const Control& control) const {
  std::vector<Index> all(at(rows.table.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  const std::vector<kernel::Pattern> patterns =
      kernel::patterns_of(rows.table.numbers, rows.pattern_columns, all);
  const auto tasks = kernel::tasks_of(patterns, rows_completed_at_once);
  std::vector<std::vector<blocks::TermCounts>> texts(all.size());
  const auto draw = [&](Index i) {
    RowFiller filler(fillers_, rows);
    for (const kernel::PatternPart& part : tasks[at(i)]) {
      filler.observe(part.pattern->observed);
      for (SameClass& same : panels_by_class(part.rows, chances)) {
        filler.draw(same.rows, same.k, same.streams, texts);
        for (const Index row : same.rows)
          rows.table.labels[at(row)] = static_cast<std::int32_t>(same.k);
      }
    }
  };
  kernel::ProgressMeter meter(control, Progress::Task::drawing, rows.table.rows());
  kernel::parallel_for(std::ssize(tasks), control.threads, draw,
                       [&](Index i) { meter.advance(kernel::rows_of(tasks[at(i)])); });
  if (draws_texts_) write_texts(model_, texts, rows.table);
}

Matrix as_row(const Vector& probabilities) { return {1, std::ssize(probabilities), probabilities}; }

Table draw_rows(const Model& model, DrawRange range, const Rng& rng, const Control& control,
                const blocks::FillRules& rules) {
  const RowDrawer drawer(model, rules);
  ModelRows rows = drawer.unknown(range.end - range.begin);
  const Matrix prior = as_row(model.prior().probabilities());
  drawer.complete(
      rows,
      {prior, [&](Index row) { return rng.split(static_cast<std::uint64_t>(range.begin + row)); }},
      control);
  return std::move(rows.table);
}

}  // namespace genera::query
