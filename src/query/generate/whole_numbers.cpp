#include <cmath>

#include <genera/impute.hpp>

#include "data/join_tables.hpp"

namespace genera {
namespace {

/// What was seen of each column of numbers.
struct Seen {
  std::vector<char> any, broken;

  void add(const Table& table) {
    any.resize(static_cast<std::size_t>(table.numbers.columns()));
    broken.resize(any.size());
    for (Index i = 0; i < table.numbers.rows(); ++i) {
      const auto row = table.numbers.row(i);
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (std::isnan(row[j])) continue;
        any[j] = 1;
        if (row[j] != std::floor(row[j])) broken[j] = 1;
      }
    }
  }

  void merge(const Seen& other) {
    any.resize(other.any.size());
    broken.resize(other.any.size());
    for (std::size_t j = 0; j < any.size(); ++j) {
      any[j] = static_cast<char>(any[j] | other.any[j]);
      broken[j] = static_cast<char>(broken[j] | other.broken[j]);
    }
  }

  [[nodiscard]] std::vector<std::string> whole(const std::vector<std::string>& names) const {
    std::vector<std::string> found;
    for (std::size_t j = 0; j < any.size(); ++j) {
      if (any[j] && !broken[j]) found.push_back(names[j]);
    }
    return found;
  }
};

}  // namespace

std::vector<std::string> whole_number_columns(const Table& table) {
  Seen seen;
  seen.add(table);
  return seen.whole(table.number_names());
}

std::vector<std::string> whole_number_columns(RowStream& rows, const Control& control) {
  const Seen all = rows.reduce(
      control, [] { return Seen(); },
      [](Table&& chunk) {
        Seen seen;
        seen.add(chunk);
        return seen;
      },
      [](Seen& total, const Seen& seen) { total.merge(seen); });
  std::vector<std::string> names;
  for (const Column& column : rows.columns())
    if (data::kept_as_number(column.type)) names.push_back(column.name);
  return all.whole(names);
}

}  // namespace genera
