#include "score/bound_model.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/kinds.hpp"
#include "data/densified.hpp"
#include "data/few_values.hpp"
#include "score/linear/features.hpp"
#include "score/linear/parts.hpp"
#include "score/linear/weights.hpp"

namespace genera::score {
namespace {

using blocks::BoundRows;

/// True if a number that is 0 contributes to the scores.
bool is_centred(const LinearModel& model) {
  return std::ranges::any_of(model.parts(), [](const LinearFeatures& part) {
    const auto numbers = numeric_features(part);
    return numbers && !numbers->centres.empty();
  });
}

bool is_code(const Column& column) { return data::kept_as_code(column.type); }

/// True if zeros of a sparse matrix must be stored, because a block reads dense rows or codes.
bool needs_dense(ClassifierRef model, const DataView& data) {
  if (!data::sparse_features(data)) return false;
  if (std::ranges::any_of(model.features(), is_code)) return true;
  if (const LinearModel* linear = model.linear()) return is_centred(*linear);
  return std::ranges::any_of(model.model()->blocks(), [](const Block& block) {
    return blocks::visit(block, [](auto kind, const auto& b) { return kind.needs_dense(b); });
  });
}

std::vector<std::string> names_of(ClassifierRef model) {
  std::vector<std::string> names;
  for (const Column& feature : model.features()) names.push_back(feature.name);
  return names;
}

BoundRows prepared(ClassifierRef model, const Rows& rows) {
  BoundRows bound{.rows = rows};
  if (needs_dense(model, rows.data())) {
    bound.owned = std::make_shared<const Table>(data::densified(rows, names_of(model)));
    bound.rows = *bound.owned;
  }
  bound.rows = with_codes(model, bound.rows);
  bound.numbers = data::all_numbers(bound.rows.data());
  const auto texts = std::ranges::count_if(
      model.features(), [](const Column& column) { return column.type == ColumnType::text; });
  bound.several_texts = texts > 1;
  return bound;
}

}  // namespace

Rows with_codes(ClassifierRef model, const Rows& rows) {
  if (rows.data().by_position || std::ranges::none_of(model.features(), is_code)) return rows;
  std::unordered_set<std::string_view> numbers;
  for (const Column& column : rows.data().columns)
    if (data::kept_as_number(column.type)) numbers.insert(column.name);
  std::vector<Column> codes;
  for (const Column& column : model.features())
    if (is_code(column) && numbers.contains(column.name)) codes.push_back(column);
  return codes.empty() ? rows : data::as_codes(rows, codes);
}

void check_positions(ClassifierRef model, const DataView& data) {
  for (const Column& feature : model.features()) {
    if (feature.type == ColumnType::text)
      throw Error(
          Errc::bad_argument,
          fmt::format("the feature '{}' is text, which has no place among numbers", feature.name),
          "ask with a table, as read_csv gives it");
  }
  Index columns = 0;
  for (const NumbersView& piece : data.numbers) columns += piece.columns;
  const auto d = static_cast<Index>(model.features().size());
  if (columns != d)
    throw Error(Errc::bad_argument,
                fmt::format("the rows have {}, the model has {}", counted(columns, "column"),
                            counted(d, "feature")),
                "give the features of the model, in its order");
}

BoundModel::BoundModel(ClassifierRef model, const Rows& rows)
    : model_(model), rows_(prepared(model, rows)), first_{0} {
  const DataView& data = rows_.rows.data();
  if (data.by_position) check_positions(model, data);
  blocks::Finder finder(data);
  const auto locate = [&](const auto& m) {
    find(m, finder);
    bind(m);
  };
  if (const Model* joint = model.model())
    locate(*joint);
  else
    locate(*model.linear());
  list_pattern_columns();
}

BoundModel::BoundModel(const Model& model, const BoundModel& like)
    : model_(model), rows_(like.rows_), places_(like.places_), first_{0} {
  bind(model);
  list_pattern_columns();
}

void BoundModel::list_pattern_columns() {
  for (const auto& part : parts_) {
    const std::span<const Index> columns = part->pattern_columns();
    pattern_columns_.insert(pattern_columns_.end(), columns.begin(), columns.end());
    first_.push_back(std::ssize(pattern_columns_));
  }
}

void BoundModel::find(const Model& model, blocks::Finder& finder) {
  for (const Block& block : model.blocks())
    places_.push_back(
        blocks::visit(block, [&](auto kind, const auto& b) { return kind.locate(b, finder); }));
}

void BoundModel::find(const LinearModel& model, blocks::Finder& finder) {
  for (std::size_t part = 0; part < model.parts().size(); ++part)
    places_.push_back(
        locate(model.parts()[part], model.weights().names(part), model.features(), finder));
}

/// Called when the addresses of the blocks no longer change.
void BoundModel::bind(const Model& model) {
  for (std::size_t b = 0; b < places_.size(); ++b)
    parts_.push_back(blocks::visit(model.blocks()[b], [&](auto kind, const auto& block) {
      return kind.bind(block, rows_, places_[b]);
    }));
}

void BoundModel::bind(const LinearModel& model) {
  for (std::size_t part = 0; part < places_.size(); ++part)
    parts_.push_back(score::bind(model, part, rows_, places_[part]));
}

const Vector& BoundModel::start() const {
  const Model* model = model_.model();
  return model ? model->prior().log() : model_.linear()->weights().intercepts();
}

std::vector<Column> BoundModel::columns(std::size_t b) const {
  if (const LinearModel* linear = model_.linear()) return columns_of(linear->parts()[b]);
  return std::visit([](const auto& block) { return block.features(); },
                    model_.model()->blocks()[b]);
}

}  // namespace genera::score
