// Categories that did not occur in training.
#include <algorithm>

#include <genera/query.hpp>

#include "score/committee/bound_classifier.hpp"

namespace genera {
namespace {

/// Number of occurrences of each level of a column.
std::vector<Index> level_counts(const Rows& rows, const CodesView& codes) {
  std::vector<Index> counts(codes.names.size());
  for (Index i = 0; i < rows.count(); ++i) {
    const std::int32_t code = codes(rows.row(i));
    if (code >= 0) ++counts[static_cast<std::size_t>(code)];
  }
  return counts;
}

std::vector<UnseenLevel> unseen_levels_of(const score::BoundModel& bound) {
  std::vector<UnseenLevel> found;
  for (std::size_t b = 0; b < bound.size(); ++b) {
    const blocks::Places& places = bound.places(b);
    const std::vector<Column> columns = bound.columns(b);
    for (std::size_t j = 0; j < places.codes.size(); ++j) {
      const CodesView& codes = bound.bound_rows().codes(places.codes[j]);
      const std::vector<Index> counts = level_counts(bound.rows(), codes);
      for (std::size_t level = 0; level < counts.size(); ++level) {
        if (counts[level] > 0 && places.levels[j][level] < 0)
          found.push_back({columns[j].name, std::string(codes.names[level]), counts[level]});
      }
    }
  }
  return found;
}

}  // namespace

std::vector<UnseenLevel> unseen_levels(ClassifierRef model, const Rows& rows) {
  const score::BoundClassifier all(model, rows);
  std::vector<UnseenLevel> found;
  for (const auto& member : all.members()) {
    for (UnseenLevel& one : unseen_levels_of(*member)) {
      const bool known = std::ranges::any_of(found, [&](const UnseenLevel& other) {
        return other.column == one.column && other.level == one.level;
      });
      if (!known) found.push_back(std::move(one));
    }
  }
  return found;
}

void add_levels(std::vector<UnseenLevel>& to, const std::vector<UnseenLevel>& more) {
  constexpr std::size_t max = 1000;  // of different categories, to keep the list readable
  for (const UnseenLevel& one : more) {
    const auto same = std::ranges::find_if(to, [&](const UnseenLevel& other) {
      return other.column == one.column && other.level == one.level;
    });
    if (same != to.end())
      same->cells += one.cells;
    else if (to.size() < max)
      to.push_back(one);
  }
}

}  // namespace genera
