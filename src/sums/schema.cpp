#include "sums/schema.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/memory_rows.hpp"
#include "kernel/text.hpp"

namespace genera {
namespace {

std::vector<std::string> missing_from(const std::vector<std::string>& names,
                                      const std::vector<std::string>& in) {
  const std::set<std::string> known(in.begin(), in.end());
  std::vector<std::string> missing;
  std::copy_if(names.begin(), names.end(), std::back_inserter(missing),
               [&](const std::string& name) { return !known.contains(name); });
  return missing;
}

std::vector<std::string> all_names(const StatisticsSchema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.features) names.push_back(column.name);
  return names;
}

void require_same_names(const StatisticsSchema& a, const StatisticsSchema& b) {
  const std::vector<std::string> extra = missing_from(all_names(b), all_names(a));
  const std::vector<std::string> lacking = missing_from(all_names(a), all_names(b));
  const bool same_shape = a.sparse_matrix.has_value() == b.sparse_matrix.has_value();
  if (extra.empty() && lacking.empty() && same_shape) return;
  if (!same_shape)
    throw Error(Errc::bad_data,
                "one side comes from a sparse matrix, the other from columns with names",
                "make both from data of the same kind");
  throw Error(Errc::bad_data,
              fmt::format("the statistics have different columns: {} only on one side",
                          kernel::quoted_list(extra.empty() ? lacking : extra)),
              {"make them from tables with the same columns ({}, {})", {{"features"}, {"drop"}}});
}

/// Levels of binary and categorical columns are counted in the same way.
bool is_coded(ColumnType type) {
  return type == ColumnType::categorical || type == ColumnType::binary;
}

void require_same_cuts(const StatisticsSchema& a, const StatisticsSchema& b) {
  const Cuts ours = cuts_of(a), theirs = cuts_of(b);
  for (const auto& [name, cut] : ours) {
    const auto other = theirs.find(name);
    if (other == theirs.end() || other->second == cut) continue;
    throw Error(
        Errc::bad_data,
        fmt::format("the column '{}' is cut into bins at other limits on each side", name),
        {"make the second statistics with the limits of the first: {}", {{"like", {"FIRST"}}}});
  }
}

std::string given(const Column& column) {
  return column.name + "=" + std::string(genera::name_of(column.type));
}

void require_same_types(const StatisticsSchema& a, const StatisticsSchema& b) {
  for (const Column& ours : a.features) {
    for (const Column& theirs : b.features) {
      if (ours.name != theirs.name || ours.type == theirs.type) continue;
      if (is_coded(ours.type) && is_coded(theirs.type)) continue;
      throw Error(Errc::bad_data,
                  fmt::format("the column '{}' is {} on one side and {} on the other", ours.name,
                              genera::name_of(ours.type), genera::name_of(theirs.type)),
                  {"make both with the same type: {}",
                   {{"type", {given(ours.type == ColumnType::binary ? theirs : ours)}}}});
    }
  }
}

void require_same_kind(const StatisticsSchema& a, const StatisticsSchema& b) {
  if (a.target != b.target)
    throw Error(
        Errc::bad_data,
        fmt::format("the statistics have different targets: '{}' and '{}'", a.target, b.target),
        {"make them with the same {}", {{"target"}}});
  if (a.scatter != b.scatter && a.sparse_matrix &&
      (a.scatter == Scatter::none || b.scatter == Scatter::none))
    throw Error(Errc::bad_data, "one side keeps the spread of its columns, the other only sums",
                {"make both with the same {}", {{"model"}}});
  if (a.scatter != b.scatter && !a.names_of(ColumnType::numeric).empty())
    throw Error(Errc::bad_data, "one side has full scatter matrices, the other only diagonals",
                {"make both with the same {}", {{"model"}}});
  if (a.joint != b.joint)
    throw Error(Errc::bad_data, "one side counts levels jointly, the other column by column",
                {"make both with or without {}", {{"model", {"joint"}}}});
  if (a.pairs != b.pairs)
    throw Error(Errc::bad_data, "one side counts pairs of columns, the other does not",
                {"make both with or without {}", {{"model", {"aode"}}}});
  if (!(a.text == b.text) && !a.names_of(ColumnType::text).empty())
    throw Error(Errc::bad_data, "the two sides make terms of text in different ways",
                {"make both with the same {}, {} and {}", {{"ngrams"}, {"chars"}, {"hash_bits"}}});
}

template <class Names>
std::vector<Index> places(const Names& ours, const Names& theirs) {
  std::vector<Index> order;
  for (const auto& name : ours)
    order.push_back(std::find(theirs.begin(), theirs.end(), name) - theirs.begin());
  return order;
}

}  // namespace

