#include "sums/count_rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/columns.hpp"
#include "data/each_code.hpp"
#include "kernel/double_double.hpp"
#include "sums/min_scatter.hpp"
#include "sums/negative_counts.hpp"
#include "sums/pair_sums.hpp"
#include "sums/sparse_entries.hpp"

namespace genera::sums {
namespace {

void count_levels(const DataView& data, const std::vector<Index>& rows, ClassStatistics& result) {
  const std::size_t columns = data.codes.size();
  std::vector<std::size_t> begins(columns + 1);
  for (std::size_t j = 0; j < columns; ++j) begins[j + 1] = begins[j] + data.codes[j].names.size();
  Vector sums(begins.back());
  double weight = 1;
  data::each_code(
      data, rows, [&](std::size_t i) { weight = weight_of(data, rows[i]); },
      [&](std::size_t column, std::int32_t code) {
        if (code >= 0) sums[begins[column] + static_cast<std::size_t>(code)] += weight;
      });
  for (std::size_t j = 0; j < columns; ++j)
    result.levels[j].assign(sums.begin() + static_cast<Index>(begins[j]),
                            sums.begin() + static_cast<Index>(begins[j + 1]));
}

/// Refuses levels that contain the separator, which would be ambiguous.
void refuse_separators(const DataView& data) {
  std::size_t j = 0;
  for (const Column& column : data.columns) {
    if (!data::kept_as_code(column.type)) continue;
    const CodesView& codes = data.codes[j++];
    const auto odd =
        std::find_if(codes.names.begin(), codes.names.end(), [](const std::string& level) {
          return level.find(Statistics::level_separator) != std::string::npos;
        });
    if (odd == codes.names.end()) continue;
    Index row = 0;
    while (row + 1 < data.rows && codes(row) != odd - codes.names.begin()) ++row;
    throw Error(Errc::bad_data,
                fmt::format("{}: column '{}' holds the control character 0x1F, which joint "
                            "counts cannot keep apart",
                            Rows(data).place(row), column.name),
                {"take it out of the cell, or use {}", {{"model", {"categorical"}}}});
  }
}

/// The joint level of a row; empty if a level is missing.
std::string joint_level(const DataView& data, Index row) {
  std::string joint;
  for (std::size_t j = 0; j < data.codes.size(); ++j) {
    const std::int32_t code = data.codes[j](row);
    if (code < 0) return {};
    if (j > 0) joint += Statistics::level_separator;
    joint += data.codes[j].names[static_cast<std::size_t>(code)];
  }
  return joint;
}

void count_joint_levels(const DataView& data, const std::vector<Index>& rows, NameSet& names,
                        ClassStatistics& result) {
  Vector& sums = result.levels.front();
  for (const Index row : rows) {
    const std::string level = joint_level(data, row);
    if (level.empty()) continue;
    const auto place = static_cast<std::size_t>(names.add(level));
    if (sums.size() <= place) sums.resize(place + 1);
    sums[place] += weight_of(data, row);
  }
}

/// Number of rows gathered at a time, so that counts are read in the order of memory.
constexpr std::size_t gathered_rows = 64;

void sum_counts(const DataView& data, const std::vector<Index>& rows,
                const data::NumberColumns& counts, CountSums& to) {
  const Index d = counts.count();
  Vector cells(gathered_rows * static_cast<std::size_t>(d));
  for (std::size_t first = 0; first < rows.size(); first += gathered_rows) {
    const auto some = std::span(rows).subspan(first, std::min(gathered_rows, rows.size() - first));
    counts.gather_rows(some, d, cells.data());
    Signs signs;
    for (std::size_t r = 0; r < some.size(); ++r) {
      const double weight = weight_of(data, some[r]);
      const double* row = cells.data() + r * static_cast<std::size_t>(d);
      for (std::size_t j = 0; j < to.sums.size(); ++j) {
        const bool missing = std::isnan(row[j]);
        to.sums[j] += missing ? 0 : weight * row[j];
        to.observed[j] += missing ? 0 : weight;
        signs.see(row[j]);
      }
    }
    if (signs.any()) refuse_negative(data, some, counts);
  }
}

/// Computes one of the two sums kept for texts and counts.
void sum_one(const DataView& data, const SparseView& sparse, const std::vector<Index>& rows,
             Entries what, TermSums& to) {
  Vector& sums = what == Entries::sums ? to.sums : to.present;
  sums.resize(sparse.terms.size());
  double* const at = sums.data();
  Signs signs;
  to.weight = what == Entries::sums
                  ? each_entry(data, sparse, rows,
                               [at, &signs](std::size_t term, double count, double weight) {
                                 signs.see(count);
                                 at[term] += weight * count;
                               })
                  : each_entry<Read::places>(
                        data, sparse, rows,
                        [at](std::size_t term, double, double weight) { at[term] += weight; });
  if (signs.any()) refuse_negative(data, sparse, rows);
}

/// Rows of all classes in the order of the data, so that memory is read in order.
struct RowsInOrder {
  Index first = 0;
  std::vector<std::int32_t> classes{};  ///< class of each row from the first on; -1: not selected
};

/// Empty if the rows of a class are not in ascending order, or most rows in between are not
/// selected.
std::optional<RowsInOrder> in_order(const RowsByClass& rows) {
  Index first = std::numeric_limits<Index>::max(), end = 0, count = 0;
  for (const std::vector<Index>& own : rows) {
    if (own.empty()) continue;
    if (std::ranges::adjacent_find(own, std::ranges::greater_equal()) != own.end()) return {};
    first = std::min(first, own.front());
    end = std::max(end, own.back() + 1);
    count += std::ssize(own);
  }
  constexpr Index max_others = 3;  // for each selected row
  if (count == 0 || end - first > (1 + max_others) * count) return {};
  RowsInOrder order{first, std::vector<std::int32_t>(static_cast<std::size_t>(end - first), -1)};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const Index row : rows[k])
      order.classes[static_cast<std::size_t>(row - first)] = static_cast<std::int32_t>(k);
  }
  return order;
}

