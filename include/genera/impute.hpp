#pragma once

#include <string>
#include <vector>

#include <genera/model.hpp>
#include <genera/query.hpp>
#include <genera/random.hpp>

/// What is missing, filled in from what is there.
namespace genera {

struct ImputeOptions {
  std::vector<std::string> integers{};  ///< numeric columns whose filled cells are rounded
};

/// A table without the holes that the model could fill. What was there is as it was.
struct Imputed {
  Table table;
  MissingCells filled{};
  Index texts = 0;           ///< missing texts, which are left missing
  Index beyond = 0;          ///< missing numbers beyond the range of a double: left missing
  Index unknown_labels = 0;  ///< rows whose label is none of the model's: taken as unlabelled
};

/// Numbers and counts by their conditional expectation, categories and flags by their most probable
/// value (ties to the first level; the cells of a joint block by their most probable combination),
/// given the cells observed and the class if the row has a label; otherwise mixed over the
/// posterior of the classes. Labels are never filled. A category that the model has never seen is
/// no help, and stays. Missing counts beside others are expected in proportion to these.
/// Throws Error (bad_data) if a feature of the model is not a column of the table, (bad_argument)
/// if one of `integers` is not a numeric feature.
[[nodiscard]] Imputed impute(const Model& model, const Table& table,
                             const ImputeOptions& options = {}, const Control& control = {});

/// The same of rows wherever they lie; the table is a copy of them.
[[nodiscard]] Imputed impute(const Model& model, const Rows& rows,
                             const ImputeOptions& options = {}, const Control& control = {});

/// By one draw from their distribution given the cells observed: for each row a class, then all
/// blocks. Rows of a file draw from the stream of their line, others from that of their number, so
/// that chunks of a stream can be filled in any order.
[[nodiscard]] Imputed impute_by_draw(const Model& model, const Table& table, const Rng& rng,
                                     const ImputeOptions& options = {},
                                     const Control& control = {});

[[nodiscard]] Imputed impute_by_draw(const Model& model, const Rows& rows, const Rng& rng,
                                     const ImputeOptions& options = {},
                                     const Control& control = {});

/// The columns of numbers that hold nothing but whole ones (and at least one of them), in one pass.
[[nodiscard]] std::vector<std::string> whole_number_columns(RowsRef rows,
                                                            const Control& control = {});

/// A draw from the posterior of the parameters, given as many rows as the model was estimated
/// from, under the usual vague priors: what is uncertain about a model. For proper multiple
/// imputation each completed table is drawn from a model drawn like this.
/// See docs/numerics.md for the laws. Parameters that were given, not estimated, stay.
[[nodiscard]] Model draw_parameters(const Model& model, const Rng& rng);
/// What stays, in words; empty if everything is drawn.
[[nodiscard]] std::vector<Note> fixed_parameters(const Model& model);

}  // namespace genera
