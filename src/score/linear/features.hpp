#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <genera/block_description.hpp>
#include <genera/linear.hpp>

#include "blocks/places.hpp"

/// All that depends on what a part of a linear model is: numbers, levels, terms or products.
/// Nothing but it and features_document.cpp asks (scripts/check_kinds.py).
namespace genera::score {

/// Features that are made of numbers: z_j = (x_j - centre_j) / scale_j, or products of two of them.
struct NumericFeatures {
  std::span<const double> centres{}, scales{};     ///< of the columns; empty: 0 and 1
  std::vector<std::pair<Index, Index>> factors{};  ///< of products; empty: the columns themselves
  [[nodiscard]] bool are_products() const { return !factors.empty(); }
};
/// None if they are levels or terms. The part must outlive it.
[[nodiscard]] std::optional<NumericFeatures> numeric_features(const LinearFeatures& part);
/// Of columns that another part has, too.
[[nodiscard]] bool are_products(const LinearFeatures& part);
/// Whether the values are counts, of columns or of terms.
[[nodiscard]] bool are_counts(const LinearFeatures& part);
/// Whether the values are numbers in units of their own.
[[nodiscard]] bool are_measurements(const LinearFeatures& part);

/// The text whose terms they are; null: they are none.
[[nodiscard]] const std::string* text_column(const LinearFeatures& part);
[[nodiscard]] const TextOptions* text_options(const LinearFeatures& part);

/// The columns that a part reads.
[[nodiscard]] std::vector<Column> columns_of(const LinearFeatures& part);
/// By which the columns, levels or terms of a part are found.
[[nodiscard]] const std::vector<std::string>& sought_names(const LinearFeatures& part);
/// Where they are in the data, of a part of a model with the given columns; `names` are those
/// sought. Throws Error (bad_data) if one is not there.
[[nodiscard]] blocks::Places locate(const LinearFeatures& part, const NameSet& names,
                                    const std::vector<Column>& columns, blocks::Finder& finder);

/// A column, `column=level`, or a word; marked by its column if the model has several texts.
[[nodiscard]] std::string feature_name(const LinearFeatures& part, Index feature,
                                       bool several_texts = false);
/// What errors call it.
[[nodiscard]] std::string title_of(const LinearFeatures& part);
/// "2 levels of 'colour'"
[[nodiscard]] std::string meaning_of(const LinearFeatures& part);
[[nodiscard]] Facts facts_of(const LinearFeatures& part);

/// Throws Error (bad_model) if one of the numbers of a linear model is not finite.
void require_finite(std::span<const double> numbers, const char* what);
/// Throws Error (bad_model) if it is not a part that a model of `all` these can have.
void check(const LinearFeatures& part, std::span<const LinearFeatures> all);

}  // namespace genera::score