/// Reads four indices before writing the first sum, so that later reads need not wait.
template <class Entry>
Signs add_entries(const Entry& entries, Index begin, Index end, double weight, double* sums) {
  constexpr Index at_once = 4;
  Signs signs;
  Index e = begin;
  for (; e + at_once <= end; e += at_once) {
    double* to[at_once];
    for (Index i = 0; i < at_once; ++i) to[i] = sums + entries.place(e + i);
    for (Index i = 0; i < at_once; ++i) {
      const double count = entries.value(e + i);
      signs.see(count);
      *to[i] += weight * count;
    }
  }
  for (; e < end; ++e) {
    signs.see(entries.value(e));
    sums[entries.place(e)] += weight * entries.value(e);
  }
  return signs;
}

/// Like sum_one for all classes in one pass; `to` has null for classes without rows.
void sum_one_in_order(const DataView& data, const SparseView& sparse, const RowsInOrder& order,
                      Entries what, const std::vector<TermSums*>& to) {
  std::vector<double*> sums(to.size());
  for (std::size_t k = 0; k < to.size(); ++k) {
    if (to[k] == nullptr) continue;
    Vector& own = what == Entries::sums ? to[k]->sums : to[k]->present;
    own.resize(sparse.terms.size());
    sums[k] = own.data();
    to[k]->weight = 0;
  }
  const Read read = what == Entries::sums ? Read::values : Read::places;
  with_entries(sparse, [&](const auto& entries) {
    for (std::size_t i = 0; i < order.classes.size(); ++i) {
      const Index row = order.first + static_cast<Index>(i);
      if (i + rows_ahead < order.classes.size())
        ask_for_entries(sparse, row + static_cast<Index>(rows_ahead), read);
      if (order.classes[i] < 0 || sparse.is_missing(row)) continue;
      const auto k = static_cast<std::size_t>(order.classes[i]);
      const double weight = weight_of(data, row);
      to[k]->weight += weight;
      double* const at = sums[k];
      const Index begin = sparse.begin(row), end = sparse.begin(row + 1);
      if (what == Entries::sums) {
        if (add_entries(entries, begin, end, weight, at).any())
          refuse_negative(data, sparse, {&row, 1});
      } else {
        for (Index e = begin; e < end; ++e) at[entries.place(e)] += weight;
      }
    }
  });
}

/// True if the sums of all classes fit into a cache.
bool are_few_sums(const SparseView& sparse, const RowsByClass& rows) {
  constexpr Index max_bytes = 1 << 20;
  return std::ssize(sparse.terms) * std::ssize(rows) * Index{sizeof(double)} <= max_bytes;
}

void sum_both(const DataView& data, const SparseView& sparse, const std::vector<Index>& rows,
              TermSums& to) {
  struct Sums {  // adjacent, because terms occur in any order
    double sum = 0, present = 0;
  };
  std::vector<Sums> terms(sparse.terms.size());
  Signs signs;
  to.weight = each_entry(data, sparse, rows, [&](std::size_t term, double count, double weight) {
    Sums& sums = terms[term];
    signs.see(count);
    sums.sum += weight * count;
    sums.present += weight;
  });
  if (signs.any()) refuse_negative(data, sparse, rows);
  to.sums.reserve(terms.size());
  to.present.reserve(terms.size());
  for (const Sums& sums : terms) {
    to.sums.push_back(sums.sum);
    to.present.push_back(sums.present);
  }
}

