#include "query/committee/committee_impute.hpp"

#include <algorithm>
#include <cmath>

#include <genera/names.hpp>
#include <genera/query.hpp>

#include "data/columns.hpp"
#include "data/join_tables.hpp"
#include "kernel/index.hpp"
#include "kernel/log_sum.hpp"
#include "query/committee/committee_draws.hpp"

namespace genera::query {
namespace {

using kernel::at;

/// log p(observed cells, label if known) of each row under a model.
Vector log_evidence(const Model& model, const Table& table, const Control& control) {
  const Matrix joint = log_joint(model, table, control);
  const std::vector<Index> known = find_labels(model.classes(), table.classes);
  Vector logs;
  for (Index i = 0; i < table.rows(); ++i) {
    const std::int32_t label = table.labels.empty() ? -1 : table.labels[at(i)];
    const Index k = label < 0 ? -1 : known[at(label)];
    logs.push_back(k < 0 ? kernel::log_sum(joint.row(i)) : joint(i, k));
  }
  return logs;
}

/// p(member | observed cells, label), n x members.
Matrix responsibilities(const std::vector<DensityMember>& members, const Table& table,
                        const Control& control) {
  Matrix logs(table.rows(), std::ssize(members));
  for (std::size_t m = 0; m < members.size(); ++m) {
    const Vector own = log_evidence(*members[m].model, table, control);
    for (Index i = 0; i < table.rows(); ++i)
      logs(i, static_cast<Index>(m)) = std::log(members[m].weight) + own[at(i)];
  }
  for (Index i = 0; i < table.rows(); ++i) {
    const double total = kernel::log_sum(logs.row(i));
    for (std::size_t m = 0; m < members.size(); ++m) {
      double& cell = logs(i, static_cast<Index>(m));
      cell = std::isinf(total) ? members[m].weight : std::exp(cell - total);
    }
  }
  return logs;
}

/// The rows of a table whose cell in code column j is missing.
std::vector<Index> rows_without(const Table& table, Index j) {
  std::vector<Index> rows;
  for (Index i = 0; i < table.rows(); ++i)
    if (table.codes(i, j) < 0) rows.push_back(i);
  return rows;
}

/// Fills the missing cells of code column j by the level with the largest density of the row.
void fill_codes(const std::vector<DensityMember>& members, const Table& table, Index j,
                const std::vector<std::string>& levels, const Control& control, Imputed& to) {
  std::vector<Index> rows = rows_without(table, j);
  std::erase_if(rows, [&](Index i) { return to.table.codes(i, j) < 0; });
  if (rows.empty()) return;
  Table asked = data::selected(table, rows);
  asked.levels[at(j)] = levels;
  Vector best(rows.size());
  std::vector<std::size_t> choice(rows.size());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    for (Index i = 0; i < asked.rows(); ++i) asked.codes(i, j) = static_cast<std::int32_t>(l);
    Matrix logs(asked.rows(), std::ssize(members));
    for (std::size_t m = 0; m < members.size(); ++m) {
      const Vector own = log_evidence(*members[m].model, asked, control);
      for (Index i = 0; i < asked.rows(); ++i)
        logs(i, static_cast<Index>(m)) = std::log(members[m].weight) + own[at(i)];
    }
    for (Index i = 0; i < asked.rows(); ++i) {
      const double density = kernel::log_sum(logs.row(i));
      if (l > 0 && !(density > best[at(i)])) continue;
      best[at(i)] = density;
      choice[at(i)] = l;
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string>& known = to.table.levels[at(j)];
    NameSet names(known);
    to.table.codes(rows[i], j) = names.add(levels[choice[i]]);
    known = std::move(names).take_names();
  }
}

/// The levels of a column in the leading model.
std::vector<std::string> levels_in(const Model& model, const std::string& name) {
  const Table layout = unknown_rows(model, 0).table;
  std::size_t code = 0;
  for (const Column& column : layout.columns) {
    if (!data::kept_as_code(column.type)) continue;
    if (column.name == name) return layout.levels[code];
    ++code;
  }
  return {};
}

std::vector<Imputed> filled_by_all(const std::vector<DensityMember>& members,
                                   const FillByMember& fill) {
  std::vector<Imputed> all;
  for (const DensityMember& member : members) all.push_back(fill(*member.model));
  return all;
}

}  // namespace

Imputed impute_by_mixture(const Committee& committee, const Table& table, const FillByMember& fill,
                          const ImputeOptions& options, const Control& control) {
  const std::vector<DensityMember> members = density_members(committee);
  const Matrix parts = responsibilities(members, table, control);
  const std::vector<Imputed> filled = filled_by_all(members, fill);
  Imputed result = filled.front();
  const std::vector<std::string> names = table.number_names();
  for (Index j = 0; j < table.numbers.columns(); ++j) {
    const bool rounded =
        std::ranges::find(options.integers, names[at(j)]) != options.integers.end();
    for (Index i = 0; i < table.rows(); ++i) {
      if (!std::isnan(table.numbers(i, j)) || std::isnan(result.table.numbers(i, j))) continue;
      double mean = 0;
      for (std::size_t m = 0; m < filled.size(); ++m)
        if (const double part = parts(i, static_cast<Index>(m)); part > 0)
          mean += part * filled[m].table.numbers(i, j);
      result.table.numbers(i, j) = rounded ? std::round(mean) + 0.0 : mean;
    }
  }
  Index code = 0;
  for (const Column& column : table.columns) {
    if (!data::kept_as_code(column.type)) continue;
    const std::vector<std::string> levels = levels_in(*committee.leading_model(), column.name);
    if (!levels.empty()) fill_codes(members, table, code, levels, control, result);
    ++code;
  }
  return result;
}

Imputed impute_by_member(const Committee& committee, const Table& table, const FillByMember& fill,
                         const std::function<Rng(Index row)>& stream, const Control& control) {
  const std::vector<DensityMember> members = density_members(committee);
  const Matrix parts = responsibilities(members, table, control);
  const std::vector<Imputed> filled = filled_by_all(members, fill);
  Imputed result = filled.front();
  for (Index i = 0; i < table.rows(); ++i) {
    double uniform = stream(i).uniform();
    std::size_t m = 0;
    while (m + 1 < members.size() && uniform >= parts(i, static_cast<Index>(m)))
      uniform -= parts(i, static_cast<Index>(m++));
    const Table& own = filled[m].table;
    std::ranges::copy(own.numbers.row(i), result.table.numbers.row(i).begin());
    for (Index j = 0; j < own.codes.columns(); ++j) {
      if (own.codes(i, j) < 0) continue;
      const std::string& level = own.levels[at(j)][at(own.codes(i, j))];
      std::vector<std::string>& known = result.table.levels[at(j)];
      auto found = std::ranges::find(known, level);
      if (found == known.end()) found = known.insert(known.end(), level);
      result.table.codes(i, j) = static_cast<std::int32_t>(found - known.begin());
    }
  }
  return result;
}

}  // namespace genera::query
