#include "model_rows.hpp"
#include "options/common.hpp"
#include "options/model.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "options/terms.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "show/summary.hpp"

#include <genera/fit_auto.hpp>
#include <genera/io.hpp>
#include <genera/select.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace genera::cli {
namespace {

VerbText fit_text() {
  OptionGroup model_group = model_texts();
  for (const char* name : {"unlabelled_weight", "calibrate", "simple", "fast", "no_rows", "folds"})
    model_group.options.push_back(option_text(name));
  return {
      "fit",
      "learn a model from a table or from statistics",
      "Learns a prior and a density of the features for each class: numbers make a Gaussian "
      "block, categories and two-valued columns are taken one by one, texts are counts of words. "
      "Without --model, the model with the lowest 10-fold log loss is chosen: gnb (also with "
      "--variance-prior), dlda, lda, qda or rda; for texts, and for counts that are mostly 0, "
      "multinomial or bernoulli, and smoothing; columns of at most ten whole numbers as numbers or "
      "as categories; or a committee of several that pools their probabilities, where this is "
      "clearly "
      "better than each alone (--model best never does, --simple rarely). "
      "With more than 20,000 labelled rows (1,000 if numbers are missing), the choice is made on a "
      "stratified random sample of them. "
      "Training log-likelihood, AIC and BIC are reported if they need no extra pass (numbers and "
      "categories, not counts, texts and mixtures). "
      "DATA may also be a file of statistics (see stats); options about rows and columns are "
      "refused then. With -o the model is saved, else its summary is printed, as inspect does.",
      {data_argument()},
      {model_group, terms_texts(), columns_texts(option_text("missing")), reading_texts(),
       common_texts("print the summary")},
      {"genera fit @iris", "genera fit @iris --model qda -o iris.json",
       "genera fit @wine --model rda --alpha 0.2 --gamma 0.1 --priors uniform -o wine.json",
       "genera fit @iris --features petal_length,petal_width --calibrate none --json",
       "genera fit @penguins -o penguins.json", "genera fit @penguins --missing drop",
       "genera fit @vowel_train --model mda --components 1-3 --covariance tied -o vowel.json",
       "genera fit @lenses --model categorical --smoothing 0.5",
       "genera fit @wine --model logistic --ridge 0.1",
       "genera fit @sonar --model lda --calibrate temperature -o sonar.json"}};
}

struct FitArguments {
  Source source;
  FitSpec spec;
  bool named = false;  ///< whether --model is given
  bool from_statistics = false;
  Common common;
};

/// Without --model, a model is chosen; statistics are not sufficient for that.
FitArguments fit_arguments(Words words) {
  const bool from_statistics = looks_like_statistics(words.arguments[0]);
  if (!words.has("--model") && !from_statistics) words.options["--model"] = {"auto"};
  FitArguments fit{.source = source_of(words.arguments[0], words),
                   .spec = spec_of(words),
                   .named = words.has("--model"),
                   .from_statistics = from_statistics,
                   .common = common_of(words)};
  if (words.has("--unlabelled-weight"))
    fit.source.options_given.emplace_back("--unlabelled-weight");
  return fit;
}

void refuse_what_needs_rows(const FitArguments& arguments) {
  const std::string& file = arguments.source.data;
  if (!arguments.source.options_given.empty()) {
    const std::string& option = arguments.source.options_given.front();
    throw Error(Errc::bad_argument, option + " needs the rows, but '" + file + "' holds statistics",
                "give " + option + " to 'genera stats' when the statistics are made");
  }
  if (arguments.spec.automatic)
    throw Error(Errc::bad_argument,
                "--model " + arguments.spec.model + " needs the rows again, but '" + file +
                    "' holds statistics",
                "name a model, such as --model lda, or fit the table itself");
  if (arguments.spec.calibrate)
    throw Error(Errc::bad_argument,
                "--calibrate temperature needs the rows again, but '" + file + "' holds statistics",
                "use --calibrate none, or fit the table itself");
  const auto* recipe = std::get_if<Recipe>(&arguments.spec.recipe);
  if (recipe && recipe->mixture)
    throw Error(Errc::bad_argument,
                "--model mda needs the rows again, but '" + file + "' holds statistics",
                "use --model qda, or fit the table itself");
  const auto* linear = std::get_if<LinearRecipe>(&arguments.spec.recipe);
  if (linear && std::holds_alternative<LogisticOptions>(linear->options))
    throw Error(Errc::bad_argument,
                "--model logistic needs the rows again, but '" + file + "' holds statistics",
                "use --model lda, or fit the table itself");
  if (recipe && recipe->gaussian.shrinkage.kind == Shrinkage::Kind::lw)
    throw Error(Errc::bad_argument,
                "--shrinkage lw needs the rows again, but '" + file + "' holds statistics",
                "use --shrinkage oas, or fit the table itself");
}

/// The statistics already determine the types of the columns.
void refuse_other_types(const FitArguments& arguments, const Statistics& statistics) {
  const auto every = arguments.source.roles.default_type;
  const bool words =
      every == ColumnType::categorical && !statistics.schema().names_of(ColumnType::text).empty();
  if (words)
    throw Error(Errc::bad_argument,
                "--model " + arguments.spec.model + " has no texts, but the statistics keep '" +
                    statistics.schema().names_of(ColumnType::text).front() + "' as text",
                "make the statistics with --model " + arguments.spec.model);
  if (!every || statistics.columns().empty()) return;
  throw Error(Errc::bad_argument,
              "--model " + arguments.spec.model + " has no numbers, but the statistics keep '" +
                  statistics.columns().front() + "' as numeric",
              "make the statistics with --model " + arguments.spec.model);
}

struct Learned {
  Fitted<Classifier> fitted;
  Weights weights;
  std::vector<std::string> said{};  ///< notes that were announced
};

bool is_weighted(const Statistics& statistics) {
  return std::ranges::any_of(statistics.classes(), [](const ClassStatistics& entry) {
    return entry.weight != static_cast<double>(entry.rows);
  });
}

/// Fits the temperature to a sample of the rows that determines it to a few per cent.
Fitted<Classifier> calibrated(Fitted<Classifier> fitted, RowStream& rows,
                              const FitArguments& arguments, const Control& control) {
  constexpr Index max_rows = 20000;
  const std::uint64_t seed = arguments.common.seed;
  const RowSample sample = read_sample(rows, max_rows, seed, control);
  if (sample.rows.rows() < sample.of)
    fitted.report.notes.push_back(
        {fmt::format("calibrated on a sample of {} of {} rows", sample.rows.rows(), sample.of)});
  SelectOptions select{.folds = arguments.spec.folds, .seed = seed, .fit = arguments.spec.fit};
  if (fitted.report.unlabelled_weight)
    select.fit.unlabelled_weight = fitted.report.unlabelled_weight;
  if (select.fit.unlabelled_weight) *select.fit.unlabelled_weight *= sample.unlabelled_scale();
  return calibrate(std::move(fitted), sample.rows, arguments.spec.recipe, select, control);
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

/// The order of the columns, in which sample writes rows.
Fitted<Classifier> in_order_of(const std::vector<Column>& columns, Fitted<Classifier> fitted) {
  if (const auto* model = std::get_if<Model>(&fitted.model))
    fitted.model = Model(model->with_column_order(names_of(columns)));
  else if (const auto* committee = std::get_if<Committee>(&fitted.model))
    fitted.model = Committee(committee->with_column_order(names_of(columns)));
  return fitted;
}

Learned learned_from_statistics(const FitArguments& arguments) {
  refuse_what_needs_rows(arguments);
  const Statistics statistics = load_statistics(arguments.source.data);
  refuse_other_types(arguments, statistics);
  Fitted<Classifier> fitted = estimate(statistics, arguments.spec.recipe);
  if (!arguments.named)
    fitted.report.notes.push_back(
        {"statistics keep too little to choose a model by: it is lda unless you name another"});
  return {in_order_of(statistics.schema().features, std::move(fitted)),
          is_weighted(statistics) ? Weights::given : Weights::rows};
}

Fitted<Classifier> fitted_to(RowStream& rows, const FitArguments& arguments,
                             const Control& control) {
  const FitSpec& spec = arguments.spec;
  if (spec.automatic)
    return fit_auto(rows,
                    {.base = std::get<Recipe>(spec.recipe),
                     .smoothing_given = spec.smoothing_given,
                     .fit = spec.fit,
                     .folds = spec.folds,
                     .seed = arguments.common.seed,
                     .calibrate = spec.calibrate,
                     .pool = spec.pool,
                     .simple = spec.simple,
                     .fast = spec.fast,
                     .keep_rows = spec.keep_rows},
                    control)
        .fitted;
  refuse_unfit_types(spec.model, rows.columns());
  Fitted<Classifier> fitted = fit_weighing_unlabelled(
      rows, spec.recipe, {.folds = spec.folds, .seed = arguments.common.seed, .fit = spec.fit},
      control);
  return spec.calibrate ? calibrated(std::move(fitted), rows, arguments, control) : fitted;
}

Learned learn(const FitArguments& arguments) {
  const Source& source = arguments.source;
  if (arguments.from_statistics) return learned_from_statistics(arguments);
  RowStream rows(source.rows(), source.csv, source.roles);
  const bool in_summary = !arguments.common.output && !goes_to_terminal(arguments.common);
  ProgressLine progress(arguments.common.quiet, in_summary ? std::vector<Note>{} : rows.notes());
  Fitted<Classifier> fitted =
      fitted_to(rows, arguments, progress.control(arguments.common.threads));
  fitted.model = remembering(fitted.model, source, rows.fingerprint());
  return {in_order_of(rows.columns(), std::move(fitted)), weights_of(source.roles),
          progress.said()};
}

void run_fit(const Words& words) {
  const FitArguments arguments = fit_arguments(words);
  const Common& common = arguments.common;
  refuse_output_onto(common, {arguments.source.data});
  const auto [fitted, weights, said] = learn(arguments);
  const std::vector<Note>& notes = fitted.report.notes;
  const std::optional<TrainingFit> training = training_fit(fitted);
  if (!common.output) {
    const Classifier shown =
        std::visit([&](const auto& model) { return Classifier(model.with_notes(typed(notes))); },
                   fitted.model);
    write_output(common,
                 common.json ? json_document(facts(shown, training)) : summary(shown, training));
    return;
  }
  save(fitted.model, *common.output);
  const Report report(common.quiet);
  report.notes(notes, said);
  if (training) report.note(in_a_line(*training));
  report.note(headline(fitted.model, weights));
}

}  // namespace

Verb fit_verb() { return {fit_text(), run_fit}; }

}  // namespace genera::cli
