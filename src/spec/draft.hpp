#pragma once

#include <optional>

#include <genera/spec.hpp>

/// Draft: the values of options before they become a recipe.
namespace genera::spec {

struct Draft {
  GaussianOptions gaussian{};
  RdaOptions rda{};            ///< of a recipe that has one
  BayesianOptions bayesian{};  ///< of a recipe that has them
  MixtureOptions mixture{};
  KernelOptions kernel{};
  Covariance covariance = Covariance::full;  ///< of the components of mda
  DiscreteOptions discrete{};
  PriorChoice priors{};
  LogisticOptions logistic{};
  std::vector<Covariance> covariances{};  ///< of `cluster`
  std::optional<double> max_iterations{};
  FitOptions fit{};
  std::optional<bool> calibrate{};
  Index folds = 10;
  bool simple = false, fast = false, no_rows = false;  ///< of automatic choices
};

/// How a draft stores the value of an option.
struct Access {
  void (*set)(Draft& to, const OptionValue& value);  ///< `value` is checked
  OptionValue (*get)(const Draft& from);
};
struct Row {
  OptionSpec spec;
  Access at;
};
[[nodiscard]] const std::vector<Row>& rows();
[[nodiscard]] const std::vector<Row>& cluster_rows();
[[nodiscard]] const Row* find(const std::vector<Row>& table, std::string_view name);

/// The value in the form that `set` expects: right alternative, in range, aliases replaced. Throws
/// Error (bad_argument).
[[nodiscard]] OptionValue checked(const OptionSpec& spec, const OptionValue& value);

/// Reads all values. Throws Error (bad_argument) for an unknown name, with the nearest names.
void read(const std::vector<Row>& table, const OptionValues& values, Draft& to);

}  // namespace genera::spec
