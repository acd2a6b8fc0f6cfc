#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

/// Tables that can be divided into partitions.
namespace genera::partitioned {

using testing::Cells;

/// A table as text, so that each part of it becomes a table of its own, with the classes, levels
/// and terms that it has.
struct Text {
  std::vector<Column> columns;
  std::vector<Cells> rows;
  Vector weights{};

  [[nodiscard]] Table table(std::size_t begin, std::size_t end) const {
    const auto part = [&](const auto& all) {
      return std::vector(all.begin() + static_cast<Index>(begin),
                         all.begin() + static_cast<Index>(end));
    };
    Table made = testing::table_of(columns, part(rows));
    if (!weights.empty()) made.weights = part(weights);
    return made;
  }
  [[nodiscard]] Table table() const { return table(0, rows.size()); }
};

inline std::string text_of(double x) {
  if (std::isnan(x)) return "";
  std::string text(32, ' ');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.17g", x)));
  return text;
}

/// The first rows are all of one class.
inline Text numbers(double mean, double missing) {
  const Table table = testing::with_missing(testing::random_table(420, 4, 3, 11), missing, 3);
  Text text{.columns = table.columns, .rows = {}};
  for (Index i = 0; i < table.numbers.rows(); ++i) {
    Cells cells;
    for (const double x : table.numbers.row(i)) cells.push_back(text_of(mean + x));
    cells.push_back(
        table.classes[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])]);
    text.rows.push_back(std::move(cells));
  }
  int taken = 0;
  std::stable_partition(text.rows.begin(), text.rows.end(), [&](const Cells& row) {
    return row.back() == table.classes[0] && ++taken <= 30;
  });
  return text;
}

inline Text with_labels_missing(Text text) {
  for (std::size_t i = 40; i < text.rows.size(); i += 4) text.rows[i].back() = "";
  return text;
}

inline Text with_weights(Text text) {
  for (std::size_t i = 0; i < text.rows.size(); ++i)
    text.weights.push_back(0.25 * static_cast<double>(i % 5));
  return text;
}

inline Text mixed(bool numbers_missing) {
  Text text{.columns = testing::mixed_columns(), .rows = testing::mixed_rows(300, 5)};
  for (std::size_t i = 3; numbers_missing && i < text.rows.size(); i += 7) text.rows[i][0] = "";
  int taken = 0;
  std::stable_partition(text.rows.begin(), text.rows.end(),
                        [&](const Cells& row) { return row.back() == "a" && ++taken <= 30; });
  text.rows.back()[1] = "violet";  // a level and a word of one partition only
  text.rows.back()[4] = "quartz free";
  return text;
}

inline Text categories() {
  Text text{.columns = {{"u", ColumnType::categorical}, {"v", ColumnType::categorical}},
            .rows = {}};
  for (int i = 0; i < 300; ++i)
    text.rows.push_back({i % 7 == 0 ? "" : std::string(1, static_cast<char>('a' + i % 3)),
                         i % 5 == 0 ? "" : (i * i % 11 < 5 ? "x" : "y"), i % 2 == 0 ? "k" : "l"});
  return text;
}

}  // namespace genera::partitioned
