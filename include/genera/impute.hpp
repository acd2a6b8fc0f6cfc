#pragma once

#include <string>
#include <vector>

#include <genera/classifier.hpp>
#include <genera/query.hpp>
#include <genera/random.hpp>

/// Imputation of missing values.
namespace genera {

struct ImputeOptions {
  std::vector<std::string> integers{};  ///< numeric columns whose imputed cells are rounded
};

/// A table with missing values imputed where the model allows it. Other cells are unchanged.
struct Imputed {
  Table table;
  MissingCells filled{};
  Index texts = 0;           ///< missing texts, which stay missing
  Index beyond = 0;          ///< missing numbers beyond the range of a double, which stay missing
  Index unknown_labels = 0;  ///< rows whose label is not a class of the model; used as unlabelled
};

/// Imputes numbers and counts by their conditional expectation, categories and flags by their most
/// probable value (ties to the first level; the cells of a joint block by their most probable
/// combination), given the observed cells and the label, if there is one; otherwise averaged over
/// the posterior of the classes. Labels are never imputed. Categories that did not occur in
/// training are ignored and kept. Missing counts in a row with other counts are expected in
/// proportion to these. Throws Error (bad_data) if the table lacks a feature of the model,
/// (bad_argument) if one of `integers` is not a numeric feature. A committee imputes by the mixture
/// of the members of its density, given the observed cells.
[[nodiscard]] Imputed impute(JointRef model, const Table& table, const ImputeOptions& options = {},
                             const Control& control = {});

/// The same for rows of any layout; the table is a copy of them.
[[nodiscard]] Imputed impute(JointRef model, const Rows& rows, const ImputeOptions& options = {},
                             const Control& control = {});

/// Imputes by one draw from the conditional distribution given the observed cells: first a class
/// for each row, then all blocks. Rows of a file use the random stream of their line, others that
/// of their number, so that chunks of a stream can be imputed in any order.
[[nodiscard]] Imputed impute_by_draw(JointRef model, const Table& table, const Rng& rng,
                                     const ImputeOptions& options = {},
                                     const Control& control = {});

[[nodiscard]] Imputed impute_by_draw(JointRef model, const Rows& rows, const Rng& rng,
                                     const ImputeOptions& options = {},
                                     const Control& control = {});

/// Numeric columns that contain only whole numbers (and at least one), in one pass.
[[nodiscard]] std::vector<std::string> whole_number_columns(RowsRef rows,
                                                            const Control& control = {});

/// A model with parameters drawn from their posterior under the usual vague priors, given as many
/// rows as the model was estimated from. In proper multiple imputation, each completed table uses
/// its own draw. docs/numerics.md states the distributions. Parameters that were given, not
/// estimated, are kept.
[[nodiscard]] Model draw_parameters(const Model& model, const Rng& rng);
/// Notes about the parameters that draw_parameters keeps; empty if it draws all.
[[nodiscard]] std::vector<Note> fixed_parameters(const Model& model);

}  // namespace genera
