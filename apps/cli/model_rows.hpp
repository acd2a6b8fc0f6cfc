#pragma once

#include "options/source.hpp"

#include <genera/query.hpp>

namespace genera::cli {

/// The rows of `source` with the features of `model`, opened in the same way for every verb: which
/// rows are accepted does not depend on the purpose. Rows to be completed keep all their columns.
/// Rows that are read more than once cannot be answered while they arrive.
[[nodiscard]] RowStream rows_for(ClassifierRef model, const Source& source, Purpose purpose,
                                 Passes passes = Passes::one);

/// How `source` is read for a model: the tokens that mean missing are those that the model was
/// learned with, unless they are given.
[[nodiscard]] CsvOptions csv_for(ClassifierRef model, const Source& source);

/// The model with what it must remember about the rows that it was learned from.
[[nodiscard]] Classifier remembering(const Classifier& model, const Source& source,
                                     std::string fingerprint = {});

}  // namespace genera::cli
