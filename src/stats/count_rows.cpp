#include "stats/count_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/join_tables.hpp"
#include "kernel/bytes.hpp"

namespace genera::stats {
namespace {

double weight_of(const Table& table, Index row) {
  return table.weights.empty() ? 1 : table.weights[static_cast<std::size_t>(row)];
}

void count_levels(const Table& table, const std::vector<Index>& rows, ClassStatistics& result) {
  const std::size_t columns = table.levels.size();
  std::vector<std::size_t> begins(columns + 1);
  for (std::size_t j = 0; j < columns; ++j) begins[j + 1] = begins[j] + table.levels[j].size();
  Vector sums(begins.back());
  for (const Index row : rows) {
    const double weight = weight_of(table, row);
    for (std::size_t j = 0; j < columns; ++j) {
      const std::int32_t code = table.codes(row, static_cast<Index>(j));
      if (code >= 0) sums[begins[j] + static_cast<std::size_t>(code)] += weight;
    }
  }
  for (std::size_t j = 0; j < columns; ++j)
    result.levels[j].assign(sums.begin() + static_cast<Index>(begins[j]),
                            sums.begin() + static_cast<Index>(begins[j + 1]));
}

/// A level with the separator in it could not be told from two.
void refuse_separators(const Table& table) {
  Index j = 0;
  for (const Column& column : table.columns) {
    if (data::kept_as_number(column.type) || column.type == ColumnType::text) continue;
    const std::vector<std::string>& levels = table.levels[static_cast<std::size_t>(j)];
    const auto odd = std::find_if(levels.begin(), levels.end(), [](const std::string& level) {
      return level.find(Statistics::level_separator) != std::string::npos;
    });
    Index row = 0;
    while (odd != levels.end() && row + 1 < table.rows() &&
           table.codes(row, j) != odd - levels.begin())
      ++row;
    if (odd != levels.end())
      throw Error(Errc::bad_data,
                  fmt::format("{}: column '{}' holds the control character 0x1F, which joint "
                              "counts cannot keep apart",
                              table.place(row), column.name),
                  "take it out of the cell, or use --model categorical");
    ++j;
  }
}

/// The levels of a row as one; empty if one is missing.
std::string joint_level(const Table& table, Index row) {
  std::string joint;
  for (std::size_t j = 0; j < table.levels.size(); ++j) {
    const std::int32_t code = table.codes(row, static_cast<Index>(j));
    if (code < 0) return {};
    if (j > 0) joint += Statistics::level_separator;
    const std::string& level = table.levels[j][static_cast<std::size_t>(code)];
    joint += level;
  }
  return joint;
}

void count_joint_levels(const Table& table, const std::vector<Index>& rows, NameSet& names,
                        ClassStatistics& result) {
  Vector& sums = result.levels.front();
  for (const Index row : rows) {
    const std::string level = joint_level(table, row);
    if (level.empty()) continue;
    const auto place = static_cast<std::size_t>(names.add(level));
    if (sums.size() <= place) sums.resize(place + 1);
    sums[place] += weight_of(table, row);
  }
}

/// Places of the count columns among the numbers.
std::vector<Index> count_places(const Table& table) {
  std::vector<Index> places;
  Index place = 0;
  for (const Column& column : table.columns) {
    if (column.type == ColumnType::count) places.push_back(place);
    if (data::kept_as_number(column.type)) ++place;
  }
  return places;
}

void sum_counts(const Table& table, const std::vector<Index>& rows,
                const std::vector<Index>& places, Vector& sums) {
  const bool all = static_cast<Index>(places.size()) == table.numbers.columns();
  for (const Index row : rows) {
    const double weight = weight_of(table, row);
    const std::span<const double> numbers = table.numbers.row(row);
    for (std::size_t j = 0; j < sums.size(); ++j) {
      const double count = numbers[all ? j : static_cast<std::size_t>(places[j])];
      sums[j] += std::isnan(count) ? 0 : weight * count;
    }
  }
}

/// Rows of a class are apart from each other, so the machine does not see the next ones coming.
constexpr std::size_t rows_ahead = 4;

void ask_for_entries(const SparseColumns& sparse, Index row) {
  constexpr std::size_t line = 64;
  const auto i = static_cast<std::size_t>(row);
  const auto begin = static_cast<std::size_t>(sparse.begins[i]);
  const auto end = static_cast<std::size_t>(sparse.begins[i + 1]);
  for (std::size_t e = begin; e < end; e += line / sizeof(std::int32_t))
    kernel::prefetch(sparse.places.data() + e);
  for (std::size_t e = begin; e < end; e += line / sizeof(double))
    kernel::prefetch(sparse.values.data() + e);
}

/// Calls visit(term, value, weight) for the entries of these rows; returns the weight of the rows.
template <class Visit>
double each_entry(const Table& table, const SparseColumns& sparse, const std::vector<Index>& rows,
                  Visit visit) {
  double total = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Index row = rows[r];
    if (r + rows_ahead < rows.size()) ask_for_entries(sparse, rows[r + rows_ahead]);
    const auto i = static_cast<std::size_t>(row);
    if (!sparse.missing.empty() && sparse.missing[i]) continue;
    const double weight = weight_of(table, row);
    total += weight;
    const auto end = static_cast<std::size_t>(sparse.begins[i + 1]);
    for (auto e = static_cast<std::size_t>(sparse.begins[i]); e < end; ++e)
      visit(static_cast<std::size_t>(sparse.places[e]), sparse.values[e], weight);
  }
  return total;
}

/// One of the two sums that are kept of text and counts.
void sum_one(const Table& table, const SparseColumns& sparse, const std::vector<Index>& rows,
             Entries what, TermSums& to) {
  Vector& sums = what == Entries::sums ? to.sums : to.present;
  sums.resize(sparse.terms.size());
  double* const at = sums.data();
  to.weight =
      what == Entries::sums
          ? each_entry(
                table, sparse, rows,
                [at](std::size_t term, double count, double weight) { at[term] += weight * count; })
          : each_entry(table, sparse, rows,
                       [at](std::size_t term, double, double weight) { at[term] += weight; });
}

void sum_both(const Table& table, const SparseColumns& sparse, const std::vector<Index>& rows,
              TermSums& to) {
  struct Sums {  // side by side, because terms come in any order
    double sum = 0, present = 0;
  };
  std::vector<Sums> terms(sparse.terms.size());
  to.weight = each_entry(table, sparse, rows, [&](std::size_t term, double count, double weight) {
    Sums& sums = terms[term];
    sums.sum += weight * count;
    sums.present += weight;
  });
  to.sums.reserve(terms.size());
  to.present.reserve(terms.size());
  for (const Sums& sums : terms) {
    to.sums.push_back(sums.sum);
    to.present.push_back(sums.present);
  }
}

/// Sums of the entries of a column around the first of them, which is near enough to their mean
/// that no digits are lost.
struct Around {
  double first = 0, present = 0, sum = 0, squares = 0;
};

void sum_numbers(const Table& table, const SparseColumns& sparse, const std::vector<Index>& rows,
                 TermSums& to) {
  std::vector<Around> columns(sparse.terms.size());
  to.weight = each_entry(table, sparse, rows, [&](std::size_t term, double value, double weight) {
    Around& column = columns[term];
    column.first = column.present == 0 ? value : column.first;
    const double away = value - column.first;
    column.present += weight;
    column.sum += weight * away;
    column.squares += weight * away * away;
  });
  for (const Around& c : columns) {
    to.present.push_back(c.present);
    to.sums.push_back(c.present * c.first + c.sum);
    to.scatter.push_back(c.present > 0 ? std::max(0.0, c.squares - c.sum * (c.sum / c.present))
                                       : 0);
  }
}

}  // namespace

