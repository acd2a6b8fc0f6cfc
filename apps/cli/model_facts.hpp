#pragma once

#include <genera/classifier.hpp>
#include <genera/report.hpp>

#include <optional>
#include <string>
#include <vector>

/// Short answers about a model that several outputs need.
namespace genera::cli {

/// The weights of the rows behind each class; empty if the parameters were given by hand.
[[nodiscard]] std::vector<double> class_counts(ClassifierRef model);

/// How well a model describes the rows it learned from.
struct TrainingFit {
  double log_likelihood = 0;  ///< sum of log p(x, y)
  Index parameters = 0;       ///< free ones
  double rows = 0;            ///< or their weight

  [[nodiscard]] double aic() const;  ///< 2 parameters - 2 log_likelihood
  [[nodiscard]] double bic() const;  ///< parameters log rows - 2 log_likelihood
};
/// None if the fit does not tell it.
[[nodiscard]] std::optional<TrainingFit> training_fit(const Fitted<Classifier>& fitted);
[[nodiscard]] std::string in_a_line(const TrainingFit& training);

/// The columns of one block of a model; of a linear one all.
[[nodiscard]] std::vector<std::string> columns_of_block(ClassifierRef model, std::size_t block);

/// The names of the features, in the order of the model.
[[nodiscard]] std::vector<std::string> feature_names(ClassifierRef model);

}  // namespace genera::cli
