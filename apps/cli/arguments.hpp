#pragma once

#include <genera/fit.hpp>
#include <genera/mixture.hpp>
#include <genera/stream.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What each verb was asked to do, in the words of the library.
namespace genera::cli {

struct Common {
  std::optional<std::string> output;  ///< a file; empty: standard output
  int threads = 1;
  std::uint64_t seed = 1;
  bool json = false;
  bool quiet = false;
};

/// A table and how to read it.
struct Source {
  std::string data;
  CsvOptions csv;
  Roles roles;
  std::optional<Missing> missing{};
  std::vector<std::string> options_given;  ///< those that make sense for rows only
};

struct FitArguments {
  Source source;
  Recipe recipe;
  std::string model;  ///< as the user named it
  Common common;
  double unlabelled_weight = 1;
};

struct ClusterArguments {
  Source source;
  ClusterOptions options;
  Common common;
};

/// What turns posterior probabilities into decisions.
struct DecisionArguments {
  std::optional<PriorChoice> priors;
  bool estimate_priors = false;      ///< instead: from the rows themselves
  std::optional<std::string> costs;  ///< a file
  std::optional<double> reject;
};

struct PredictArguments {
  std::string model;
  Source source;
  DecisionArguments decision;
  std::optional<double> outlier;
  bool proba = false;
  bool joint = false;
  Index explain = 0;  ///< so many features for each row; 0: none
  Common common;
};

struct EvaluateArguments {
  std::string model;
  Source source;
  DecisionArguments decision;
  Common common;
};

struct ScoreArguments {
  std::string model;
  Source source;
  std::optional<PriorChoice> priors;
  Common common;
};

struct InspectArguments {
  std::string model;
  Index top = 0;  ///< so many terms and levels for each class; 0: the whole model
  Common common;
};

struct SampleArguments {
  std::string model;
  Index rows = 0;
  std::optional<std::string> of_class;
  std::vector<std::string> given;  ///< COL=VALUE; which '=' it is depends on the model
  std::optional<Index> length;
  Common common;
};

struct ImputeArguments {
  std::string model;
  Source source;
  Index draws = 0;  ///< so many completed tables; 0: one, of expectations
  bool integers = false;
  Common common;
};

struct StatsArguments {
  Source source;
  Scatter scatter = Scatter::full;
  bool joint = false;
  Common common;
};

struct MergeArguments {
  std::vector<std::string> files;
  Common common;
};

struct ForgetArguments {
  std::string statistics;
  std::optional<Source> source;             ///< rows to forget, or
  std::optional<std::string> forget_class;  ///< a class: exactly one of them
  Common common;
};

struct DatasetsArguments {
  std::optional<std::string> name;
  Common common;
};

/// Text that is the whole answer: help, the version.
struct PrintArguments {
  std::string text;
};

using Command =
    std::variant<FitArguments, ClusterArguments, PredictArguments, EvaluateArguments,
                 ScoreArguments, InspectArguments, SampleArguments, ImputeArguments, StatsArguments,
                 MergeArguments, ForgetArguments, DatasetsArguments, PrintArguments>;

/// `words` are those after the name of the program.
/// Throws Error (bad_argument) with the nearest names where something is mistyped.
[[nodiscard]] Command parse_command(const std::vector<std::string>& words);

}  // namespace genera::cli
