#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <genera/classifier.hpp>
#include <genera/predictor.hpp>
#include <genera/sample.hpp>

#include "data.hpp"

namespace genera::python {

/// A fitted model as Python holds it: immutable, and safe from any number of threads. Besides the
/// model it knows the columns that arrays have, of which the model may use only some.
class FittedModel {
 public:
  FittedModel(Classifier model, std::vector<Column> inputs);

  [[nodiscard]] ClassifierRef model() const { return model_; }
  [[nodiscard]] const std::vector<Column>& inputs() const { return inputs_; }
  /// Throws Error (bad_model) if it has no density.
  [[nodiscard]] const Model& density() const;
  /// The same, or a committee with a density.
  [[nodiscard]] JointRef joint() const;

  /// What an array or Data holds, for this model.
  [[nodiscard]] Data data_of(nb::handle rows) const;

  /// Places of classes.
  [[nodiscard]] nb::object predict(nb::handle rows, nb::handle threads) const;
  /// What stands there in `classes`, an array of numbers.
  [[nodiscard]] nb::object predict_labels(nb::handle rows, nb::handle classes,
                                          nb::handle threads) const;
  [[nodiscard]] nb::object posterior(nb::handle rows, nb::handle threads) const;

 private:
  [[nodiscard]] std::vector<std::int32_t> places_for(nb::handle rows, nb::handle threads) const;
  /// The one row of an array as the model has it, in its own memory; empty if it is not one.
  [[nodiscard]] std::span<const double> one_row(nb::handle rows) const;

  Classifier model_;
  std::vector<Column> inputs_;
  std::vector<Index> places_;  ///< of the features of the model among the inputs; empty: not arrays
  // Used with the GIL only.
  mutable std::optional<Predictor> predictor_;
  mutable Vector row_;
};

/// Known cells by column: numbers, or names of levels.
[[nodiscard]] std::vector<Given> given_cells(const nb::dict& given);

void bind_classifier(nb::module_& module);
void bind_probability(nb::module_& module);
/// Models of given parameters.
void bind_parameters(nb::module_& module);

}  // namespace genera::python
