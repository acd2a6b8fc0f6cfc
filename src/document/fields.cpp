#include "document/fields.hpp"

#include "kernel/text.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace genera::document {
namespace {

constexpr std::string_view see_manual = "docs/file-format.md lists what each key holds";

std::string_view type_of(const Value& value) {
  return std::visit(overloaded{
                        [](std::nullptr_t) { return std::string_view("null"); },
                        [](bool) { return std::string_view("true or false"); },
                        [](double) { return std::string_view("a number"); },
                        [](const std::string&) { return std::string_view("text"); },
                        [](const Numbers&) { return std::string_view("a list"); },
                        [](const List&) { return std::string_view("a list"); },
                        [](const Members&) { return std::string_view("an object"); },
                    },
                    value.data);
}

}  // namespace

void Field::refuse(const std::string& what, const std::string& hint) const {
  const std::string place = path_.empty() ? "the document" : "'" + path_ + "'";
  throw Error(Errc::bad_model, fmt::format("{}: {} {}", file_, place, what), hint);
}

void Field::refuse_type(std::string_view expected) const {
  refuse(fmt::format("is {}, expected {}", type_of(*value_), expected), std::string(see_manual));
}

void Field::refuse_element(std::size_t element, std::string_view what) const {
  const bool alone = is_number();  // a plain number instead of a list of one
  Field(*value_, file_, alone ? path_ : path_of(element))
      .refuse(std::string(what), std::string(see_manual));
}

std::string Field::path_of(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

std::string Field::path_of(std::size_t element) const {
  return fmt::format("{}[{}]", path_, element);
}

const Members& Field::members() const {
  const auto* found = std::get_if<Members>(&value_->data);
  if (found == nullptr) refuse_type("an object");
  return *found;
}

bool Field::has(const std::string& key) const { return members().contains(key); }

Field Field::operator[](const std::string& key) const {
  const auto found = members().find(key);
  if (found == members().end())
    Field(*value_, file_, path_of(key)).refuse("is missing", std::string(see_manual));
  return {found->second, file_, path_of(key)};
}

void Field::allow_only(const std::vector<std::string>& keys) const {
  for (const auto& [key, value] : members())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      Field(value, file_, path_of(key))
          .refuse("is not a known key",
                  kernel::did_you_mean(key, keys, "known here: " + kernel::quoted_list(keys, 20)));
}

void Field::check_length(std::size_t found, Index expected) const {
  if (static_cast<Index>(found) == expected) return;
  refuse(fmt::format("has {}, expected {}", counted(static_cast<Index>(found), "entry", "entries"),
                     expected),
         "every list must agree with the number of features and classes");
}

std::vector<Field> Field::elements(std::string_view expected) const {
  if (const auto* numbers = std::get_if<Numbers>(&value_->data)) {
    if (numbers->empty()) return {};
    refuse_element(0, fmt::format("is a number, expected {}", expected));
  }
  const auto* list = std::get_if<List>(&value_->data);
  if (list == nullptr) refuse_type("a list");
  std::vector<Field> fields;
  for (std::size_t i = 0; i < list->size(); ++i) fields.emplace_back((*list)[i], file_, path_of(i));
  return fields;
}

std::vector<Field> Field::elements(std::string_view expected, Index length) const {
  std::vector<Field> fields = elements(expected);
  check_length(fields.size(), length);
  return fields;
}

bool Field::is_number() const { return std::holds_alternative<double>(value_->data); }

double Field::number() const {
  const auto* found = std::get_if<double>(&value_->data);
  if (found == nullptr) refuse_type("a number");
  if (!std::isfinite(*found))
    refuse(fmt::format("is {}, expected a finite number", *found), std::string(see_manual));
  return *found;
}

double Field::number_at_least(double low) const {
  const double x = number();
  if (x < low) refuse(fmt::format("is {}, expected at least {}", x, low), std::string(see_manual));
  return x;
}

double Field::fraction() const {
  const double x = number();
  if (x < 0 || x > 1)
    refuse(fmt::format("is {}, expected a number from 0 to 1", x), std::string(see_manual));
  return x;
}

bool Field::flag() const {
  const auto* found = std::get_if<bool>(&value_->data);
  if (found == nullptr) refuse_type("true or false");
  return *found;
}

const std::string& Field::text() const {
  const auto* found = std::get_if<std::string>(&value_->data);
  if (found == nullptr) refuse_type("text");
  return *found;
}

std::vector<std::string> Field::texts() const {
  std::vector<std::string> found;
  for (const Field& element : elements("text")) found.push_back(element.text());
  return found;
}

std::vector<std::string> Field::distinct_texts() const {
  std::vector<std::string> found = texts();
  std::set<std::string_view> seen;
  for (const std::string& name : found)
    if (!seen.insert(name).second)
      refuse(fmt::format("holds '{}' twice", name), "give each a name of its own");
  return found;
}

Vector Field::numbers() const {
  const auto* found = std::get_if<Numbers>(&value_->data);
  if (found == nullptr) {
    for (const Field& element : elements("a number"))
      if (!element.is_number()) element.refuse_type("a number");
    refuse_type("a list");
  }
  for (std::size_t i = 0; i < found->size(); ++i)
    if (!std::isfinite((*found)[i]))
      refuse_element(i, fmt::format("is {}, expected a finite number", (*found)[i]));
  return *found;
}

Vector Field::numbers(Index length) const {
  if (length == 1 && is_number()) return {number()};
  Vector found = numbers();
  check_length(found.size(), length);
  return found;
}

Vector Field::weights(Index length) const {
  Vector found = numbers(length);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] < 0) refuse_element(i, fmt::format("is {}, expected at least 0", found[i]));
  return found;
}

