#include "score/linear/features.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "blocks/describing.hpp"
#include "blocks/probabilities.hpp"
#include "kernel/index.hpp"

// One struct per kind of features; the compiler reports functions that a new kind lacks.
namespace genera::score::feature_kinds {
namespace {

using detail::refuse_model;
using Names = std::vector<std::string>;

[[noreturn]] void refuse_type() {
  refuse_model("a part of a linear model has the type of another kind of column",
               "numbers are numeric or counts, levels are categorical or binary");
}

struct Numbers {
  static const Names& names(const NumberFeatures& f) { return f.columns; }
  static const Names& sought(const NumberFeatures& f) { return f.columns; }
  static std::vector<Column> columns(const NumberFeatures& f) {
    std::vector<Column> columns;
    for (const std::string& name : f.columns) columns.push_back({name, f.type});
    return columns;
  }
  static std::optional<NumericFeatures> numeric(const NumberFeatures& f) {
    return NumericFeatures{.centres = f.centres};
  }
  static bool counts(const NumberFeatures& f) { return f.type == ColumnType::count; }
  static const TermFeatures* text(const NumberFeatures&) { return nullptr; }
  static blocks::Places locate(const NumberFeatures& f, const NameSet& names,
                               const std::vector<Column>&, blocks::Finder& finder) {
    return finder.numbers(f.columns, names);
  }
  static std::string feature(const NumberFeatures&, const std::string& name, bool) { return name; }
  static std::string title(const NumberFeatures& f) {
    return counts(f) ? "the block of counts" : "the part of numbers";
  }
  static std::string meaning(const NumberFeatures& f) {
    return counted(std::ssize(f.columns), "column");
  }
  static Facts facts(const NumberFeatures& f) { return {{"columns", f.columns}}; }
  static void check(const NumberFeatures& f, std::span<const LinearFeatures>) {
    if (f.type != ColumnType::numeric && f.type != ColumnType::count) refuse_type();
    if (f.centres.empty()) return;
    if (f.centres.size() != f.columns.size())
      refuse_model(counted(std::ssize(f.centres), "centre") + " for " +
                       counted(std::ssize(f.columns), "column"),
                   "give one for each, or none");
    require_finite(f.centres, "a centre");
  }
};

struct Levels {
  static const Names& names(const LevelFeatures& f) { return f.levels; }
  static const Names& sought(const LevelFeatures& f) { return f.levels; }
  static std::vector<Column> columns(const LevelFeatures& f) { return {{f.column, f.type}}; }
  static std::optional<NumericFeatures> numeric(const LevelFeatures&) { return std::nullopt; }
  static bool counts(const LevelFeatures&) { return false; }
  static const TermFeatures* text(const LevelFeatures&) { return nullptr; }
  static blocks::Places locate(const LevelFeatures& f, const NameSet& names,
                               const std::vector<Column>&, blocks::Finder& finder) {
    return finder.categories({f.column}, {names});
  }
  static std::string feature(const LevelFeatures& f, const std::string& name, bool) {
    return f.column + "=" + name;
  }
  static std::string title(const LevelFeatures& f) { return fmt::format("column '{}'", f.column); }
  static std::string meaning(const LevelFeatures& f) {
    return fmt::format("{} of '{}'", counted(std::ssize(f.levels), "level"), f.column);
  }
  static Facts facts(const LevelFeatures& f) {
    return {{"column", f.column}, {"levels", f.levels}};
  }
  static void check(const LevelFeatures& f, std::span<const LinearFeatures>) {
    if (f.type != ColumnType::categorical && f.type != ColumnType::binary) refuse_type();
  }
};

struct Terms {
  static const Names& names(const TermFeatures& f) { return f.terms; }
  static const Names& sought(const TermFeatures& f) { return f.terms; }
  static std::vector<Column> columns(const TermFeatures& f) {
    return {{f.column, ColumnType::text}};
  }
  static std::optional<NumericFeatures> numeric(const TermFeatures&) { return std::nullopt; }
  static bool counts(const TermFeatures&) { return true; }
  static const TermFeatures* text(const TermFeatures& f) { return &f; }
  static blocks::Places locate(const TermFeatures& f, const NameSet& names,
                               const std::vector<Column>&, blocks::Finder& finder) {
    return finder.text(f.column, names);
  }
  static std::string feature(const TermFeatures& f, const std::string& name, bool several_texts) {
    return several_texts ? f.column + ":" + name : name;
  }
  static std::string title(const TermFeatures& f) {
    return fmt::format("the text column '{}'", f.column);
  }
  static std::string meaning(const TermFeatures& f) {
    return fmt::format("{} of '{}'", counted(std::ssize(f.terms), "term"), f.column);
  }
  static Facts facts(const TermFeatures& f) { return {{"text", f.column}, {"terms", f.terms}}; }
  static void check(const TermFeatures& f, std::span<const LinearFeatures>) {
    validate(f.text_options);
  }
};

struct Products {
  static const Names& names(const ProductFeatures& f) { return f.names; }
  static const Names& sought(const ProductFeatures& f) { return f.columns; }
  static std::vector<Column> columns(const ProductFeatures& f) {
    std::vector<Column> columns;
    for (const std::string& name : f.columns) columns.push_back({name, ColumnType::numeric});
    return columns;
  }
  static std::optional<NumericFeatures> numeric(const ProductFeatures& f) {
    return NumericFeatures{.centres = f.centres, .scales = f.scales, .factors = factors_of(f)};
  }
  static bool counts(const ProductFeatures&) { return false; }
  static const TermFeatures* text(const ProductFeatures&) { return nullptr; }
  static blocks::Places locate(const ProductFeatures& f, const NameSet&,
                               const std::vector<Column>& columns, blocks::Finder& finder) {
    std::vector<Index> places;
    for (const std::string& column : f.columns)
      places.push_back(std::ranges::find(columns, column, &Column::name) - columns.begin());
    return finder.known_numbers(f.columns, std::move(places));
  }
  static std::string feature(const ProductFeatures&, const std::string& name, bool) { return name; }
  static std::string title(const ProductFeatures&) { return "the part of products"; }
  static std::string meaning(const ProductFeatures& f) {
    return f.products ? counted(std::ssize(f.names), "square or product", "squares and products")
                      : counted(std::ssize(f.names), "square");
  }
  static Facts facts(const ProductFeatures& f) {
    return {{"products_of", f.columns},
            {"features", f.names},
            {"centres", f.centres},
            {"scales", f.scales}};
  }
  static void check(const ProductFeatures& f, std::span<const LinearFeatures> all) {
    if (f.centres.size() != f.columns.size() || f.scales.size() != f.columns.size())
      refuse_model(
          fmt::format("{} and {} for products of {}", counted(std::ssize(f.centres), "centre"),
                      counted(std::ssize(f.scales), "scale"),
                      counted(std::ssize(f.columns), "column")),
          "give one of each for every column");
    if (f.names != product_names(f.columns, f.products))
      refuse_model("the products of a linear model have other names than their columns say",
                   "name them by product_names");
    require_finite(f.centres, "a centre");
    require_finite(f.scales, "a scale");
    if (std::ranges::any_of(f.scales, [](double scale) { return !(scale > 0); }))
      refuse_model("a scale of a linear model is not positive", "give numbers greater than 0");
    for (const std::string& column : f.columns) require_number(column, all);
  }
  /// Throws Error (bad_model) if the column is not a numeric feature of another part.
  static void require_number(const std::string& column, std::span<const LinearFeatures> all) {
    const bool known = std::ranges::any_of(all, [&](const LinearFeatures& other) {
      const auto* numbers = std::get_if<NumberFeatures>(&other);
      return numbers && numbers->type == ColumnType::numeric &&
             std::ranges::find(numbers->columns, column) != numbers->columns.end();
    });
    if (!known)
      refuse_model(
          fmt::format("'{}' has a square or a product, but is not a number of the model", column),
          "list it among the numeric columns, too");
  }
};

Numbers kind_of(const NumberFeatures&) { return {}; }
Levels kind_of(const LevelFeatures&) { return {}; }
Terms kind_of(const TermFeatures&) { return {}; }
Products kind_of(const ProductFeatures&) { return {}; }

/// Calls ask(kind, features).
template <class Ask>
decltype(auto) by_kind(const LinearFeatures& part, Ask ask) {
  return std::visit(
      [&](const auto& features) -> decltype(auto) { return ask(kind_of(features), features); },
      part);
}

}  // namespace
}  // namespace genera::score::feature_kinds

