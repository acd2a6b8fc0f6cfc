#include "lists.hpp"
#include "options/common.hpp"
#include "options/model.hpp"
#include "options/model_file.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "options/terms.hpp"
#include "pairs.hpp"
#include "show/curves.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "values.hpp"

#include <genera/curves.hpp>
#include <genera/io.hpp>
#include <genera/sample.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace genera::cli {
namespace {

/// Whether compare sets this option of fit itself.
bool is_decided(const OptionText& option) {
  const std::vector<std::string> decided{"--model",  "--components", "--covariance",
                                         "--starts", "--terms",      "--on-singular"};
  return std::ranges::find(decided, option.names) != decided.end();
}

OptionGroup compared_texts() {
  return {"Comparison",
          {{"--pairs", "A-B,…",
            "which models: dlda-logistic, lda-logistic, gnb-squares, qda-quadratic, "
            "bernoulli-logistic, categorical-logistic, multinomial-logistic, …; logistic, squares "
            "and quadratic are softmax regressions; a model alone gets its counterpart (default: "
            "dlda-logistic,lda-logistic; without numbers multinomial-logistic or "
            "categorical-logistic)"},
           {"--sizes", "M,…",
            "numbers of training rows (default: 10, 20, 50, … up to two thirds of the rows and "
            "2000)"},
           {"--repeats", "R", "random splits into training and test rows (default 100)"},
           {"--classes", "A,B", "only rows of these classes"},
           {"--missing-share", "S",
            "remove this share of the cells at random: generative models marginalise them, "
            "discriminative ones get the means of the training rows instead"},
           {"--from", "MODEL", "draw the rows from this model instead of reading DATA"},
           {"--dimensions", "P,…",
            "of --from: how many of its columns, the first ones (default: 2, 4, 8, … up to all)"},
           {"--within", "E",
            "of --from: how near to its limit for very many rows an error must come (default "
            "0.02)"}}};
}

VerbText compare_text() {
  OptionGroup fitting = model_texts();
  std::erase_if(fitting.options, is_decided);
  fitting.title = "Models (each takes the options that it has)";
  for (OptionText& option : fitting.options) {
    if (option.names == "--ridge")
      option.text =
          "of logistic: penalty, half of it times the squared coefficients (default: the best of "
          "0.01, 0.1, 1, 10, 100 by 5 folds within each training sample)";
  }
  const OptionText drop_missing{
      "--missing", "HOW",
      "rows with missing values: em fits generative models to the observed values, and other "
      "models refuse; drop leaves the rows out (default: em)"};
  OptionGroup columns = columns_texts(drop_missing);
  std::erase_if(columns.options, [](const OptionText& option) {
    return option.names == "--weights" || option.names == "--counts";
  });
  ArgumentText data = data_argument();
  data.min = 0;
  return {
      "compare",
      "generative against discriminative models, by the number of training rows",
      "Fits each model to random samples of the rows and tests it on all other rows. Prints, for "
      "each number of training rows, the mean error and log loss with standard errors, the joint "
      "and conditional log-likelihoods and the numbers of free parameters, and where the curves of "
      "each pair cross, with a bootstrap interval over the repeats. All models get the same "
      "samples; samples that lack a class are drawn again; columns that are constant in a sample "
      "are ignored; covariances that are singular in it are shrunk, and counted. With --from, rows "
      "are drawn from a known model, and the table shows how many rows each model needs to "
      "approach its asymptotic error as the number of columns grows. All rows are kept in memory.",
      {data},
      {compared_texts(), fitting, terms_texts(), columns, reading_texts(),
       common_texts("standard output")},
      {"genera compare @breast_cancer --repeats 20 --ridge 1",
       "genera compare @iris --pairs gnb,qda --sizes 15,30,60 --repeats 10 --json",
       "genera compare @digits --classes 2,3 --pairs dlda --repeats 10 --ridge 0.02",
       "genera compare @wine --pairs lda --missing-share 0.2 --repeats 5 --ridge 1",
       "genera fit @sonar --model dlda -o sonar.json",
       "genera compare --from sonar.json --pairs dlda --dimensions 2,8 --repeats 3 --ridge 1"}};
}

struct CompareArguments {
  std::vector<ModelPair> pairs;  ///< empty: the default for the data
  std::vector<std::string> classes;
  CurveOptions options;
  std::optional<std::string> from;
  DimensionOptions dimensions;
  Common common;
};

std::vector<Index> parse_whole_numbers(const std::string& option, const Words& words) {
  std::vector<Index> numbers;
  for (const std::string& item : split_lists(option, words.values(option)))
    numbers.push_back(parse_whole_number(option, item, 1));
  return numbers;
}

/// Checks that either data or a model to draw from is given, with its own options only.
void check_source(const Words& words) {
  const bool from = words.has("--from");
  if (!from && words.arguments.empty())
    throw Error(Errc::bad_argument, "'compare' needs DATA, or --from MODEL",
                "name a table, as in 'genera compare @breast_cancer'");
  if (from && !words.arguments.empty())
    throw Error(Errc::bad_argument, "rows are either read from DATA or drawn with --from",
                "leave '" + words.arguments[0] + "' or --from out");
  for (const char* option : {"--dimensions", "--within"}) {
    if (words.has(option) && !from)
      throw Error(Errc::bad_argument, std::string(option) + " is about rows drawn with --from",
                  "add --from MODEL, or leave it out");
  }
  for (const char* option :
       {"--classes", "--target", "--features", "--drop", "--type", "--missing"}) {
    if (words.has(option) && from)
      throw Error(Errc::bad_argument, std::string(option) + " is about DATA, but rows are drawn",
                  "leave " + std::string(option) + " or --from out");
  }
}

CurveOptions curve_options(const Words& words, std::uint64_t seed) {
  CurveOptions options{.sizes = parse_whole_numbers("--sizes", words), .seed = seed};
  if (const auto repeats = words.value("--repeats"))
    options.repeats = parse_whole_number("--repeats", *repeats, 1);
  if (!words.has("--ridge")) options.ridges = default_ridges();
  if (const auto share = words.value("--missing-share"))
    options.missing_share = parse_probability("--missing-share", *share);
  validate(options);
  return options;
}

CompareArguments compare_arguments(const Words& words) {
  check_source(words);
  CompareArguments compare{.pairs = parse_pairs(split_lists("--pairs", words.values("--pairs"))),
                           .classes = split_lists("--classes", words.values("--classes")),
                           .options = {},
                           .from = words.value("--from"),
                           .dimensions = {},
                           .common = common_of(words)};
  compare.options = curve_options(words, compare.common.seed);
  if (compare.classes.size() == 1)
    throw Error(Errc::bad_argument, "--classes names one class only: nothing can be told apart",
                "name at least two, as in --classes 2,3");
  compare.dimensions.dimensions = parse_whole_numbers("--dimensions", words);
  if (const auto within = words.value("--within"))
    compare.dimensions.within = parse_inner_probability("--within", *within);
  if (!compare.pairs.empty()) check_pairs(compare.pairs, words);
  return compare;
}

std::string comparison_json(const std::string& data, const Comparison& found) {
  Facts all{{"data", data}};
  append(all, facts(found));
  return json_document(all);
}

void compare_data(CompareArguments arguments, const Words& words) {
  const Common& common = arguments.common;
  const Source source = source_of(words.arguments[0], words);
  refuse_output_onto(common, {source.data});
  if (looks_like_statistics(source.data))
    throw Error(Errc::bad_argument,
                "compare needs the rows, but '" + source.data + "' holds statistics",
                "give the table itself");
  arguments.options.missing = source.missing.value_or(Missing::em);
  Tables tables(words, common);
  if (arguments.pairs.empty()) {
    arguments.pairs = default_pairs(tables.untyped());
    check_pairs(arguments.pairs, words);
  }
  const Contenders all = contenders_of(arguments.pairs, arguments.classes, words, tables);
  LearningCurves curves;
  std::vector<std::string> said;
  {
    ProgressLine progress(common.quiet, tables.notes());
    curves = learning_curves(all.rows, all.candidates, arguments.options,
                             progress.control(common.threads));
    said = progress.said();
  }
  const Report report(common.quiet);
  report.notes(tables.notes(), said);
  const Comparison found = compare(std::move(curves), all.pairs, arguments.options);
  report.notes(found.notes);
  write_output(
      common, common.json ? comparison_json(source.data, found) : curves_text(found.parts.front()));
}

/// 2, 4, 8, … and all.
std::vector<Index> doubling(Index max) {
  std::vector<Index> dimensions;
  for (Index p = std::min<Index>(2, max); p < max; p *= 2) dimensions.push_back(p);
  dimensions.push_back(max);
  return dimensions;
}

void compare_drawn(CompareArguments arguments, const Words& words) {
  const Common& common = arguments.common;
  refuse_output_onto(common, {*arguments.from});
  const Model model =
      density_of(load_classifier(*arguments.from), *arguments.from, "nothing can be drawn");
  if (arguments.dimensions.dimensions.empty())
    arguments.dimensions.dimensions = doubling(std::ssize(model.features()));
  if (arguments.pairs.empty()) {
    arguments.pairs = default_pairs(sample(model, 0, Rng(common.seed)));
    check_pairs(arguments.pairs, words);
  }
  const Contenders all = contenders_of(arguments.pairs, words);
  std::vector<DimensionCurves> curves;
  {
    ProgressLine progress(common.quiet);
    curves = dimension_curves(model, all.candidates, arguments.dimensions, arguments.options,
                              progress.control(common.threads));
  }
  const Comparison found =
      compare(std::move(curves), all.pairs, arguments.options, arguments.dimensions.within);
  Report(common.quiet).notes(found.notes);
  write_output(common,
               common.json ? comparison_json(*arguments.from, found) : dimensions_text(found));
}

void run_compare(const Words& words) {
  const CompareArguments arguments = compare_arguments(words);
  arguments.from ? compare_drawn(arguments, words) : compare_data(arguments, words);
}

}  // namespace

Verb compare_verb() { return {compare_text(), run_compare}; }

}  // namespace genera::cli
