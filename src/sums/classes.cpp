#include "sums/classes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/text.hpp"

namespace genera::sums {
namespace {

/// More distinct numeric labels than this, with few rows each, are taken for measurements.
constexpr std::size_t many_classes = 30;
constexpr Index few_rows_per_class = 10;
/// In smaller tables, every row may have its own class.
constexpr Index small_table = 10;

using Numbered = std::vector<std::pair<double, std::string>>;

Numbered numbers_among(const Statistics& statistics) {
  Numbered numbers;
  for (const ClassStatistics& c : statistics.classes()) {
    double value = 0;
    if (kernel::parse_whole(c.name, value)) numbers.emplace_back(value, c.name);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

bool looks_continuous(std::size_t classes, Index rows) {
  if (rows < small_table) return false;
  if (static_cast<Index>(classes) == rows) return true;
  return classes > many_classes && static_cast<Index>(classes) * few_rows_per_class > rows;
}

}  // namespace

Index rows_of(const Statistics& statistics) {
  Index rows = 0;
  for (const ClassStatistics& c : statistics.classes()) rows += c.rows;
  return rows;
}

ClassList sorted_classes(const Statistics& statistics) {
  if (statistics.classes().empty())
    throw Error(Errc::bad_data, "the statistics hold no rows", "learn some rows first");
  ClassList list;
  for (const ClassStatistics& c : statistics.classes()) list.names.push_back(c.name);
  sort_labels(list.names);
  for (const std::string& name : list.names) {
    const auto at =
        std::lower_bound(statistics.classes().begin(), statistics.classes().end(), name,
                         [](const ClassStatistics& c, const std::string& n) { return c.name < n; });
    list.statistics.push_back(&*at);
    list.counts.push_back(at->weight);
  }
  return list;
}

void refuse_flood_of_classes(const std::string& target, std::size_t classes, Index rows) {
  constexpr std::size_t many = 5000;
  if (classes <= many || 2 * static_cast<Index>(classes) < rows) return;
  throw Error(
      Errc::bad_data,
      fmt::format("the target '{}' has {} different values in {} rows: these are not classes",
                  target, classes, rows),
      {"choose the column of class labels with {}, or bin the numbers first", {{"target"}}});
}

void refuse_odd_classes(const Statistics& statistics) {
  if (statistics.schema().label_type != LabelType::unknown) return;
  const Numbered numbers = numbers_among(statistics);
  const Index rows = rows_of(statistics);
  if (numbers.size() == statistics.classes().size() && looks_continuous(numbers.size(), rows))
    throw Error(
        Errc::bad_data,
        fmt::format("the target '{}' has {} different numbers in {} rows: it looks continuous",
                    statistics.target(), numbers.size(), rows),
        {"choose the column of class labels with {}, or bin the numbers first", {{"target"}}});
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i].first == numbers[i - 1].first)
      throw Error(
          Errc::bad_data,
          fmt::format("the labels '{}' and '{}' of '{}' are the same number, written differently",
                      numbers[i - 1].second, numbers[i].second, statistics.target()),
          "write each class in one way");
  }
}

}  // namespace genera::sums
