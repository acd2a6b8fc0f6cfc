#pragma once

#include <genera/sample.hpp>

#include "query/generate/model_rows.hpp"

namespace genera::query {

/// What is known of the rows to be drawn.
struct Condition {
  ModelRows cells;        ///< one row
  bool any_cell = false;  ///< whether something but the class is known
  std::optional<Index> label{};
};

/// A class and cells. Throws Error (bad_argument) if a class, a column or a level is unknown, a
/// value cannot be, a column is text or is given twice.
[[nodiscard]] Condition known_cells(const Model& model, const std::optional<std::string>& of_class,
                                    const std::vector<Given>& given);

/// The same of rows to be drawn, with the length that they are to have. Throws Error (bad_argument)
/// as Sampler says.
[[nodiscard]] Condition condition_of(const Model& model, const SampleOptions& options);

/// The place of the class. Throws Error (bad_argument), with the nearest.
[[nodiscard]] Index class_named(const Model& model, const std::string& name);
/// The place of the level. Throws Error (bad_argument), with the nearest.
[[nodiscard]] Index level_named(const std::string& column, const std::string& level,
                                const std::vector<std::string>& levels);
/// The features and the target. Throws Error (bad_argument): none of them is called so.
[[noreturn]] void refuse_column(const Model& model, const std::string& name);

/// p(k | what is known), one row. Throws Error (bad_argument) if that is impossible.
[[nodiscard]] Matrix class_probabilities(const Model& model, const Condition& condition);

}  // namespace genera::query