void count_rows(const Table& table, const RowsByClass& rows, Entries entries,
                Statistics& statistics) {
  const bool joint = statistics.schema().joint && !statistics.levels().empty();
  if (joint) refuse_separators(table);
  for (std::size_t j = 0; j < statistics.levels().size() && !joint; ++j)
    statistics.levels_of(j) = NameSet::distinct(table.levels[j]);
  for (std::size_t s = 0; s < statistics.terms().size(); ++s)
    statistics.terms_of(s) = NameSet::distinct(table.sparse[s].terms);
  const std::vector<Index> counts = count_places(table);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].empty()) continue;
    ClassStatistics& of_class = statistics.of_class(table.classes[k]);
    if (joint)
      count_joint_levels(table, rows[k], statistics.levels_of(0), of_class);
    else
      count_levels(table, rows[k], of_class);
    if (!counts.empty()) sum_counts(table, rows[k], counts, of_class.counts);
    for (std::size_t s = 0; s < table.sparse.size(); ++s) {
      const SparseColumns& sparse = table.sparse[s];
      const bool measured = sparse.name.empty() && statistics.scatter() != Scatter::none;
      if (measured)
        sum_numbers(table, sparse, rows[k], of_class.terms[s]);
      else if (entries == Entries::all)
        sum_both(table, sparse, rows[k], of_class.terms[s]);
      else
        sum_one(table, sparse, rows[k], entries, of_class.terms[s]);
    }
  }
}

}  // namespace genera::stats
