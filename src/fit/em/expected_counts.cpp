#include "fit/em/expected_counts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "data/join_tables.hpp"

namespace genera::fit_detail {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

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
      : p_(p), table_(table), places_(places_of(table, p.columns, [](ColumnType type) {
          return type == ColumnType::categorical || type == ColumnType::binary;
        })) {}

  /// Calls put(level, share) for the combinations that agree with the row, which lacks something.
  void spread(Index k, Index row, const std::function<void(const std::string&, double)>& put) {
    cells_.clear();
    names_.clear();
    const bool lacks = std::any_of(places_.begin(), places_.end(),
                                   [&](Index column) { return table_.codes(row, column) < 0; });
    if (!lacks) return;
    visit(k, row, 0, 0, "");
    double total = 0;
    for (const double p : cells_) total += p;
    for (std::size_t i = 0; i < cells_.size() && total > 0; ++i) put(names_[i], cells_[i] / total);
  }

 private:
  void visit(Index k, Index row, std::size_t column, Index cell, const std::string& name) {
    if (column == p_.columns.size()) {
      cells_.push_back(p_.probabilities(k, cell));
      names_.push_back(name);
      return;
    }
    const std::vector<std::string>& levels = p_.levels[column];
    const std::int32_t code = table_.codes(row, places_[column]);
    for (std::size_t v = 0; v < levels.size(); ++v) {
      if (code >= 0 &&
          table_.levels[at(places_[column])][static_cast<std::size_t>(code)] != levels[v])
        continue;
      visit(k, row, column + 1, cell * std::ssize(levels) + static_cast<Index>(v),
            column == 0 ? levels[v] : name + Statistics::level_separator + levels[v]);
    }
  }

  const JointParameters& p_;
  const Table& table_;
  std::vector<Index> places_;
  Vector cells_;
  std::vector<std::string> names_;
};

void add_joint(const JointParameters& p, const Table& table, Index k, const WeightedRows& rows,
               Statistics& statistics, const std::string& name) {
  JointCells cells(p, table);
  for (const Index row : rows.rows) {
    const double weight = rows.weights.empty() ? 1 : rows.weights[at(row)];
    cells.spread(k, row, [&](const std::string& level, double share) {
      const auto place = static_cast<std::size_t>(statistics.levels_of(0).add(level));
      Vector& sums = statistics.of_class(name).levels.front();
      if (sums.size() <= place) sums.resize(place + 1);
      sums[place] += weight * share;
    });
  }
}

void add_counts(const CountParameters& p, const Table& table, Index k, const WeightedRows& rows,
                Vector& sums) {
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
      if (std::isnan(table.numbers(row, places[j])))
        sums[j] += weight * total * p.probabilities(k, static_cast<Index>(j)) / share;
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
