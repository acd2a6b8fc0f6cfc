#include "score/committee/member_rows.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>

#include <genera/classifier.hpp>

#include "blocks/kinds.hpp"
#include "data/columns.hpp"
#include "score/linear/features.hpp"

namespace genera::score {
namespace {

using Levels = std::vector<std::string>;

/// Levels of each categorical feature of a model, in the order of its features.
std::vector<Levels> levels_of(const Model& model) {
  std::vector<Levels> all;
  for (const Block& block : model.blocks()) {
    const auto own =
        blocks::visit(block, [](auto kind, const auto& b) { return kind.layout(b); }).levels;
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

std::vector<Levels> levels_of(const LinearModel& model) {
  std::vector<Levels> all;
  for (const LinearFeatures& part : model.parts())
    if (data::kept_as_code(columns_of(part).front().type)) all.push_back(names_of(part));
  return all;
}

Levels levels_of(const Committee::Member& member, const std::string& feature) {
  const std::vector<Levels> all =
      std::visit([](const auto& model) { return levels_of(model); }, member.model);
  std::size_t code = 0;
  for (const Column& column : ClassifierRef(member).features()) {
    if (!data::kept_as_code(column.type)) continue;
    if (column.name == feature) return all[code];
    ++code;
  }
  return {};
}

/// Levels by which rows without names number the categories of this feature: those of the first
/// member that reads it as a category.
Levels levels_of(const Committee& committee, const std::string& feature) {
  for (const Committee::Member& member : committee.members())
    if (Levels levels = levels_of(member, feature); !levels.empty()) return levels;
  return {};
}

/// The code of each value: the number of a level, or the number that is written as the level.
std::unordered_map<double, double> codes(const Levels& own, const Levels& common, bool by_number) {
  std::unordered_map<double, double> code_of;
  for (std::size_t l = 0; l < own.size(); ++l) {
    double value = 0;
    if (by_number) {
      const char* end = own[l].data() + own[l].size();
      if (std::from_chars(own[l].data(), end, value).ptr != end) continue;
    } else {
      value = static_cast<double>(std::ranges::find(common, own[l]) - common.begin());
    }
    code_of.emplace(value, static_cast<double>(l));
  }
  return code_of;
}

}  // namespace

MemberColumns::MemberColumns(const Committee& committee, const Committee::Member& member) {
  for (const Column& column : ClassifierRef(member).features()) {
    const auto known = std::ranges::find(committee.features(), column.name, &Column::name);
    OwnColumn own{.place = static_cast<std::size_t>(known - committee.features().begin()),
                  .coded = data::kept_as_code(column.type)};
    if (own.coded)
      own.code_of = codes(levels_of(member, column.name), levels_of(committee, column.name),
                          data::kept_as_number(known->type));
    columns_.push_back(std::move(own));
  }
}

void MemberColumns::convert(std::span<const double> from, double* to) const noexcept {
  for (const OwnColumn& column : columns_) {
    double value = from[column.place];
    if (column.coded) {
      const auto code = column.code_of.find(value);
      value =
          code == column.code_of.end() ? std::numeric_limits<double>::quiet_NaN() : code->second;
    }
    *to++ = value;
  }
}

Rows rows_of_member(const Committee& committee, const Committee::Member& member, const Rows& rows) {
  if (!rows.data().by_position) return rows;
  struct Converted {
    Matrix numbers;
    DataView view;
  };
  const MemberColumns columns(committee, member);
  const data::NumberColumns numbers = data::all_numbers(rows.data());
  auto to = std::make_shared<Converted>();
  to->numbers = Matrix(rows.data().rows, columns.size());
  Vector row(committee.features().size());
  for (Index i = 0; i < rows.data().rows; ++i) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = numbers(i, static_cast<Index>(j));
    columns.convert(row, to->numbers.row(i).data());
  }
  to->view = Rows(MatrixView(to->numbers)).data();
  to->view.source = rows.data().source;
  to->view.lines = rows.data().lines;
  return rows.in(Rows(std::shared_ptr<const DataView>(to, &to->view)));
}

}  // namespace genera::score