/// Sums of the entries of a column around its first entry, which is close enough to their mean to
/// lose no digits.
struct Around {
  double first = 0, present = 0, sum = 0, squares = 0;
};

double scatter_of(const Around& c) {
  if (c.present == 0) return 0;
  const double scatter = std::max(0.0, c.squares - c.sum * (c.sum / c.present));
  const bool differs = is_notable_deviation(c.sum / c.present, c.first);
  return scatter == 0 && differs ? min_scatter : scatter;
}

void sum_numbers(const DataView& data, const SparseView& sparse, const std::vector<Index>& rows,
                 TermSums& to) {
  std::vector<Around> columns(sparse.terms.size());
  Signs signs;
  to.weight = each_entry(data, sparse, rows, [&](std::size_t term, double value, double weight) {
    Around& column = columns[term];
    signs.see(value);
    column.first = column.present == 0 ? value : column.first;
    const double away = value - column.first;
    column.present += weight;
    column.sum += weight * away;
    column.squares += weight * away * away;
  });
  if (signs.any()) refuse_negative(data, sparse, rows);
  for (const Around& c : columns) {
    to.present.push_back(c.present);
    const kernel::HighLow product = kernel::two_product(c.present, c.first);
    const kernel::HighLow sum = kernel::two_sum(product.high, c.sum);
    to.sums.push_back(sum.high);
    to.sums_low.push_back(sum.low + product.low);
    to.scatter.push_back(scatter_of(c));
  }
}

/// Sums of sparse columns, class by class or in one pass.
void sum_terms(const DataView& data, std::size_t s, const RowsByClass& rows, Entries entries,
               Statistics& statistics) {
  const SparseView& sparse = data.sparse[s];
  const bool measured = sparse.kind != SparseKind::text && statistics.scatter() != Scatter::none;
  std::vector<TermSums*> to(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!rows[k].empty()) to[k] = &statistics.of_class(data.labels.names[k]).terms[s];
  }
  if (!measured && entries != Entries::all && are_few_sums(sparse, rows)) {
    if (const auto order = in_order(rows))
      return sum_one_in_order(data, sparse, *order, entries, to);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (to[k] == nullptr) continue;
    if (measured)
      sum_numbers(data, sparse, rows[k], *to[k]);
    else if (entries == Entries::all)
      sum_both(data, sparse, rows[k], *to[k]);
    else
      sum_one(data, sparse, rows[k], entries, *to[k]);
  }
}

bool counts_jointly(const Statistics& statistics) {
  return statistics.schema().joint && !statistics.levels().empty();
}

/// Adds unknown levels and terms; joint levels are added row by row.
void take_names(const DataView& data, Statistics& statistics) {
  const auto take = [](std::span<const std::string> names, SharedNames& to) {
    if (to.size() == 0 && !names.empty()) to = NameSet::distinct({names.begin(), names.end()});
  };
  for (std::size_t j = 0; j < statistics.levels().size() && !counts_jointly(statistics); ++j)
    take(data.codes[j].names, statistics.levels_of(j));
  for (std::size_t s = 0; s < statistics.terms().size(); ++s)
    take(data.sparse[s].terms, statistics.terms_of(s));
}

}  // namespace

Statistics no_statistics(const DataView& data, const SchemaChoice& choice) {
  Statistics statistics(schema_of(data, choice));
  take_names(data, statistics);
  return statistics;
}

void count_rows(const DataView& data, const RowsByClass& rows, Entries entries,
                Statistics& statistics, const CountTotals& totals) {
  const bool joint = counts_jointly(statistics);
  if (joint) refuse_separators(data);
  take_names(data, statistics);
  const data::NumberColumns counts(data, data::number_places(data, ColumnType::count));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].empty()) continue;
    ClassStatistics& of_class = statistics.of_class(data.labels.names[k]);
    if (joint)
      count_joint_levels(data, rows[k], statistics.levels_of(0).own(), of_class);
    else
      count_levels(data, rows[k], of_class);
    if (statistics.schema().pairs) count_pairs(data, rows[k], of_class.pairs);
    if (const auto known = totals.sums(k, std::ssize(rows[k])); !known.empty())
      of_class.counts = {{known.begin(), known.end()}, Vector(known.size(), totals.weight(k))};
    else if (counts.count() > 0)
      sum_counts(data, rows[k], counts, of_class.counts);
  }
  for (std::size_t s = 0; s < data.sparse.size(); ++s)
    sum_terms(data, s, rows, entries, statistics);
}

}  // namespace genera::sums
