#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <genera/fit.hpp>
#include <genera/mixture.hpp>

/// Options of models as data: one table from which the command line, Python, candidates and workers
/// elsewhere make recipes.
namespace genera {

using ClassProbabilities = std::vector<std::pair<std::string, double>>;

/// The value of an option as an edge read it. Text that an edge cannot convert stays a string: the
/// error about it is the same everywhere.
using OptionValue = std::variant<std::monostate,            // not given
                                 bool,                      // flags
                                 double,                    // numbers and whole numbers
                                 std::string,               // choices
                                 MixtureOptions::Range,     // ranges of whole numbers
                                 std::vector<std::string>,  // lists of words
                                 ClassProbabilities>;       // priors
/// By name, in snake_case: {"variance_prior", 1.0}.
using OptionValues = std::map<std::string, OptionValue>;

/// One option: a row of the table.
struct OptionSpec {
  enum class Type {
    flag,              ///< true or false
    number,            ///< in [min, max]
    whole,             ///< a whole number in [min, max]
    choice,            ///< one of `choices`, or of `aliases`
    choices,           ///< a list of these
    number_or_choice,  ///< either
    range,             ///< a whole number of at least 1, or a range of them
    words,             ///< one of `choices`, or a list of words
    priors,            ///< one of `choices`, or a probability for each class
  };
  enum class Group { model, terms, fitting };

  std::string name;  ///< in snake_case
  Type type = Type::number;
  Group group = Group::model;
  std::string placeholder{};          ///< of its value in help texts: "ROWS"
  std::string help{};                 ///< a noun phrase or an imperative, with the default
  std::vector<std::string> models{};  ///< the models that use it
  std::vector<std::string> choices{};
  std::vector<std::pair<std::string, std::string>> aliases{};  ///< other names of choices
  double min = 0, max = std::numeric_limits<double>::infinity();
  bool in_grids = false;        ///< `select` can try several values
  OptionValue default_value{};  ///< monostate: depends on the model, or on the data
  /// The default of estimators inside of searches and pipelines (those of Python), if it is
  /// another.
  OptionValue estimator_default{};

  [[nodiscard]] bool belongs_to(std::string_view model) const;
};
/// Every option of every model, in the order of help texts.
[[nodiscard]] const std::vector<OptionSpec>& model_options();
/// Null if there is no such option.
[[nodiscard]] const OptionSpec* find_option(std::string_view name);

/// A fit as a user asks for it.
struct FitSpec {
  std::string model{};
  AnyRecipe recipe{};                                   ///< of auto: what its candidates share
  bool automatic = false;                               ///< the model is auto or best
  bool pool = false;                                    ///< auto may pool several models
  bool simple = false, fast = false, keep_rows = true;  ///< see AutoOptions
  bool smoothing_given = false;
  FitOptions fit{};
  bool calibrate = false;
  Index folds = 10;
};

/// The model of this name, which a user gave by `option`. Throws Error (bad_argument) with the
/// nearest names.
[[nodiscard]] const NamedModel& model_named(const std::string& name,
                                            const std::string& option = "model");

/// Throws Error (bad_data) with all columns that a model of categories or counts cannot take:
/// only numbers, texts for poisson, texts beside other columns for complement.
void refuse_unfit_types(const std::string& model, std::span<const Column> features);

/// Named values as a fit; options that are not given have their defaults.
/// Throws Error (bad_argument) if the model or an option is unknown (with the nearest names), a
/// value is out of range, the model does not use an option, or options exclude each other.
[[nodiscard]] FitSpec spec_from(const std::string& model, const OptionValues& values,
                                std::uint64_t seed = 1);
/// The recipe alone. Refuses auto, which is not one model.
[[nodiscard]] AnyRecipe recipe_from(const std::string& model, const OptionValues& values,
                                    std::uint64_t seed = 1);

/// The values of options that this model uses.
[[nodiscard]] OptionValues values_used_by(const std::string& model, const OptionValues& values);
/// Throws Error (bad_argument) if none of `models` uses one of the options. `list` is the option
/// that named the models.
void refuse_unused(const OptionValues& values, const std::vector<std::string>& models,
                   const std::string& list);

/// The options of `cluster`, a table of its own, and named values as these options. Throws Error
/// (bad_argument) as spec_from does.
[[nodiscard]] const std::vector<OptionSpec>& cluster_options();
[[nodiscard]] ClusterOptions cluster_options_from(const OptionValues& values,
                                                  std::uint64_t seed = 1);

/// A recipe as JSON, so that a worker elsewhere fits the same model: the options that the model
/// uses.
[[nodiscard]] std::string to_bytes(const AnyRecipe& recipe);
/// Throws Error (bad_model, or bad_argument for a value out of range or an option that the model
/// does not use) if the bytes are not a recipe; `name` begins the message.
[[nodiscard]] AnyRecipe recipe_from_bytes(std::string_view bytes,
                                          const std::string& name = "recipe");

/// The size of a problem, for parameter_counts. Counts are doubles, because `joint` has more than
/// 2^64 soon.
struct ProblemSize {
  double features = 1;  ///< columns; of multinomial, complement: terms
  double classes = 2;
  double levels = 2;                ///< of each categorical column
  double components = 1;            ///< of each class: mda
  std::string covariance = "full";  ///< of mda: full, tied, diag, tied_diag, spherical, ...
  std::string terms = "linear";     ///< of logistic: linear, squares or quadratic
};

struct NamedCount {
  std::string name;  ///< "priors", "means", "covariances", "weights", "probabilities", ...
  double count = 0;
  std::string formula;  ///< in p features, K classes, L levels and M components
};

/// As `inspect` counts them after a fit in which no column is left out. Throws Error (bad_argument)
/// for a name that is not a model of one kind of columns, and for sizes that are not whole numbers
/// of at least 1 (levels: 2).
[[nodiscard]] std::vector<NamedCount> parameter_counts(const std::string& model,
                                                       const ProblemSize& size);
/// Models that can be counted.
[[nodiscard]] const std::vector<std::string>& countable_models();

}  // namespace genera
