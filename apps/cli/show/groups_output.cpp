#include "show/groups_output.hpp"

#include "show/printable.hpp"
#include "show/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace genera::cli {
namespace {

constexpr std::size_t longest_column_name = 24;

/// The indices of the columns, those with the largest `size` first.
template <class Size>
std::vector<Index> largest_first(Index columns, Size size) {
  std::vector<Index> order(static_cast<std::size_t>(columns));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::ranges::greater(), size);
  return order;
}

/// "petal_length -1.30, petal_width -1.25": the columns in which the group differs most from the
/// mean of all rows.
std::string what_sets_apart(const GroupProfiles& profiles, Index group) {
  constexpr std::size_t max = 3;
  constexpr double min = 0.2;  // in standard deviations
  const auto away = [&](Index j) { return std::abs(profiles.away(group, j)); };
  std::string text;
  std::size_t shown = 0;
  for (const Index j : largest_first(std::ssize(profiles.columns), away)) {
    if (shown++ == max || away(j) < min) break;
    text += fmt::format("{}{} {:+.2f}", text.empty() ? "" : ", ",
                        clipped(profiles.columns[static_cast<std::size_t>(j)], longest_column_name),
                        profiles.away(group, j));
  }
  return text;
}

std::string sizes_table(const GroupProfiles& profiles, const std::vector<std::string>& groups) {
  TextCells cells{{"group", "rows", "share"}};
  std::vector<std::string> remarks{groups.size() > 1 ? "furthest from the mean of all rows" : ""};
  for (std::size_t k = 0; k < groups.size(); ++k) {
    cells.push_back({groups[k], std::to_string(profiles.rows[k]),
                     fmt::format("{:.1f}%", 100 * profiles.shares[k])});
    remarks.push_back(what_sets_apart(profiles, static_cast<Index>(k)));
  }
  return text_table(cells, remarks);
}

/// Columns by groups; at most as many as fit on a screen.
std::string profiles_table(const GroupProfiles& profiles, const std::vector<std::string>& groups) {
  constexpr std::size_t max_columns = 20, max_groups = 8;
  const Index shown = std::min<Index>(std::ssize(groups), max_groups);
  TextCells cells{{""}};
  for (Index k = 0; k < shown; ++k) cells[0].push_back(groups[static_cast<std::size_t>(k)]);
  const auto spread = [&](Index j) {
    double max = 0;
    for (Index k = 0; k < std::ssize(groups); ++k)
      max = std::max(max, std::abs(profiles.away(k, j)));
    return max;
  };
  std::vector<Index> columns = largest_first(std::ssize(profiles.columns), spread);
  const std::size_t all = columns.size();
  if (all > max_columns) columns.resize(max_columns);
  std::ranges::sort(columns);
  for (const Index j : columns) {
    cells.push_back({clipped(profiles.columns[static_cast<std::size_t>(j)], longest_column_name)});
    for (Index k = 0; k < shown; ++k)
      cells.back().push_back(fmt::format("{:+.2f}", profiles.away(k, j)));
  }
  std::string text = text_table(cells);
  if (all > max_columns || std::ssize(groups) > shown)
    text += fmt::format("  … of {} and {} (--json has all)\n",
                        counted(static_cast<Index>(all), "column"),
                        counted(std::ssize(groups), "group"));
  return text;
}

}  // namespace

std::string groups_text(const GroupProfiles& profiles, const std::vector<std::string>& groups) {
  std::string text = "groups\n" + sizes_table(profiles, groups);
  if (groups.size() < 2) return text;
  return text +
         "\nprofiles: mean of the group less the mean of all rows, in standard deviations\n" +
         profiles_table(profiles, groups);
}

}  // namespace genera::cli
