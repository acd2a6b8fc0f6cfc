#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <genera/block_description.hpp>
#include <genera/linear.hpp>

#include "blocks/places.hpp"

/// All code that depends on the features of a part of a linear model: numbers, levels, terms or
/// products. Only it and features_document.cpp distinguish them (scripts/check_kinds.py).
namespace genera::score {

/// Numeric features: z_j = (x_j - centre_j) / scale_j, or products of two of them.
struct NumericFeatures {
  std::span<const double> centres{}, scales{};     ///< of the columns; empty: 0 and 1
  std::vector<std::pair<Index, Index>> factors{};  ///< of products; empty: plain columns
  [[nodiscard]] bool are_products() const { return !factors.empty(); }
};
/// Empty for levels and terms. The part must outlive the result.
[[nodiscard]] std::optional<NumericFeatures> numeric_features(const LinearFeatures& part);
/// True for products, whose columns also belong to another part.
[[nodiscard]] bool are_products(const LinearFeatures& part);
/// True if the values are counts, of columns or terms.
[[nodiscard]] bool are_counts(const LinearFeatures& part);
/// True if the values are measurements with units.
[[nodiscard]] bool are_measurements(const LinearFeatures& part);

/// The text column of term features; null for others.
[[nodiscard]] const std::string* text_column(const LinearFeatures& part);
[[nodiscard]] const TextOptions* text_options(const LinearFeatures& part);

/// The columns read by a part.
[[nodiscard]] std::vector<Column> columns_of(const LinearFeatures& part);
/// The names by which columns, levels or terms of a part are found.
[[nodiscard]] const std::vector<std::string>& sought_names(const LinearFeatures& part);
/// Locations of the features in the data, for a part of a model with the given columns; `names` are
/// the sought names. Throws Error (bad_data) if one is missing.
[[nodiscard]] blocks::Places locate(const LinearFeatures& part, const NameSet& names,
                                    const std::vector<Column>& columns, blocks::Finder& finder);

/// A column, `column=level`, or a word, prefixed by its column if the model has several texts.
[[nodiscard]] std::string feature_name(const LinearFeatures& part, Index feature,
                                       bool several_texts = false);
/// Name of the part in error messages.
[[nodiscard]] std::string title_of(const LinearFeatures& part);
/// "2 levels of 'colour'"
[[nodiscard]] std::string meaning_of(const LinearFeatures& part);
[[nodiscard]] Facts facts_of(const LinearFeatures& part);

/// Throws Error (bad_model) if a number of a linear model is not finite.
void require_finite(std::span<const double> numbers, const char* what);
/// Throws Error (bad_model) if the part is invalid in a model with the parts `all`.
void check(const LinearFeatures& part, std::span<const LinearFeatures> all);

}  // namespace genera::score
