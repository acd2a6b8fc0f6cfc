#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/decisions.hpp>
#include <genera/error.hpp>

#include "kernel/text.hpp"

namespace genera {
namespace {

/// One side of a cost table: its names, and its words in messages.
struct Side {
  const std::vector<std::string>& names;
  const char* word;  // row, column
};

/// Place of name `i` of a side: "costs.csv:3", "costs, row 2".
std::string place(const CostTable& table, const Side& side, std::size_t i) {
  const std::size_t line = &side.names == &table.truths ? i + 1 : 0;
  if (line < table.lines.size()) return fmt::format("{}:{}", table.source, table.lines[line]);
  return fmt::format("costs, {} {}", side.word, i + 1);
}

Errc code_of(const CostTable& table) {
  return table.source.empty() ? Errc::bad_argument : Errc::bad_data;
}

Index class_of(const std::vector<std::string>& classes, const CostTable& table, const Side& side,
               std::size_t i) {
  const std::string& name = side.names[i];
  if (const auto found = find_label(classes, name)) return *found;
  throw Error(
      code_of(table),
      fmt::format("{}: '{}' is not a class of the model", place(table, side, i), name),
      kernel::did_you_mean(name, classes, "its classes are " + kernel::quoted_list(classes)));
}

/// True for the only decision that is not a class.
bool is_review(const std::vector<std::string>& classes, const std::string& name) {
  return name == "review" && !find_label(classes, name);
}

/// The table without its review column.
struct Parts {
  CostTable classes;
  Vector review;
};

Parts parts_of(const std::vector<std::string>& classes, const CostTable& table) {
  const auto named = [&](const std::string& name) { return is_review(classes, name); };
  const auto found = std::ranges::find_if(table.decisions, named);
  const Index place = found - table.decisions.begin();
  if (found == table.decisions.end() || place >= table.values.columns()) return {table, {}};
  Parts parts{.classes = table, .review = {}};
  parts.classes.decisions.erase(parts.classes.decisions.begin() + place);
  parts.classes.values = Matrix(table.values.rows(), table.values.columns() - 1);
  for (Index i = 0; i < table.values.rows(); ++i) {
    parts.review.push_back(table.values(i, place));
    for (Index j = 0; j < parts.classes.values.columns(); ++j)
      parts.classes.values(i, j) = table.values(i, j < place ? j : j + 1);
  }
  return parts;
}

/// Row (or column) of the table for each class.
std::vector<Index> places_of(const std::vector<std::string>& classes, const CostTable& table,
                             const Side& side) {
  const std::string each = "give every class of the model one row and one column";
  std::vector<Index> places(classes.size(), -1);
  for (std::size_t i = 0; i < side.names.size(); ++i) {
    Index& at = places[static_cast<std::size_t>(class_of(classes, table, side, i))];
    if (at >= 0)
      throw Error(code_of(table),
                  fmt::format("{}: class '{}' has a {} of costs already", place(table, side, i),
                              side.names[i], side.word),
                  each);
    at = static_cast<Index>(i);
  }
  std::vector<std::string> left_out;
  for (std::size_t k = 0; k < classes.size(); ++k)
    if (places[k] < 0) left_out.push_back(classes[k]);
  if (left_out.empty()) return places;
  throw Error(code_of(table),
              fmt::format("{}: there is no {} of costs for {}",
                          table.source.empty() ? "costs" : table.source, side.word,
                          kernel::quoted_list(left_out)),
              each);
}

}  // namespace

Costs::Costs(std::vector<std::string> classes, Matrix values, Vector review)
    : classes_(std::move(classes)), values_(std::move(values)), review_(std::move(review)) {
  const auto k = static_cast<Index>(classes_.size());
  if (values_.rows() != k || values_.columns() != k)
    throw Error(Errc::bad_argument,
                fmt::format("the costs of {} are a {} x {} matrix", counted(k, "class", "classes"),
                            values_.rows(), values_.columns()),
                "give a row for each truth and a column for each decision");
  const bool finite =
      std::ranges::all_of(review_, [](double price) { return std::isfinite(price); });
  if (!review_.empty() && (std::ssize(review_) != k || !finite))
    throw Error(
        Errc::bad_argument,
        fmt::format("{} given for {}, or one is not finite",
                    counted(std::ssize(review_), "price of review is", "prices of review are"),
                    counted(k, "class", "classes")),
        "give one finite number for each truth");
  for (Index truth = 0; truth < k; ++truth) {
    for (Index decision = 0; decision < k; ++decision) {
      if (std::isfinite(values_(truth, decision))) continue;
      throw Error(Errc::bad_argument,
                  fmt::format("the cost of deciding '{}' where '{}' is true is {}",
                              classes_[static_cast<std::size_t>(decision)],
                              classes_[static_cast<std::size_t>(truth)], values_(truth, decision)),
                  "costs are finite numbers");
    }
  }
}

Costs costs_for(const std::vector<std::string>& classes, const CostTable& given) {
  const auto [table, review] = parts_of(classes, given);
  const std::vector<Index> columns = places_of(classes, table, {table.decisions, "column"});
  const std::vector<Index> rows = places_of(classes, table, {table.truths, "row"});
  const auto count = static_cast<Index>(classes.size());
  if (table.values.rows() != count || table.values.columns() != count)
    return {classes, table.values};  // throws with the reason
  Matrix values(count, count);
  for (std::size_t truth = 0; truth < classes.size(); ++truth) {
    for (std::size_t decision = 0; decision < classes.size(); ++decision)
      values(static_cast<Index>(truth), static_cast<Index>(decision)) =
          table.values(rows[truth], columns[decision]);
  }
  Vector prices;
  if (!review.empty())
    for (const Index row : rows) prices.push_back(review[static_cast<std::size_t>(row)]);
  return {classes, std::move(values), std::move(prices)};
}

}  // namespace genera