Index Field::count() const {
  const double value = number_at_least(0);
  constexpr double largest_exact = 9007199254740992;  // 2^53
  if (value != std::trunc(value) || value > largest_exact)
    refuse(fmt::format("is {}, expected a whole number", value), std::string(see_manual));
  return static_cast<Index>(value);
}

void Field::require_positive() const {
  const Vector found = is_number() ? Vector{number()} : numbers();
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!(found[i] > 0)) refuse_element(i, fmt::format("is {}, expected more than 0", found[i]));
}

Matrix Field::matrix(Index rows, Index columns) const {
  if (rows == 1 && columns == 1 && is_number()) return {1, 1, number()};
  return stacked(elements("a list", rows), columns);
}

Matrix stacked(const std::vector<Field>& rows, Index columns) {
  Vector values;  // grows with the content, whatever size is claimed
  for (const Field& row : rows) {
    const Vector entries = row.numbers(columns);
    values.insert(values.end(), entries.begin(), entries.end());
  }
  return {static_cast<Index>(rows.size()), columns, std::move(values)};
}

void check_format(const Field& root, std::string_view format) {
  const std::string begin =
      fmt::format("it needs \"format\": \"{}\", \"version\": {}", format, format_version);
  const bool want_model = format == model_format;
  if (!root.has("format")) root.refuse("has no 'format'", begin);
  const std::string& found = root["format"].text();
  if (found != format && found == (want_model ? statistics_format : model_format))
    throw Error(Errc::bad_model,
                root.file() + (want_model ? ": the file holds statistics, not a model"
                                          : ": the file holds a model, not statistics"),
                want_model ? "estimate a model from the statistics first"
                           : "give a file of statistics, which are collected from rows");
  if (found != format)
    root["format"].refuse(fmt::format("is '{}', expected '{}'", found, format), begin);
  if (!root.has("version")) root.refuse("has no 'version'", begin);
  const double version = root["version"].number();
  if (version > format_version)
    root["version"].refuse(
        fmt::format("is {}: written by a newer genera (this one reads version {})", version,
                    format_version),
        "update genera, or write the file again with this one");
  if (version != format_version)
    root["version"].refuse(fmt::format("is {}, expected {}", version, format_version), begin);
}

}  // namespace genera::document
