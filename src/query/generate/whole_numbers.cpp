#include <cmath>
#include <numeric>

#include <genera/impute.hpp>

#include "data/columns.hpp"

namespace genera {
namespace {

/// What was seen of each column of numbers.
struct Seen {
  std::vector<char> any, broken;

  explicit Seen(std::size_t columns) : any(columns), broken(columns) {}

  void add(const Rows& rows) {
    std::vector<Index> all(any.size());
    std::iota(all.begin(), all.end(), Index{0});
    const data::NumberColumns numbers(rows.data(), all);
    for (Index i = 0; i < rows.count(); ++i) {
      for (std::size_t j = 0; j < any.size(); ++j) {
        const double value = numbers(rows.row(i), static_cast<Index>(j));
        if (std::isnan(value)) continue;
        any[j] = 1;
        if (value != std::floor(value)) broken[j] = 1;
      }
    }
  }

  void merge(const Seen& other) {
    for (std::size_t j = 0; j < any.size(); ++j) {
      any[j] = static_cast<char>(any[j] | other.any[j]);
      broken[j] = static_cast<char>(broken[j] | other.broken[j]);
    }
  }
};

std::vector<std::string> number_names(const RowSource& rows) {
  std::vector<std::string> names;
  for (const Column& column : rows.schema().columns)
    if (data::kept_as_number(column.type)) names.push_back(column.name);
  return names;
}

}  // namespace

std::vector<std::string> whole_number_columns(RowsRef rows, const Control& control) {
  const auto none = [&] { return Seen(number_names(*rows).size()); };
  const Seen all = rows->reduce(
      control, none,
      [&](const Rows& chunk) {
        Seen seen = none();
        seen.add(chunk);
        return seen;
      },
      [](Seen& total, const Seen& seen) { total.merge(seen); });
  const std::vector<std::string> names = number_names(*rows);
  std::vector<std::string> found;
  for (std::size_t j = 0; j < names.size(); ++j)
    if (all.any[j] && !all.broken[j]) found.push_back(names[j]);
  return found;
}

}  // namespace genera
