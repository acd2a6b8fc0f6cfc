#include "sums/count_totals.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/weighted_rows.hpp"
#include "sums/negative_counts.hpp"

namespace genera::sums {

CountTotals::CountTotals(const Rows& rows, const data::NumberColumns& counts)
    : columns_(static_cast<std::size_t>(counts.count())) {
  if (columns_ == 0) return;
  const std::size_t classes = rows.data().labels.names.size();
  sums_.resize(classes * columns_);
  weights_.resize(classes);
  rows_.resize(classes);
  add(rows, counts);
  for (std::size_t k = 0; k < classes; ++k) {
    if (!std::ranges::all_of(sums_of(k), [](double x) { return std::isfinite(x); })) rows_[k] = -1;
  }
}

void CountTotals::add(const Rows& rows, const data::NumberColumns& counts) {
  constexpr Index rows_at_once = 256;
  const CodesView& labels = rows.data().labels;
  std::vector<Index> own;
  std::vector<kernel::RowToAdd> to_add;
  Vector copy;
  std::vector<const double*> numbers;
  for (Index first = 0; first < rows.count(); first += rows_at_once) {
    own.clear();
    to_add.clear();
    for (Index i = first; i < std::min(first + rows_at_once, rows.count()); ++i) {
      const Index row = rows.row(i);
      const std::int32_t label = labels(row);
      const double weight = rows.weight(row);
      if (label < 0 || !(weight > 0)) continue;
      const auto k = static_cast<std::size_t>(label);
      ++rows_[k];
      weights_[k] += weight;
      own.push_back(row);
      to_add.push_back({nullptr, weight, sums_.data() + k * columns_});
    }
    counts.point_to_rows(own, copy, numbers);
    for (std::size_t r = 0; r < own.size(); ++r) to_add[r].numbers = numbers[r];
    if (kernel::add_rows(to_add, counts.count())) refuse_negative(rows.data(), own, counts);
  }
}

}  // namespace genera::sums
