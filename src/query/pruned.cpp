// The pruned decision of an engine. A panel can give up a class only when all of its rows do, so
// rows are first sorted by the class that a cheap look favours. Lanes never mix: the labels are
// those of the rows in any other company.
#include <algorithm>
#include <limits>

#include "query/engine.hpp"

namespace genera::query {
namespace {

using kernel::panel_rows;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

bool Engine::prunes(const Wanted& wanted) const {
  const bool only_labels = wanted.labels && !wanted.posterior && !wanted.log_joint &&
                           !wanted.log_density && !wanted.distances;
  return only_labels && parts_.size() == 1 && parts_.front().density->prunes();
}

bool Engine::run_pruned(const MatrixView& numbers, RowRange range, std::int32_t* labels) {
  for (Index first = range.begin; first < range.end; first += sorted_rows) {
    const RowRange rows{first, std::min(range.end, first + sorted_rows)};
    const Index count = rows.end - rows.begin;
    probe(numbers, rows);
    order_by_leader(rows);
    for (Index begin = 0; begin < count; begin += panel_rows) {
      const std::span<const Index> panel(order_.data() + begin,
                                         at(std::min(panel_rows, count - begin)));
      if (!finish(numbers, panel, rows.begin, labels)) return false;
    }
  }
  return true;
}

void Engine::probe(const MatrixView& numbers, RowRange rows) {
  Part& part = parts_.front();
  const std::span<const Index> columns(part.columns.data(), at(part.density->probe_columns()));
  alignas(64) double best[panel_rows];
  alignas(64) double labels[panel_rows];
  for (Index row = rows.begin; row < rows.end; row += panel_rows) {
    const Index lanes = std::min(panel_rows, rows.end - row);
    double* squares = partial_.data() + (row - rows.begin) / panel_rows * size();
    kernel::gather_panel({numbers, columns}, row, lanes, part.panels.data());
    part.density->probe(part.panels.data(), lanes, scratch_.data(), squares);
    for (Index k = 0; k < classes_; ++k) {
      for (Index lane = 0; lane < panel_rows; ++lane)
        one_[at(k * panel_rows + lane)] = offsets_[at(k)] - 0.5 * squares[k * panel_rows + lane];
    }
    kernel::best_classes(one_.data(), classes_, best, labels);
    for (Index lane = 0; lane < lanes; ++lane)
      leaders_[at(row - rows.begin + lane)] = static_cast<std::int32_t>(labels[lane]);
  }
}

void Engine::order_by_leader(RowRange rows) {
  const Index count = rows.end - rows.begin;
  std::fill(begins_.begin(), begins_.end(), Index{0});
  for (Index i = 0; i < count; ++i) ++begins_[at(leaders_[at(i)] + 1)];
  for (Index k = 0; k < classes_; ++k) begins_[at(k + 1)] += begins_[at(k)];
  for (Index i = 0; i < count; ++i) order_[at(begins_[at(leaders_[at(i)])]++)] = rows.begin + i;
}

bool Engine::finish(const MatrixView& numbers, std::span<const Index> rows, Index first,
                    std::int32_t* labels) {
  Part& part = parts_.front();
  const auto lanes = static_cast<Index>(rows.size());
  double* panel = part.panels.data();
  kernel::gather_panel({numbers, part.columns}, rows, panel);
  if (!kernel::all_finite(panel, part.density->dimension())) return false;
  double* squares = one_.data();
  for (Index lane = 0; lane < lanes; ++lane) {
    const Index place = rows[at(lane)] - first;
    const double* from = partial_.data() + place / panel_rows * size() + place % panel_rows;
    for (Index k = 0; k < classes_; ++k) squares[k * panel_rows + lane] = from[k * panel_rows];
  }
  std::int32_t found[panel_rows];
  part.density->finish(panel, lanes, offsets_, scratch_.data(), squares, found);
  for (Index lane = 0; lane < lanes; ++lane) {
    const bool possible = found[lane] >= 0;
    labels[rows[at(lane)]] = possible ? found[lane] : favourite_;
    if (!possible) ++impossible_;
  }
  return true;
}

}  // namespace genera::query
