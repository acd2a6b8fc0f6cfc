#include "query/committee/committee_draws.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <genera/error.hpp>
#include <genera/query.hpp>

#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/log_sum.hpp"

namespace genera::query {
namespace {

using kernel::at;
using kernel::infinity;

std::vector<std::string> names_of(const Table& table, bool numbers) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) {
    const bool number = column.type == ColumnType::numeric || column.type == ColumnType::count;
    if (number == numbers && column.type != ColumnType::text) names.push_back(column.name);
  }
  return names;
}

/// log p_m of what is known of the rows.
double log_probability(const Model& model, const Condition& known) {
  if (!known.any_cell) return known.label ? model.prior().log()[at(*known.label)] : 0;
  const Matrix joint = log_joint(model, known.cells.table);
  return known.label ? joint(0, *known.label) : kernel::log_sum(joint.row(0));
}

void refuse_texts(const Committee& committee) {
  for (const Column& column : committee.features())
    if (column.type == ColumnType::text)
      throw Error(
          Errc::bad_model, "a committee of models of texts draws no rows",
          {"draw from one of its members, or fit a single model ({})", {{"model", {"best"}}}});
}

/// The row repeated for all rows.
void repeat_cells(const ModelRows& one, ModelRows& rows) {
  for (Index i = 0; i < rows.table.rows(); ++i) {
    std::ranges::copy(one.table.numbers.row(0), rows.table.numbers.row(i).begin());
    for (Index j = 0; j < one.table.codes.columns(); ++j)
      rows.table.codes(i, j) = one.table.codes(0, j);
  }
}

}  // namespace

std::vector<DensityMember> density_members(const Committee& committee) {
  std::vector<DensityMember> members;
  for (std::size_t m = 0; m < committee.members().size(); ++m) {
    const double weight = committee.density_weights()[m];
    if (weight > 0) members.push_back({&std::get<Model>(committee.members()[m].model), weight});
  }
  return members;
}

LayoutCopy::LayoutCopy(const Table& from, const Table& to) {
  const std::vector<std::string> numbers = names_of(to, true), codes = names_of(to, false);
  for (const std::string& name : names_of(from, true))
    numbers_.push_back(std::ranges::find(numbers, name) - numbers.begin());
  for (const std::string& name : names_of(from, false)) {
    const Index place = std::ranges::find(codes, name) - codes.begin();
    std::vector<std::int32_t>& levels = level_of_.emplace_back();
    for (const std::string& level : from.levels[codes_.size()]) {
      const auto& known = to.levels[at(place)];
      const auto found = std::ranges::find(known, level);
      levels.push_back(found == known.end() ? -1
                                            : static_cast<std::int32_t>(found - known.begin()));
    }
    codes_.push_back(place);
  }
}

void LayoutCopy::row(const Table& from, Index i, Table& to, Index place) const {
  for (std::size_t j = 0; j < numbers_.size(); ++j)
    to.numbers(place, numbers_[j]) = from.numbers(i, static_cast<Index>(j));
  for (std::size_t j = 0; j < codes_.size(); ++j) {
    const std::int32_t code = from.codes(i, static_cast<Index>(j));
    to.codes(place, codes_[j]) = code < 0 ? -1 : level_of_[j][at(code)];
  }
  to.labels[at(place)] = from.labels[at(i)];
}

CommitteeDrawer::CommitteeDrawer(const Committee& committee, const SampleOptions& options)
    : leading_(*committee.leading_model()) {
  refuse_texts(committee);
  Vector logs;
  std::optional<Error> impossible;
  for (const DensityMember& one : density_members(committee)) {
    Condition known = condition_of(*one.model, options);
    try {
      Matrix classes = class_probabilities(*one.model, known);
      logs.push_back(std::log(one.weight) + log_probability(*one.model, known));
      members_.push_back({one.model, 0, RowDrawer(*one.model, {.length = options.length}),
                          std::move(known), std::move(classes)});
    } catch (const Error& error) {
      impossible = error;
    }
  }
  if (members_.empty()) throw *impossible;
  const double total = kernel::log_sum(logs);
  for (std::size_t m = 0; m < members_.size(); ++m) members_[m].weight = std::exp(logs[m] - total);
}

std::size_t CommitteeDrawer::member_of(double uniform) const {
  for (std::size_t m = 0; m + 1 < members_.size(); ++m) {
    if (uniform < members_[m].weight) return m;
    uniform -= members_[m].weight;
  }
  return members_.size() - 1;
}

Table CommitteeDrawer::draw(DrawRange range, const Rng& rng, const Control& control) const {
  const Index rows = range.end - range.begin;
  const auto stream = [&](Index row) {
    return rng.split(static_cast<std::uint64_t>(range.begin + row));
  };
  std::vector<std::vector<Index>> rows_of(members_.size());
  for (Index i = 0; i < rows; ++i) rows_of[member_of(stream(i).split(0).uniform())].push_back(i);
  Table drawn = unknown_rows(leading_, rows).table;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const Member& member = members_[m];
    const std::vector<Index>& own = rows_of[m];
    ModelRows some = member.drawer.unknown(std::ssize(own));
    if (member.known.any_cell) repeat_cells(member.known.cells, some);
    member.drawer.complete(
        some, {member.classes, [&](Index i) { return stream(own[at(i)]).split(1); }}, control);
    const LayoutCopy copy(some.table, drawn);
    for (Index i = 0; i < std::ssize(own); ++i) copy.row(some.table, i, drawn, own[at(i)]);
  }
  return drawn;
}

}  // namespace genera::query
