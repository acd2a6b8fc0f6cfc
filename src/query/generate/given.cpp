// The cells and the class that rows to be drawn are known to have.
#include "query/generate/given.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/query.hpp>

#include "data/join_tables.hpp"
#include "data/largest_count.hpp"
#include "kernel/text.hpp"
#include "blocks/kinds.hpp"
#include "query/generate/draws.hpp"

namespace genera::query {
namespace {

[[noreturn]] void refuse(const std::string& what, const Advice& hint) {
  throw Error(Errc::bad_argument, what, hint);
}

std::string text_of(const Given& given) {
  const auto* text = std::get_if<std::string>(&given.value);
  return text ? *text : fmt::format("{}", std::get<double>(given.value));
}

double number_of(const Given& given, ColumnType type) {
  double number = 0;
  if (const auto* known = std::get_if<double>(&given.value))
    number = *known;
  else if (!kernel::parse_whole(std::get<std::string>(given.value), number))
    number = std::nan("");
  if (!std::isfinite(number))
    refuse(fmt::format("'{}' is given as '{}', which is not a finite number", given.column,
                       text_of(given)),
           "give a number such as 1.5");
  if (type == ColumnType::count && number > data::largest_count)
    refuse(fmt::format("'{}' is given as {}, which is too large for a count", given.column,
                       text_of(given)),
           "counts are whole numbers up to 2^53");
  if (type == ColumnType::count && !(blocks::is_count(number) && number == std::floor(number)))
    refuse(fmt::format("'{}' is given as {}, which is not a count", given.column, text_of(given)),
           "counts are whole numbers of at least 0");
  return number;
}

/// Fills the cells of a condition, one after the other.
class Reader {
 public:
  explicit Reader(const Model& model)
      : model_(model),
        places_(data::feature_places(model.features())),
        found_{unknown_rows(model, 1), false, std::nullopt} {}

  void read_class(const std::string& name) {
    const Index k = class_named(model_, name);
    if (found_.label && *found_.label != k)
      refuse(fmt::format("rows of class '{}' and of class '{}' are asked for at once",
                         model_.classes()[static_cast<std::size_t>(*found_.label)], name),
             "name the class once");
    found_.label = k;
  }

  void read(const Given& given) {
    if (!names_.insert(given.column).second)
      refuse(fmt::format("column '{}' is given twice", given.column), "give each column once");
    const std::vector<Column>& columns = model_.features();
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (columns[j].name == given.column) return read(given, columns[j].type, places_[j]);
    }
    if (given.column != model_.target()) refuse_column(model_, given.column);
    read_class(text_of(given));
  }

  [[nodiscard]] Condition take() && { return std::move(found_); }

 private:
  void read(const Given& given, ColumnType type, data::FeaturePlace place) {
    using Kind = data::FeaturePlace::Kind;
    if (place.kind == Kind::text)
      refuse(fmt::format("column '{}' is text, which cannot be given", given.column),
             "give numbers, counts and categories");
    found_.any_cell = true;
    Table& table = found_.cells.table;
    if (place.kind == Kind::number) {
      table.numbers(0, place.at) = number_of(given, type);
      return;
    }
    const std::vector<std::string>& levels = table.levels[static_cast<std::size_t>(place.at)];
    table.codes(0, place.at) =
        static_cast<std::int32_t>(level_named(given.column, text_of(given), levels));
  }

  const Model& model_;
  std::vector<data::FeaturePlace> places_;  // of its features
  std::set<std::string> names_;
  Condition found_;
};

/// The sum of the counts of a block that are given.
double known_counts(const Block& block, const Condition& condition, std::size_t b) {
  const blocks::Layout layout =
      blocks::visit(block, [](auto kind, const auto& known) { return kind.layout(known); });
  double sum = 0;
  for (Index j = 0; j < layout.numbers; ++j) {
    const double count = condition.cells.table.numbers(0, condition.cells.places[b].number + j);
    sum += std::isnan(count) ? 0 : count;
  }
  return sum;
}

/// A length must have something to count, and room for what is given.
void check_lengths(const Model& model, const Condition& condition,
                   const std::optional<Index>& length) {
  if (length && *length < 0)
    refuse(fmt::format("the length of a row is {}", *length), "give a length of at least 0");
  bool counts = false;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const blocks::RowLength own = blocks::visit(
        model.blocks()[b], [](auto kind, const auto& block) { return kind.row_length(block); });
    if (own == blocks::RowLength::none) continue;
    counts = true;
    if (!length && own == blocks::RowLength::unknown)
      throw Error(Errc::bad_model, "the model does not say how long its rows are",
                  {"give the length of a row ({})", {{"length"}}});
    const double known = known_counts(model.blocks()[b], condition, b);
    if (length && known > static_cast<double>(*length))
      refuse(fmt::format("the given counts sum to {}, more than the length {}", known, *length),
             "give a larger length, or smaller counts");
  }
  if (length && !counts)
    refuse("the model counts nothing, so that its rows have no length",
           {"leave the length out ({})", {{"length"}}});
}

}  // namespace

Index class_named(const Model& model, const std::string& name) {
  if (const auto k = find_label(model.classes(), name)) return *k;
  refuse(fmt::format("there is no class '{}'", name),
         kernel::did_you_mean(name, model.classes(),
                              "the classes are " + kernel::quoted_list(model.classes())));
}

Index level_named(const std::string& column, const std::string& level,
                  const std::vector<std::string>& levels) {
  if (const auto found = find_label(levels, level)) return *found;
  refuse(fmt::format("column '{}' has no level '{}'", column, level),
         kernel::did_you_mean(level, levels, "its levels are " + kernel::quoted_list(levels)));
}

void refuse_column(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (const Column& column : model.features()) names.push_back(column.name);
  if (!model.target().empty()) names.push_back(model.target());
  refuse(fmt::format("the model has no column '{}'", name),
         kernel::did_you_mean(name, names, "the columns are " + kernel::quoted_list(names)));
}

Condition known_cells(const Model& model, const std::optional<std::string>& of_class,
                      const std::vector<Given>& given) {
  Reader reader(model);
  if (of_class) reader.read_class(*of_class);
  for (const Given& one : given) reader.read(one);
  return std::move(reader).take();
}

Condition condition_of(const Model& model, const SampleOptions& options) {
  Condition condition = known_cells(model, options.of_class, options.given);
  check_lengths(model, condition, options.length);
  return condition;
}

Matrix class_probabilities(const Model& model, const Condition& condition) {
  const auto classes = std::ssize(model.classes());
  if (!condition.any_cell && !condition.label) return as_row(model.prior().probabilities());
  Matrix probabilities(1, classes);
  if (condition.label) probabilities(0, *condition.label) = 1;
  if (!condition.any_cell) return probabilities;
  if (!condition.label) {
    // The joint distribution as it is, whatever its temperature.
    const Answers answered = answers(model.with_temperature(1), condition.cells.table);
    if (answered.impossible == 0) return answered.posterior;
    refuse("what is given is impossible under every class",
           "give other values; levels never seen together are impossible without smoothing");
  }
  const Model even = model.with_prior(Prior::uniform(classes));
  if (std::isinf(log_joint(even, condition.cells.table)(0, *condition.label)))
    refuse(fmt::format("what is given is impossible in class '{}'",
                       model.classes()[static_cast<std::size_t>(*condition.label)]),
           "give other values, or another class");
  return probabilities;
}

}  // namespace genera::query
