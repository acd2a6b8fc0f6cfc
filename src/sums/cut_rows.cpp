#include "sums/cut_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/columns.hpp"
#include "data/densified.hpp"
#include "kernel/index.hpp"
#include "sums/row_check.hpp"

namespace genera {
namespace {

using kernel::at;

/// A larger sample would move the limits by less than a hundredth of a bin.
constexpr Index sampled_rows = 50'000;

/// The different values of a column, ascending, with their weights.
struct Values {
  Vector values{}, weights{};
  double total = 0;
};

Values values_of(const Rows& rows, const data::NumberColumns& numbers, Index column) {
  std::vector<std::pair<double, double>> all;
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    const double x = numbers(row, column);
    if (std::isfinite(x) && rows.weight(row) > 0) all.emplace_back(x, rows.weight(row));
  }
  std::ranges::sort(all);
  Values found;
  for (const auto& [x, weight] : all) {
    found.total += weight;
    if (!found.values.empty() && found.values.back() == x) {
      found.weights.back() += weight;
    } else {
      found.values.push_back(x);
      found.weights.push_back(weight);
    }
  }
  return found;
}

/// Each limit is the first value of a bin. A bin ends when it has its share of the weight that is
/// left, or before a value that is nearly as frequent as a bin.
Vector limits_of(const Values& of, Index max_bins) {
  if (std::ssize(of.values) <= max_bins)
    return of.values.empty() ? Vector() : Vector(of.values.begin() + 1, of.values.end());
  constexpr double rounding = 1e-9, frequent = 0.6, worth_a_bin = 0.25;
  Vector limits;
  double held = 0, left = of.total;
  for (std::size_t i = 0; i < of.values.size() && std::ssize(limits) + 1 < max_bins; ++i) {
    const double share = left / static_cast<double>(max_bins - std::ssize(limits));
    const bool full = held >= share * (1 - rounding);
    const bool before_frequent = of.weights[i] >= frequent * share && held > worth_a_bin * share;
    if (held > 0 && (full || before_frequent)) {
      limits.push_back(of.values[i]);
      left -= held;
      held = 0;
    }
    held += of.weights[i];
  }
  return limits;
}

/// Few enough that pairs of bins have rows.
Index usual_bins(const Rows& rows) {
  double weight = 0;
  for (Index i = 0; i < rows.count(); ++i) weight += rows.weight(rows.row(i));
  return std::clamp<Index>(std::lround(std::cbrt(weight)), 4, 20);
}

/// Mean distance of the values beyond an outer limit; of a bin with this limit as its only value,
/// the distance to the nearest other value.
Cut with_tails(Vector limits, const Values& of) {
  Cut cut{.limits = std::move(limits)};
  if (cut.limits.empty()) return cut;
  const double first = cut.limits.front(), last = cut.limits.back();
  double below = 0, above = 0, low_weight = 0, high_weight = 0, before_last = first;
  for (std::size_t i = 0; i < of.values.size(); ++i) {
    const double x = of.values[i], weight = of.weights[i];
    if (x < first) {
      below += weight * (first - x);
      low_weight += weight;
    }
    if (x < last) before_last = x;
    if (x >= last) {
      above += weight * (x - last);
      high_weight += weight;
    }
  }
  if (low_weight > 0) cut.below = below / low_weight;
  if (high_weight > 0) cut.above = above / high_weight;
  if (!(cut.above > 0)) cut.above = last - before_last;
  constexpr double most = std::numeric_limits<double>::max();  // of columns that exceed it
  cut.below = std::min(cut.below, most);
  cut.above = std::min(cut.above, most);
  return cut;
}

std::vector<std::string> names_of_bins(const Cut& cut) {
  std::vector<std::string> names;
  for (Index b = 0; b < cut.bins(); ++b) names.push_back(std::to_string(b));
  return names;
}

bool is_cut(const Column& column, const Cuts& cuts) {
  return column.type == ColumnType::numeric && cuts.contains(column.name);
}

std::vector<Column> cut_columns(std::vector<Column> columns, const Cuts& cuts) {
  for (Column& column : columns)
    if (is_cut(column, cuts)) column = {column.name, ColumnType::categorical, cuts.at(column.name)};
  return columns;
}

/// Where the columns of a table are, before and after some become codes.
class Cutter {
 public:
  Cutter(const Rows& rows, const Cuts& cuts)
      : rows_(rows), cuts_(cuts), table_(data::table_of(rows)) {}

