// Which column of the rows is which feature of the model.
#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/names.hpp>

#include "data/join_tables.hpp"
#include "data/svmlight/svmlight.hpp"
#include "kernel/text.hpp"
#include "model/gaussian_density.hpp"
#include "model/joint_table.hpp"
#include "model/level_tables.hpp"
#include "model/term_weights.hpp"
#include "query/rows.hpp"

namespace genera::query {
namespace {

using data::is_svmlight;

/// The columns of a table, found by name.
class Binder {
 public:
  explicit Binder(const Table& table) : table_(table) {
    for (const Column& column : table.columns) {
      if (data::kept_as_number(column.type))
        numbers_.add(column.name);
      else if (column.type == ColumnType::text)
        texts_.add(column.name);
      else
        codes_.add(column.name);
    }
  }

  BoundBlock bind(const GaussianBlock& block) const {
    if (is_svmlight(table_)) return bind_terms(0, block.density().names());
    return {.numbers = number_places(block.parameters().columns)};
  }

  BoundBlock bind(const MixtureBlock& block) const {
    return {.numbers = number_places(block.parameters().components.columns)};
  }

  BoundBlock bind(const CategoricalBlock& block) const {
    return bind_codes(block.parameters().columns, block.density());
  }

  BoundBlock bind(const JointBlock& block) const {
    return bind_codes(block.parameters().columns, block.density());
  }

  BoundBlock bind(const CountBlock& block) const {
    const CountParameters& p = block.parameters();
    const NameSet& known = block.density().terms();
    if (!p.text.empty())
      return bind_terms(static_cast<std::size_t>(require(texts_, p.text, "text")), known);
    if (is_svmlight(table_)) return bind_terms(0, known);
    return {.numbers = number_places(p.terms)};
  }

 private:
  [[nodiscard]] Index require(const NameSet& names, const std::string& name,
                              const char* kind) const {
    if (const auto place = names.find(name)) return *place;
    throw Error(Errc::bad_data, fmt::format("the table has no {} column '{}'", kind, name),
                kernel::did_you_mean(name, names.names(), "the model needs all of its features"));
  }

  [[nodiscard]] std::vector<Index> number_places(const std::vector<std::string>& columns) const {
    std::vector<Index> places;
    for (const std::string& name : columns) places.push_back(require(numbers_, name, "numeric"));
    return places;
  }

  [[nodiscard]] BoundBlock bind_terms(std::size_t place, const NameSet& known) const {
    BoundBlock bound{.sparse = place};
    const std::vector<std::string>& terms = table_.sparse[place].terms;
    bound.terms.resize(terms.size());
    known.find_all(std::vector<std::string_view>(terms.begin(), terms.end()), bound.terms);
    return bound;
  }

  template <class Tables>
  [[nodiscard]] BoundBlock bind_codes(const std::vector<std::string>& columns,
                                      const Tables& tables) const {
    BoundBlock bound;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const Index place = require(codes_, columns[j], "categorical");
      const NameSet& known = tables.names(static_cast<Index>(j));
      bound.codes.push_back(place);
      std::vector<std::int32_t>& map = bound.levels.emplace_back();
      for (const std::string& level : table_.levels[static_cast<std::size_t>(place)])
        map.push_back(known.find(level).value_or(-1));
    }
    return bound;
  }

  const Table& table_;
  NameSet numbers_, codes_, texts_;
};

/// Full covariances and mixtures read dense rows, so an svmlight table is laid out with zeros.
bool needs_dense(const Model& model, const Table& table) {
  const auto full = [](const Block& block) {
    const auto* gaussian = std::get_if<GaussianBlock>(&block);
    return (gaussian && !gaussian->diagonal()) || std::holds_alternative<MixtureBlock>(block);
  };
  return is_svmlight(table) && std::any_of(model.blocks().begin(), model.blocks().end(), full);
}

std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> names;
  for (const Column& feature : model.features()) names.push_back(feature.name);
  return names;
}

}  // namespace

Rows rows_of(const Model& model, const Table& table) {
  Rows rows;
  if (needs_dense(model, table))
    rows.owned = std::make_shared<const Table>(data::densified(table, names_of(model)));
  rows.table = rows.owned ? rows.owned.get() : &table;
  rows.numbers = rows.table->numbers;
  const Binder binder(*rows.table);
  for (const Block& block : model.blocks())
    rows.blocks.push_back(std::visit([&](const auto& b) { return binder.bind(b); }, block));
  return rows;
}

Rows rows_of(const Model& model, const MatrixView& numbers) {
  for (const Column& feature : model.features()) {
    if (feature.type == ColumnType::text)
      throw Error(
          Errc::bad_argument,
          fmt::format("the feature '{}' is text, which has no place among numbers", feature.name),
          "ask with a table, as read_csv gives it");
  }
  const auto d = static_cast<Index>(model.features().size());
  if (numbers.columns() != d)
    throw Error(
        Errc::bad_argument,
        fmt::format("the rows have {} columns, the model has {} features", numbers.columns(), d),
        "give the features of the model, in its order");
  Rows rows{.numbers = numbers};
  Index next = 0;
  for (const Block& block : model.blocks()) {
    BoundBlock& bound = rows.blocks.emplace_back();
    const std::size_t count = std::visit([](const auto& b) { return b.features().size(); }, block);
    for (std::size_t j = 0; j < count; ++j) bound.numbers.push_back(next++);
  }
  return rows;
}

}  // namespace genera::query
