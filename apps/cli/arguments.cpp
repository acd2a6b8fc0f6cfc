#include "arguments.hpp"

#include "command_line.hpp"
#include "lists.hpp"
#include "names.hpp"

#include <genera/error.hpp>
#include <genera/version.hpp>

#include <algorithm>
#include <thread>

namespace genera::cli {
namespace {

Common common_of(const Words& words) {
  Common common;
  common.output = words.value("--output");
  common.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (const auto threads = words.value("--threads")) common.threads = parse_threads(*threads);
  if (const auto seed = words.value("--seed")) common.seed = parse_seed(*seed);
  common.json = words.has("--json");
  common.quiet = words.has("--quiet");
  if (common.output && common.output->empty())
    throw Error(Errc::bad_argument, "--output is empty", "name the file to write");
  if (common.output == "-") common.output = "/dev/stdout";
  return common;
}

TextOptions text_of(const Words& words) {
  TextOptions text;
  if (words.has("--ngrams") && words.has("--chars"))
    throw Error(Errc::bad_argument, "--ngrams counts words and --chars characters: not both",
                "leave one of them out");
  if (const auto words_in_a_row = words.value("--ngrams"))
    text.words = parse_lengths("--ngrams", *words_in_a_row);
  if (const auto chars = words.value("--chars")) text.chars = parse_lengths("--chars", *chars);
  if (const auto bits = words.value("--hash-bits"))
    text.hash_bits =
        static_cast<int>(std::min<Index>(1000, parse_whole_number("--hash-bits", *bits, 0)));
  validate(text);
  return text;
}

CsvOptions csv_of(const Words& words) {
  CsvOptions csv;
  csv.header = !words.has("--no-header");
  if (const auto delimiter = words.value("--delimiter"))
    csv.delimiter = parse_delimiter(*delimiter);
  if (const auto decimal = words.value("--decimal")) csv.decimal = parse_decimal(*decimal);
  if (csv.delimiter && csv.delimiter == csv.decimal)
    throw Error(Errc::bad_argument, "--delimiter and --decimal are the same character",
                "let one of them be recognised, or name another");
  csv.missing_tokens = words.values("--missing-token");
  return csv;
}

Roles roles_of(const Words& words) {
  Roles roles;
  roles.target = words.value("--target");
  roles.weights = words.value("--weights");
  roles.features = split_lists("--features", words.values("--features"));
  roles.drop = split_lists("--drop", words.values("--drop"));
  for (const auto& [column, type] : split_pairs("--type", words.values("--type")))
    roles.types.emplace_back(column, parse_column_type(type));
  if (const auto model = words.value("--model"))
    roles.default_type = parse_model(*model).every_column;
  roles.text = text_of(words);
  if (words.has("--keep") && words.has("--json"))
    throw Error(Errc::bad_argument, "--keep copies cells of CSV, which --json does not write",
                "leave --keep or --json out");
  if (words.has("--keep")) roles.keep = split_lists("--keep", words.values("--keep"));
  return roles;
}

Source source_of(const std::string& data, const Words& words) {
  Source source;
  source.data = data;
  source.csv = csv_of(words);
  source.roles = roles_of(words);
  if (const auto missing = words.value("--missing")) source.missing = parse_missing(*missing);
  for (const char* option :
       {"--target", "--features", "--drop", "--weights", "--type", "--missing", "--missing-token",
        "--no-header", "--delimiter", "--decimal", "--ngrams", "--chars", "--hash-bits"})
    if (words.has(option)) source.options_given.emplace_back(option);
  return source;
}

void refuse_outside_rda(const Words& words, const ModelChoice& model) {
  if (model.family == Family::rda) return;
  for (const char* option : {"--alpha", "--gamma", "--toward"})
    if (words.has(option))
      throw Error(Errc::bad_argument,
                  std::string(option) + " belongs to --model rda, but the model is " +
                      words.value("--model").value_or("lda"),
                  "add --model rda, or leave " + std::string(option) + " out");
}

void refuse_outside_mda(const Words& words, const ModelChoice& model) {
  if (model.mixture) return;
  for (const char* option : {"--components", "--covariance", "--starts"})
    if (words.has(option))
      throw Error(Errc::bad_argument,
                  std::string(option) + " belongs to --model mda, but the model is " +
                      words.value("--model").value_or("lda"),
                  "add --model mda, or leave " + std::string(option) + " out");
}

ModelChoice model_of(const Words& words) {
  const auto named = words.value("--model");
  ModelChoice model = named ? parse_model(*named) : ModelChoice{};
  const auto covariance = words.value("--covariance");
  refuse_outside_mda(words, model);
  if (covariance && model.mixture) model.family = parse_covariance(*covariance);
  return model;
}

MixtureOptions mixture_of(const Words& words, MixtureOptions::Range components) {
  MixtureOptions mixture{.components = components, .seed = common_of(words).seed};
  if (const auto range = words.value("--components")) mixture.components = parse_components(*range);
  constexpr Index most_starts = 100000;
  if (const auto starts = words.value("--starts"))
    mixture.starts =
        static_cast<int>(std::min(most_starts, parse_whole_number("--starts", *starts, 1)));
  return mixture;
}

GaussianOptions gaussian_of(const Words& words, const ModelChoice& model) {
  GaussianOptions gaussian;
  gaussian.family = model.family;
  refuse_outside_rda(words, model);
  if (const auto divisor = words.value("--divisor")) gaussian.divisor = parse_divisor(*divisor);
  if (const auto shrinkage = words.value("--shrinkage"))
    gaussian.shrinkage = parse_shrinkage(*shrinkage);
  if (const auto alpha = words.value("--alpha")) gaussian.alpha = parse_number("--alpha", *alpha);
  if (const auto gamma = words.value("--gamma")) gaussian.gamma = parse_number("--gamma", *gamma);
  if (const auto toward = words.value("--toward")) gaussian.toward = parse_toward(*toward);
  gaussian.raw_units = words.has("--raw-units");
  if (const auto floor = words.value("--variance-floor"))
    gaussian.variance_floor = parse_number("--variance-floor", *floor);
  if (const auto how = words.value("--on-singular")) gaussian.on_singular = parse_on_singular(*how);
  validate(gaussian);
  return gaussian;
}

DiscreteOptions discrete_of(const Words& words, const ModelChoice& model) {
  DiscreteOptions discrete;
  discrete.joint = model.joint;
  discrete.svmlight_counts = model.counts.has_value();
  if (model.counts) discrete.counts = *model.counts;
  if (const auto smoothing = words.value("--smoothing"))
    discrete.smoothing = parse_number("--smoothing", *smoothing);
  if (const auto count = words.value("--min-count"))
    discrete.min_count = parse_number("--min-count", *count);
  if (const auto most = words.value("--max-terms"))
    discrete.max_terms = parse_whole_number("--max-terms", *most, 1);
  if (const auto stop = words.value("--stop-words")) discrete.stop_words = parse_stop_words(*stop);
  validate(discrete);
  return discrete;
}

Recipe recipe_of(const Words& words) {
  const ModelChoice model = model_of(words);
  Recipe recipe{.gaussian = gaussian_of(words, model), .discrete = discrete_of(words, model)};
  if (model.mixture) recipe.mixture = mixture_of(words, {1, 5});
  if (const auto priors = words.value("--priors")) recipe.priors = parse_priors(*priors);
  return recipe;
}

std::optional<PriorChoice> priors_of(const Words& words) {
  if (const auto priors = words.value("--priors")) return parse_priors(*priors);
  return std::nullopt;
}

DecisionArguments decision_of(const Words& words) {
  DecisionArguments decision;
  if (const auto priors = words.value("--priors")) {
    decision.estimate_priors = *priors == "estimate";
    if (!decision.estimate_priors) decision.priors = parse_priors(*priors, Estimate::possible);
  }
  decision.costs = words.value("--costs");
  if (decision.costs && decision.costs->empty())
    throw Error(Errc::bad_argument, "--costs is empty", "name the file with the costs");
  if (decision.costs == "-" && words.arguments.back() == "-")
    throw Error(Errc::bad_argument, "--costs and DATA are both standard input",
                "put one of them into a file");
  if (const auto reject = words.value("--reject"))
    decision.reject = parse_probability("--reject", *reject);
  return decision;
}

std::optional<double> outlier_of(const Words& words) {
  if (const auto outlier = words.value("--outlier"))
    return parse_inner_probability("--outlier", *outlier);
  return std::nullopt;
}

/// A number of things to show; 0 if the option is not given.
Index number_of(const Words& words, const std::string& option) {
  const auto text = words.value(option);
  return text ? parse_whole_number(option, *text, 1) : 0;
}

Command fit_command(const Words& words) {
  FitArguments fit{source_of(words.arguments[0], words), recipe_of(words),
                   words.value("--model").value_or("lda"), common_of(words)};
  if (const auto weight = words.value("--unlabelled-weight")) {
    fit.unlabelled_weight = parse_number("--unlabelled-weight", *weight);
    fit.source.options_given.emplace_back("--unlabelled-weight");
  }
  return fit;
}

/// A label is nothing to find groups in.
Source unlabelled_source(const Words& words) {
  Source source = source_of(words.arguments[0], words);
  source.roles.use_target = false;
  if (source.roles.target) source.roles.drop.push_back(*source.roles.target);
  source.roles.target.reset();
  return source;
}

ClusterOptions cluster_options_of(const Words& words) {
  ClusterOptions options;
  options.mixture = mixture_of(words, {1, 9});
  if (words.has("--covariance")) {
    std::vector<Family> covariances;
    for (const std::string& name : split_lists("--covariance", words.values("--covariance")))
      covariances.push_back(parse_covariance(name));
    options.covariances = std::move(covariances);
  }
  options.raw_units = words.has("--raw-units");
  if (const auto floor = words.value("--variance-floor"))
    options.variance_floor = parse_number("--variance-floor", *floor);
  if (const auto how = words.value("--on-singular")) options.on_singular = parse_on_singular(*how);
  if (const auto missing = words.value("--missing")) options.missing = parse_missing(*missing);
  options.threads = common_of(words).threads;
  validate(options);
  return options;
}

Command cluster_command(const Words& words) {
  return ClusterArguments{unlabelled_source(words), cluster_options_of(words), common_of(words)};
}

Command predict_command(const Words& words) {
  return PredictArguments{.model = words.arguments[0],
                          .source = source_of(words.arguments[1], words),
                          .decision = decision_of(words),
                          .outlier = outlier_of(words),
                          .proba = words.has("--proba"),
                          .joint = words.has("--joint"),
                          .explain = number_of(words, "--explain"),
                          .common = common_of(words)};
}

Command evaluate_command(const Words& words) {
  return EvaluateArguments{words.arguments[0], source_of(words.arguments[1], words),
                           decision_of(words), common_of(words)};
}

Command score_command(const Words& words) {
  return ScoreArguments{words.arguments[0], source_of(words.arguments[1], words), priors_of(words),
                        common_of(words)};
}

Command inspect_command(const Words& words) {
  return InspectArguments{words.arguments[0], number_of(words, "--top"), common_of(words)};
}

Command sample_command(const Words& words) {
  const auto rows = words.value("--rows");
  if (!rows)
    throw Error(Errc::bad_argument, "'sample' needs -n", "say how many rows, as in -n 100");
  SampleArguments sample{.model = words.arguments[0],
                         .rows = parse_whole_number("-n", *rows, 0),
                         .of_class = words.value("--class"),
                         .given = split_lists("--given", words.values("--given")),
                         .length = std::nullopt,
                         .common = common_of(words)};
  if (const auto length = words.value("--length"))
    sample.length = parse_whole_number("--length", *length, 0);
  return sample;
}

Command impute_command(const Words& words) {
  return ImputeArguments{.model = words.arguments[0],
                         .source = source_of(words.arguments[1], words),
                         .draws = number_of(words, "--draws"),
                         .integers = words.has("--integers"),
                         .common = common_of(words)};
}

Command stats_command(const Words& words) {
  StatsArguments stats{.source = source_of(words.arguments[0], words), .common = common_of(words)};
  if (!words.has("--model")) return stats;
  const ModelChoice model = model_of(words);
  stats.joint = model.joint;
  if (!model.every_column) stats.scatter = scatter_needed(recipe_of(words));
  return stats;
}

Command merge_command(const Words& words) {
  return MergeArguments{words.arguments, common_of(words)};
}

Command forget_command(const Words& words) {
  ForgetArguments forget{.statistics = words.arguments[0],
                         .source = std::nullopt,
                         .forget_class = words.value("--class"),
                         .common = common_of(words)};
  const bool has_data = words.arguments.size() > 1;
  if (has_data == forget.forget_class.has_value())
    throw Error(
        Errc::bad_argument,
        has_data ? "'forget' takes DATA or --class, not both" : "'forget' needs DATA or --class",
        "write genera forget STATS DATA -o STATS, or genera forget STATS --class NAME -o "
        "STATS");
  if (has_data) {
    forget.source = source_of(words.arguments[1], words);
  } else if (const auto given = source_of("", words).options_given; !given.empty()) {
    throw Error(Errc::bad_argument, given.front() + " is about rows, but --class names a class",
                "leave " + given.front() + " out");
  }
  return forget;
}

Command datasets_command(const Words& words) {
  DatasetsArguments datasets{.name = std::nullopt, .common = common_of(words)};
  if (!words.arguments.empty()) datasets.name = words.arguments[0];
  return datasets;
}

Command help_command(const Words& words) {
  if (words.arguments.empty()) return PrintArguments{help()};
  return PrintArguments{help(verb_text(words.arguments[0]))};
}

Command command_of(const std::string& verb, const Words& words) {
  if (verb == "fit") return fit_command(words);
  if (verb == "cluster") return cluster_command(words);
  if (verb == "predict") return predict_command(words);
  if (verb == "evaluate") return evaluate_command(words);
  if (verb == "score") return score_command(words);
  if (verb == "inspect") return inspect_command(words);
  if (verb == "sample") return sample_command(words);
  if (verb == "impute") return impute_command(words);
  if (verb == "stats") return stats_command(words);
  if (verb == "merge") return merge_command(words);
  if (verb == "forget") return forget_command(words);
  if (verb == "datasets") return datasets_command(words);
  return help_command(words);
}

}  // namespace

Command parse_command(const std::vector<std::string>& words) {
  if (words.empty())
    throw Error(Errc::bad_argument, "no verb is given",
                "begin with 'genera help', or with 'genera fit @iris'");
  const std::string& first = words.front();
  if (first == "--version") return PrintArguments{std::string("genera ") + version + '\n'};
  if (first == "--help" || first == "-h") return PrintArguments{help()};
  if (first.size() > 1 && first.front() == '-')
    throw Error(Errc::bad_argument, "'" + first + "' stands where a verb is expected",
                "write the verb first and its options after it; see 'genera help'");

  const VerbText& verb = verb_text(first);
  const Words rest = take_apart(verb, {words.begin() + 1, words.end()});
  if (rest.has("--help")) return PrintArguments{help(verb)};
  return command_of(verb.name, rest);
}

}  // namespace genera::cli