std::vector<std::string> StatisticsSchema::names_of(ColumnType type) const {
  std::vector<std::string> names;
  for (const Column& column : features) {
    if (column.type == type) names.push_back(column.name);
  }
  return names;
}

std::vector<std::vector<std::string>> StatisticsSchema::coded() const {
  std::vector<std::vector<std::string>> sets;
  for (const Column& column : features) {
    if (column.type != ColumnType::categorical && column.type != ColumnType::binary) continue;
    if (joint && !sets.empty()) {
      sets.front().push_back(column.name);
    } else {
      sets.push_back({column.name});
    }
  }
  return sets;
}

Cuts cuts_of(const StatisticsSchema& schema) {
  Cuts cuts;
  for (const Column& column : schema.features)
    if (column.cut) cuts.emplace(column.name, *column.cut);
  return cuts;
}

std::vector<std::string> StatisticsSchema::sparse() const {
  return sparse_matrix ? std::vector<std::string>{""} : names_of(ColumnType::text);
}

namespace sums {

StatisticsSchema schema_of(const RowsSchema& rows, const SchemaChoice& choice) {
  const bool numbers = std::ranges::any_of(
      rows.columns, [](const Column& column) { return column.type == ColumnType::numeric; });
  return {
      .features = rows.columns,
      .target = rows.target,
      .label_type = rows.label_type,
      .scatter = choice.scatter == Scatter::none && numbers ? Scatter::diagonal : choice.scatter,
      .joint = choice.joint,
      .pairs = choice.pairs,
      .sparse_matrix = rows.sparse_matrix,
      .all_columns = rows.all_columns,
      .text = rows.text};
}

StatisticsSchema schema_of(const DataView& data, const SchemaChoice& choice) {
  return schema_of(data::schema_of(data), choice);
}

/// For chunks of one source, which need no comparison; this matters with thousands of columns.
Match identity(const StatisticsSchema& schema) {
  const auto places = [](std::size_t count) {
    std::vector<Index> order(count);
    std::iota(order.begin(), order.end(), Index{0});
    return order;
  };
  return {.numeric = places(schema.names_of(ColumnType::numeric).size()),
          .counts = places(schema.names_of(ColumnType::count).size()),
          .coded = places(schema.coded().size()),
          .sparse = places(schema.sparse().size()),
          .joint = {}};
}

Match match(const StatisticsSchema& ours, const StatisticsSchema& theirs) {
  if (ours == theirs) return identity(ours);
  require_same_names(ours, theirs);
  require_same_types(ours, theirs);
  require_same_kind(ours, theirs);
  require_same_cuts(ours, theirs);
  Match found;
  found.numeric = places(ours.names_of(ColumnType::numeric), theirs.names_of(ColumnType::numeric));
  found.counts = places(ours.names_of(ColumnType::count), theirs.names_of(ColumnType::count));
  found.sparse = places(ours.sparse(), theirs.sparse());
  const auto our_sets = ours.coded();
  const auto their_sets = theirs.coded();
  if (!ours.joint || our_sets.empty()) {
    found.coded = places(our_sets, their_sets);
    return found;
  }
  found.coded = {0};
  found.joint = places(our_sets.front(), their_sets.front());
  if (is_identity(found.joint)) found.joint.clear();
  return found;
}

bool is_identity(const std::vector<Index>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<Index>(i)) return false;
  }
  return true;
}

}  // namespace sums
}  // namespace genera
