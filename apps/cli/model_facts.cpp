#include "model_facts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace genera::cli {

std::vector<double> class_counts(ClassifierRef model) {
  if (const LinearModel* linear = model.linear()) return linear->counts();
  for (const Block& block : model.model()->blocks()) {
    const auto counts = std::visit([](const auto& b) { return b.parameters().counts; }, block);
    if (!counts.empty()) return counts;
  }
  return {};
}

double TrainingFit::aic() const { return 2 * static_cast<double>(parameters) - 2 * log_likelihood; }
double TrainingFit::bic() const {
  return static_cast<double>(parameters) * std::log(rows) - 2 * log_likelihood;
}

std::optional<TrainingFit> training_fit(const Fitted<Classifier>& fitted) {
  const auto* model = std::get_if<Model>(&fitted.model);
  const std::optional<double> likelihood = fitted.report.training_log_likelihood;
  if (!model || !likelihood) return std::nullopt;
  const Vector& counts = model->counts();
  const ParameterCount count = model->free_parameters();
  return TrainingFit{.log_likelihood = *likelihood,
                     .parameters = count.priors + count.means + count.covariances +
                                   count.probabilities + count.weights,
                     .rows = std::accumulate(counts.begin(), counts.end(), 0.0)};
}

std::string in_a_line(const TrainingFit& training) {
  return fmt::format(
      "training rows: log-likelihood {:.6f}, AIC {:.6g}, BIC {:.6g} ({} free parameters)",
      training.log_likelihood, training.aic(), training.bic(), training.parameters);
}

std::vector<std::string> feature_names(ClassifierRef model) {
  std::vector<std::string> names;
  for (const Column& column : model.features()) names.push_back(column.name);
  return names;
}

std::vector<std::string> columns_of_block(ClassifierRef model, std::size_t block) {
  if (!model.model()) return feature_names(model);
  std::vector<std::string> names;
  for (const Column& column :
       std::visit([](const auto& b) { return b.features(); }, model.model()->blocks()[block]))
    names.push_back(column.name);
  return names;
}

}  // namespace genera::cli