namespace genera::score {

using feature_kinds::by_kind;

std::optional<NumericFeatures> numeric_features(const LinearFeatures& part) {
  return by_kind(part, [](auto kind, const auto& f) { return kind.numeric(f); });
}

bool are_products(const LinearFeatures& part) {
  const auto numeric = numeric_features(part);
  return numeric && numeric->are_products();
}

bool are_counts(const LinearFeatures& part) {
  return by_kind(part, [](auto kind, const auto& f) { return kind.counts(f); });
}

bool are_measurements(const LinearFeatures& part) {
  return numeric_features(part) && !are_counts(part);
}

const std::string* text_column(const LinearFeatures& part) {
  const TermFeatures* text = by_kind(part, [](auto kind, const auto& f) { return kind.text(f); });
  return text ? &text->column : nullptr;
}

const TextOptions* text_options(const LinearFeatures& part) {
  const TermFeatures* text = by_kind(part, [](auto kind, const auto& f) { return kind.text(f); });
  return text ? &text->text_options : nullptr;
}

std::vector<Column> columns_of(const LinearFeatures& part) {
  return by_kind(part, [](auto kind, const auto& f) { return kind.columns(f); });
}

const std::vector<std::string>& sought_names(const LinearFeatures& part) {
  return by_kind(
      part, [](auto kind, const auto& f) -> const auto& { return kind.sought(f); });
}

blocks::Places locate(const LinearFeatures& part, const NameSet& names,
                      const std::vector<Column>& columns, blocks::Finder& finder) {
  return by_kind(part,
                 [&](auto kind, const auto& f) { return kind.locate(f, names, columns, finder); });
}

std::string feature_name(const LinearFeatures& part, Index feature, bool several_texts) {
  return by_kind(part, [&](auto kind, const auto& f) {
    return kind.feature(f, kind.names(f)[kernel::at(feature)], several_texts);
  });
}

std::string title_of(const LinearFeatures& part) {
  return by_kind(part, [](auto kind, const auto& f) { return kind.title(f); });
}

std::string meaning_of(const LinearFeatures& part) {
  return by_kind(part, [](auto kind, const auto& f) { return kind.meaning(f); });
}

Facts facts_of(const LinearFeatures& part) {
  return by_kind(part, [](auto kind, const auto& f) { return kind.facts(f); });
}

void require_finite(std::span<const double> numbers, const char* what) {
  for (const double number : numbers) {
    if (!std::isfinite(number))
      detail::refuse_model(fmt::format("{} of a linear model is {}", what, number),
                           "give finite numbers");
  }
}

void check(const LinearFeatures& part, std::span<const LinearFeatures> all) {
  by_kind(part, [&](auto kind, const auto& f) { kind.check(f, all); });
}

}  // namespace genera::score

namespace genera {

const std::vector<std::string>& names_of(const LinearFeatures& features) {
  return score::feature_kinds::by_kind(
      features, [](auto kind, const auto& f) -> const auto& { return kind.names(f); });
}

std::vector<std::string> product_names(const std::vector<std::string>& columns, bool products) {
  std::vector<std::string> names;
  for (const std::string& column : columns) names.push_back(column + "^2");
  for (std::size_t i = 0; products && i < columns.size(); ++i) {
    for (std::size_t j = i + 1; j < columns.size(); ++j)
      names.push_back(columns[i] + "*" + columns[j]);
  }
  return names;
}

std::vector<std::pair<Index, Index>> factors_of(const ProductFeatures& features) {
  const Index count = std::ssize(features.columns);
  std::vector<std::pair<Index, Index>> factors;
  for (Index i = 0; i < count; ++i) factors.emplace_back(i, i);
  for (Index i = 0; features.products && i < count; ++i) {
    for (Index j = i + 1; j < count; ++j) factors.emplace_back(i, j);
  }
  return factors;
}

}  // namespace genera
