#include <genera/observed.hpp>

#include <genera/error.hpp>

#include "sums/schema.hpp"

namespace genera {
namespace {

/// One column as moments.
void take(const ColumnMoments& from, std::size_t j, Moments& to) {
  to.weight = from.weight[j];
  to.mean[0] = from.mean[j];
  to.mean_low[0] = from.mean_low[j];
  to.scatter(0, 0) = from.scatter[j];
}

void put(const Moments& from, std::size_t j, ColumnMoments& to) {
  to.weight[j] = from.weight;
  to.mean[j] = from.mean[0];
  to.mean_low[j] = from.mean_low[0];
  to.scatter[j] = from.scatter(0, 0);
}

/// In our order of columns.
ColumnMoments as_ours(const ColumnMoments& theirs, const std::vector<Index>& order) {
  if (theirs.weight.empty() || sums::is_identity(order)) return theirs;
  ColumnMoments ours = theirs;
  Moments one(1, Scatter::diagonal);
  for (std::size_t j = 0; j < order.size(); ++j) {
    take(theirs, static_cast<std::size_t>(order[j]), one);
    put(one, j, ours);
  }
  return ours;
}

}  // namespace

void ColumnMoments::merge(const ColumnMoments& other) {
  if (other.weight.empty()) return;
  if (weight.empty()) {
    *this = other;
    return;
  }
  if (weight.size() != other.weight.size())
    throw Error(Errc::bad_argument, "moments of different columns cannot be combined",
                "combine moments of the same columns");
  Moments ours(1, Scatter::diagonal), theirs(1, Scatter::diagonal);
  for (std::size_t j = 0; j < weight.size(); ++j) {
    take(*this, j, ours);
    take(other, j, theirs);
    ours.merge(theirs);
    put(ours, j, *this);
  }
}

void AvailableCases::merge(const AvailableCases& other) {
  if (other.counted.schema().empty()) return;
  if (counted.schema().empty()) {
    *this = other;
    return;
  }
  const sums::Match match = sums::match(counted.schema(), other.counted.schema());
  counted.merge(other.counted);
  for (const auto& [name, moments] : other.numbers)
    numbers[name].merge(as_ours(moments, match.numeric));
}

void ObservedStatistics::merge(const ObservedStatistics& other) {
  labelled.merge(other.labelled);
  unlabelled.merge(other.unlabelled);
  unlabelled_left_out += other.unlabelled_left_out;
  for (const auto& [column, cells] : other.missing_cells) missing_cells[column] += cells;
}

}  // namespace genera
