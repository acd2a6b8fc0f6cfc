#include "fit/em/expected_counts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "data/join_tables.hpp"
#include "blocks/joint/cells.hpp"
#include "kernel/index.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

/// The places of the columns of a block among those of the table that are kept alike.
template <class Kept>
std::vector<Index> places_of(const Table& table, const std::vector<std::string>& names, Kept kept) {
  std::vector<std::string> all;
  for (const Column& column : table.columns) {
    if (kept(column.type)) all.push_back(column.name);
  }
  std::vector<Index> places;
  for (const std::string& name : names)
    places.push_back(std::find(all.begin(), all.end(), name) - all.begin());
  return places;
}

class JointCells {
 public:
  JointCells(const JointParameters& p, const Table& table)
      : p_(p),
        table_(table),
        places_(places_of(table, p.columns,
                          [](ColumnType type) {
                            return type == ColumnType::categorical || type == ColumnType::binary;
                          })),
        levels_(p.columns.size()) {}

  /// Calls put(level, share) for the combinations that agree with the row, which lacks something.
  void spread(Index k, Index row, const std::function<void(const std::string&, double)>& put) {
    bool lacks = false;
    for (std::size_t j = 0; j < levels_.size(); ++j) {
      levels_[j] = level(row, j);
      const bool missing = table_.codes(row, places_[j]) < 0;
      if (levels_[j] < 0 && !missing) return;  // a level that the model does not know
      lacks = lacks || missing;
    }
    if (!lacks) return;
    double total = 0;
    detail::for_each_cell(p_, levels_, [&](Index cell) { total += p_.probabilities(k, cell); });
    if (!(total > 0)) return;
    detail::for_each_cell(
        p_, levels_, [&](Index cell) { put(name_of(cell), p_.probabilities(k, cell) / total); });
  }

 private:
  [[nodiscard]] std::int32_t level(Index row, std::size_t j) const {
    const std::int32_t code = table_.codes(row, places_[j]);
    if (code < 0) return -1;
    const std::string& name = table_.levels[at(places_[j])][static_cast<std::size_t>(code)];
    const auto found = std::find(p_.levels[j].begin(), p_.levels[j].end(), name);
    return found == p_.levels[j].end() ? -1
                                       : static_cast<std::int32_t>(found - p_.levels[j].begin());
  }

  [[nodiscard]] std::string name_of(Index cell) const {
    std::vector<std::int32_t> levels(p_.levels.size());
    detail::take_apart(p_, cell, levels);
    std::string name;
    for (std::size_t j = 0; j < levels.size(); ++j) {
      if (j > 0) name += Statistics::level_separator;
      name += p_.levels[j][static_cast<std::size_t>(levels[j])];
    }
    return name;
  }

  const JointParameters& p_;
  const Table& table_;
  std::vector<Index> places_;
  std::vector<std::int32_t> levels_;  // of the row: -1 what is missing
};

void add_joint(const JointParameters& p, const Table& table, Index k, const WeightedRows& rows,
               Statistics& statistics, const std::string& name) {
  JointCells cells(p, table);
  for (const Index row : rows.rows) {
    const double weight = rows.weights.empty() ? 1 : rows.weights[at(row)];
    cells.spread(k, row, [&](const std::string& level, double share) {
      const auto place = static_cast<std::size_t>(statistics.levels_of(0).own().add(level));
      Vector& sums = statistics.of_class(name).levels.front();
      if (sums.size() <= place) sums.resize(place + 1);
      sums[place] += weight * share;
    });
  }
}

void add_counts(const CountParameters& p, const Table& table, Index k, const WeightedRows& rows,
                CountSums& sums) {
  const std::vector<Index> places = places_of(table, p.terms, data::kept_as_number);
  for (const Index row : rows.rows) {
    double total = 0, share = 0;
    for (std::size_t j = 0; j < places.size(); ++j) {
      const double count = table.numbers(row, places[j]);
      if (std::isnan(count)) continue;
      total += count;
      share += p.probabilities(k, static_cast<Index>(j));
    }
    if (!(share > 0)) continue;
    const double weight = rows.weights.empty() ? 1 : rows.weights[at(row)];
    for (std::size_t j = 0; j < places.size(); ++j) {
      if (!std::isnan(table.numbers(row, places[j]))) continue;
      sums.sums[j] += weight * total * p.probabilities(k, static_cast<Index>(j)) / share;
      sums.observed[j] += weight;
    }
  }
}

}  // namespace

void add_expected_counts(const Model& model, const Table& table, Index k, const WeightedRows& rows,
                         Statistics& statistics) {
  const std::string& name = model.classes()[at(k)];
  for (const Block& block : model.blocks()) {
    if (const auto* joint = std::get_if<JointBlock>(&block))
      add_joint(joint->parameters(), table, k, rows, statistics, name);
    const auto* counts = std::get_if<CountBlock>(&block);
    if (counts && counts->parameters().text.empty() && table.sparse.empty())
      add_counts(counts->parameters(), table, k, rows, statistics.of_class(name).counts);
  }
}

}  // namespace genera::fit_detail
