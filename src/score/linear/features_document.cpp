#include "score/linear/features_document.hpp"

#include <fmt/format.h>

#include <genera/recipe.hpp>

#include "document/fields.hpp"

namespace genera::score {
namespace {

using blocks::Field;
using blocks::Members;
using blocks::texts;
using blocks::Value;

constexpr std::string_view column_type_hint =
    "numbers are numeric or count, levels are categorical or binary";

Members document_of(const NumberFeatures& numbers) {
  Members members;
  members["columns"] = texts(numbers.columns);
  members["type"] = Value{std::string(name_of(numbers.type))};
  if (!numbers.centres.empty()) members["centres"] = Value{numbers.centres};
  return members;
}

Members document_of(const LevelFeatures& levels) {
  Members members;
  members["column"] = Value{levels.column};
  members["levels"] = texts(levels.levels);
  members["type"] = Value{std::string(name_of(levels.type))};
  return members;
}

Members document_of(const ProductFeatures& products) {
  Members members;
  members["products_of"] = texts(products.columns);
  members["terms"] = Value{
      std::string(name_of(products.products ? LogisticTerms::quadratic : LogisticTerms::squares))};
  members["centres"] = Value{products.centres};
  members["scales"] = Value{products.scales};
  return members;
}

Members document_of(const TermFeatures& terms) {
  Members members;
  members["text"] = Value{terms.column};
  members["cut"] = blocks::text_document(terms.text_options);
  members["terms"] = texts(terms.terms);
  return members;
}

ColumnType read_type(const Field& part, ColumnType usual, ColumnType other) {
  if (!part.has("type")) return usual;
  const Field type = part["type"];
  for (const ColumnType known : {usual, other}) {
    if (type.text() == name_of(known)) return known;
  }
  type.refuse(
      fmt::format("is '{}', expected '{}' or '{}'", type.text(), name_of(usual), name_of(other)),
      std::string(column_type_hint));
}

ProductFeatures read_products(const Field& part) {
  part.allow_only({"products_of", "terms", "centres", "scales"});
  ProductFeatures products{.columns = part["products_of"].distinct_texts()};
  const Field terms = part["terms"];
  products.products = terms.text() == name_of(LogisticTerms::quadratic);
  if (!products.products && terms.text() != name_of(LogisticTerms::squares))
    terms.refuse(fmt::format("is '{}', expected 'squares' or 'quadratic'", terms.text()),
                 "quadratic has the products of any two columns besides the squares");
  products.centres = part["centres"].numbers(std::ssize(products.columns));
  products.scales = part["scales"].numbers(std::ssize(products.columns));
  products.names = product_names(products.columns, products.products);
  return products;
}

}  // namespace

Members to_document(const LinearFeatures& part) {
  return std::visit([](const auto& features) { return document_of(features); }, part);
}

LinearFeatures read_features(const Field& part) {
  if (part.has("columns")) {
    part.allow_only({"columns", "type", "centres"});
    NumberFeatures numbers{part["columns"].distinct_texts(),
                           read_type(part, ColumnType::numeric, ColumnType::count)};
    if (part.has("centres")) numbers.centres = part["centres"].numbers(std::ssize(numbers.columns));
    return numbers;
  }
  if (part.has("products_of")) return read_products(part);
  if (part.has("column")) {
    part.allow_only({"column", "levels", "type"});
    return LevelFeatures{part["column"].text(), part["levels"].distinct_texts(),
                         read_type(part, ColumnType::categorical, ColumnType::binary)};
  }
  part.allow_only({"text", "cut", "terms"});
  return read_terms(part);
}

LinearFeatures read_terms(const Field& field) {
  TermFeatures terms{.column = field["text"].text(), .terms = field["terms"].distinct_texts()};
  if (field.has("cut")) terms.text_options = blocks::read_text_options(field["cut"]);
  return terms;
}

}  // namespace genera::score