  Table run() {
    const std::vector<Column> columns = table_.columns;
    const auto places = data::feature_places(columns);
    table_.columns = cut_columns(columns, cuts_);
    std::vector<std::size_t> numbers, codes;
    for (std::size_t f = 0; f < columns.size(); ++f) {
      if (data::kept_as_number(table_.columns[f].type)) numbers.push_back(f);
      if (data::kept_as_code(table_.columns[f].type)) codes.push_back(f);
    }
    Matrix kept(table_.row_count, std::ssize(numbers));
    for (std::size_t j = 0; j < numbers.size(); ++j)
      for (Index i = 0; i < kept.rows(); ++i)
        kept(i, static_cast<Index>(j)) = table_.numbers(i, places[numbers[j]].at);
    Codes all(table_.row_count, std::ssize(codes));
    std::vector<std::vector<std::string>> levels;
    for (std::size_t j = 0; j < codes.size(); ++j) {
      const Column& column = table_.columns[codes[j]];
      const Index from = places[codes[j]].at;
      levels.push_back(column.cut ? names_of_bins(*column.cut) : table_.levels[at(from)]);
      for (Index i = 0; i < all.rows(); ++i)
        all(i, static_cast<Index>(j)) =
            column.cut ? bin_of(column, i, from) : table_.codes(i, from);
    }
    table_.numbers = std::move(kept);
    table_.codes = std::move(all);
    table_.levels = std::move(levels);
    return std::move(table_);
  }

 private:
  [[nodiscard]] std::int32_t bin_of(const Column& column, Index row, Index from) const {
    const double x = table_.numbers(row, from);
    if (std::isnan(x)) return -1;
    if (std::isinf(x)) sums::refuse_infinite(rows_, rows_.row(row), column.name);
    return static_cast<std::int32_t>(column.cut->bin(x));
  }

  const Rows& rows_;
  const Cuts& cuts_;
  Table table_;
};

}  // namespace

Cuts find_cuts(RowsRef rows, std::optional<Index> max_bins, const Control& control) {
  if (max_bins && *max_bins < 2)
    throw Error(Errc::bad_argument, counted(*max_bins, "bin") + " cannot cut a column",
                {"give {} a whole number of at least 2", {{"max_bins"}}});
  const RowSample sample = read_sample(rows, sampled_rows, 1, control);
  const Rows all = sample.rows;
  const data::NumberColumns numbers = data::all_numbers(all.data());
  const auto places = data::feature_places(all.data().columns);
  const Index usual = usual_bins(all);
  Cuts cuts;
  for (std::size_t f = 0; f < places.size(); ++f) {
    const Column& column = all.data().columns[f];
    if (column.type != ColumnType::numeric) continue;
    const Values values = values_of(all, numbers, places[f].at);
    cuts.emplace(column.name, with_tails(limits_of(values, max_bins.value_or(usual)), values));
  }
  return cuts;
}

namespace sums {

bool has_numbers(const RowsSchema& schema) {
  return std::ranges::any_of(
      schema.columns, [](const Column& column) { return column.type == ColumnType::numeric; });
}

Cuts all_cuts(RowSource& rows, const CollectOptions& options, const Control& control) {
  Cuts cuts = options.cuts;
  const bool known = std::ranges::all_of(rows.schema().columns, [&](const Column& column) {
    return column.type != ColumnType::numeric || cuts.contains(column.name);
  });
  if (!known) cuts.merge(find_cuts(rows, options.max_bins, control));
  return cuts;
}

CutRows::CutRows(RowSource& rows, Cuts cuts) : rows_(rows), cuts_(std::move(cuts)) {
  const Rows* known = rows.in_memory();
  if (known == nullptr) return;
  table_ = Cutter(*known, cuts_).run();
  all_ = table_;
}

RowsSchema CutRows::schema() const {
  RowsSchema schema = rows_.schema();
  schema.columns = cut_columns(std::move(schema.columns), cuts_);
  return schema;
}

std::vector<std::string> CutRows::fixed_types() const {
  std::vector<std::string> names = rows_.fixed_types();
  for (const auto& [name, cut] : cuts_) names.push_back(name);
  return names;
}

void CutRows::run(const Control& control, const Work& work,
                  const std::function<void()>& start_again) {
  if (all_) {
    work(RowChunk(*all_, control))();
    return;
  }
  rows_.for_each_chunk(
      control, [&](const Rows& chunk) { return work(Cutter(chunk, cuts_).run()); }, start_again);
}

}  // namespace sums
}  // namespace genera
