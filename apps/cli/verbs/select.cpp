#include "candidates.hpp"
#include "lists.hpp"
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
#include "show/text_table.hpp"
#include "values.hpp"

#include <genera/io.hpp>
#include <genera/select.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace genera::cli {
namespace {

VerbText select_text() {
  OptionGroup fitting = model_texts();
  std::erase_if(fitting.options, [](const OptionText& option) {
    return option.names == "--model" || option.names == "--alpha" || option.names == "--gamma";
  });
  fitting.title = "Models (each takes the options that it has)";
  fitting.options.push_back(option_text("unlabelled_weight"));
  fitting.options.back().text = "weight of a row without a label (default: 0)";
  return {
      "select",
      "choose the model with the best predictions of held-out rows",
      "Fits each candidate to a part of the rows, predicts the others, and prints the log loss "
      "(mean of -log p(truth); lower is better) with its standard error, the error rate and the "
      "Brier score. Rows are held out in folds, the same for all candidates, or one by one with "
      "--loo, which is exact and in closed form for the Gaussian family and for categories, counts "
      "and text; models without a closed form are judged by folds, as a note states. For rda, a "
      "grid of alpha and gamma is tried. The table has the best candidate of each model, --json "
      "all candidates. With -o the best model is fitted to all rows and saved. All rows are kept "
      "in memory.",
      {data_argument()},
      {{"Choice",
        {{"--models", "A,B",
          "models to try, named as in --model of fit (default: gnb,dlda,lda,qda,rda; without "
          "numbers multinomial,bernoulli or categorical)"},
         {"--folds", "K", "number of folds, stratified by class (default: 10)"},
         {"--loo", "", "leave out one row at a time instead"},
         {"--loo-priors",
          "HOW",
          "priors of --loo: refit without the row, or full, those of all rows (default: refit)",
          {"refit", "full"}},
         {"--metric", "NAME", "log_loss (default) or error", {"log_loss", "error"}},
         {"--grid", "NAME=VALUES",
          "values to try of alpha, gamma (rda; default 0:1:0.1 and 0:1:0.2), shrinkage (qda, lda), "
          "smoothing or ridge: a list 0.1,1,10 or FIRST:LAST:STEP (repeatable)"}}},
       fitting,
       terms_texts(),
       columns_texts(option_text("missing")),
       reading_texts(),
       common_texts("do not save a model")},
      {"genera select @wine", "genera select @iris --models lda,qda,gnb --loo --json",
       "genera select @crabs --models rda --grid alpha=0:1:0.25 --grid gamma=0 -o crabs.json",
       "genera select @house_votes84 --models categorical --grid smoothing=0.1,1,10"}};
}

struct SelectArguments {
  std::vector<std::string> models;  ///< empty: the default for the data
  OptionGrid grid;
  SelectOptions options;
  bool loo = false;
  Metric metric = Metric::log_loss;
  Common common;
};

SelectArguments select_arguments(const Words& words) {
  SelectArguments select{.models = split_lists("--models", words.values("--models")),
                         .grid = parse_grid(words.values("--grid")),
                         .options = {},
                         .loo = words.has("--loo"),
                         .common = common_of(words)};
  select.options.seed = select.common.seed;
  if (const auto folds = words.value("--folds"))
    select.options.folds = parse_whole_number("--folds", *folds, 2);
  if (const auto priors = words.value("--loo-priors")) {
    if (!select.loo)
      throw Error(Errc::bad_argument, "--loo-priors is about leaving out one row at a time",
                  "add --loo, or leave --loo-priors out");
    select.options.loo_priors = choose<LooPriors>(
        "--loo-priors", *priors, {{"refit", LooPriors::refit}, {"full", LooPriors::full}});
  }
  if (const auto metric = words.value("--metric"))
    select.metric = choose<Metric>("--metric", *metric,
                                   {{"log_loss", Metric::log_loss}, {"error", Metric::error}});
  if (const auto weight = words.value("--unlabelled-weight"))
    select.options.fit.unlabelled_weight = parse_number("--unlabelled-weight", *weight);
  return select;
}

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

/// The best candidate of each model, the best first; then models without a usable candidate.
std::string candidates_table(const Candidates& all, const Selection& selection,
                             const std::vector<std::size_t>& ranking) {
  TextCells cells{{"model", "log loss", "se", "error rate", "errors", "Brier", "judged by"}};
  std::vector<std::string> shown;
  for (const std::size_t c : ranking) {
    const HeldOut& found = selection.candidates[c];
    if (is_one_of(all.points[c].model, shown)) continue;
    shown.push_back(all.points[c].model);
    cells.push_back({all.candidates[c].name, fmt::format("{:.5g}", found.log_loss),
                     fmt::format("{:.2g}", found.log_loss_se),
                     fmt::format("{:.4f}", found.error_rate), std::to_string(found.errors),
                     fmt::format("{:.5g}", found.brier), std::string(name_of(found.method))});
  }
  std::string text = text_table(cells);
  for (std::size_t c = 0; c < all.points.size(); ++c) {
    if (is_one_of(all.points[c].model, shown)) continue;
    shown.push_back(all.points[c].model);
    text += all.candidates[c].name + ": cannot be used: " + selection.candidates[c].why_not + '\n';
  }
  return text;
}

/// The choice, and its lead.
std::string verdict(const SelectArguments& arguments, const Candidates& all,
                    const Selection& selection, const std::vector<std::size_t>& ranking) {
  const std::size_t best = ranking.front();
  std::string text =
      "best of " + std::to_string(all.points.size()) + ": " + all.candidates[best].name;
  const auto next = std::ranges::find_if(
      ranking, [&](std::size_t c) { return all.points[c].model != all.points[best].model; });
  if (next == ranking.end()) return text + '\n';
  const std::string& other = all.candidates[*next].name;
  if (arguments.metric == Metric::error)
    return text +
           fmt::format(", {} errors fewer than {}\n",
                       selection.candidates[*next].errors - selection.candidates[best].errors,
                       other);
  const Selection::Difference ahead = selection.difference(*next, best);
  return text + fmt::format(", ahead of {} by {:.3g} in log loss (standard error {:.2g})\n", other,
                            ahead.mean, ahead.se);
}

/// The chosen model, fitted to all rows, with the notes of reading them.
Classifier with_notes_of(const std::vector<Note>& reading, const Fitted<Classifier>& fitted) {
  std::vector<std::string> notes;
  for (const Note& note : reading) notes.push_back(in_words(note));
  for (const Note& note : fitted.report.notes) notes.push_back(in_words(note));
  return std::visit([&](const auto& model) { return Classifier(model.with_notes(notes)); },
                    fitted.model);
}

void save_winner(const SelectArguments& arguments, const Tables& tables, const Candidates& all,
                 std::size_t best, const Source& source) {
  const Common& common = arguments.common;
  const Candidate& winner = all.candidates[best];
  ProgressLine progress(common.quiet);
  const Fitted<Classifier> fitted =
      fit(winner.rows ? *winner.rows : Rows(*all.table), winner.recipe, arguments.options.fit,
          progress.control(common.threads));
  save(remembering(with_notes_of(tables.notes(), fitted), source, tables.fingerprint()),
       *common.output);
  const Report report(common.quiet);
  report.notes(fitted.report.notes);
  report.note(headline(fitted.model, weights_of(source.roles)));
}

void run_select(const Words& words) {
  SelectArguments arguments = select_arguments(words);
  const Common& common = arguments.common;
  const Source source = source_of(words.arguments[0], words);
  refuse_output_onto(common, {source.data});
  if (looks_like_statistics(source.data))
    throw Error(Errc::bad_argument,
                "select needs the rows, but '" + source.data + "' holds statistics",
                "give the table itself");
  arguments.options.fit.missing = source.missing.value_or(Missing::em);
  Tables tables(words, common);
  const Candidates all = candidates_of(arguments.models, arguments.grid, words, tables);
  Selection selection;
  std::vector<std::string> said;
  {
    ProgressLine progress(common.quiet, tables.notes());
    const Control control = progress.control(common.threads);
    selection = arguments.loo
                    ? leave_one_out(*all.table, all.candidates, arguments.options, control)
                    : cross_validate(*all.table, all.candidates, arguments.options, control);
    said = progress.said();
  }
  const Report report(common.quiet);
  report.notes(tables.notes(), said);
  report.notes(all_notes(selection, all.points));
  require_usable(selection, all.candidates);
  const std::vector<std::size_t> ranking = selection.ranking(arguments.metric);
  Common to_stdout = common;
  to_stdout.output.reset();
  write_output(to_stdout, common.json
                              ? json_document(facts(selection, all.points, arguments.metric))
                              : candidates_table(all, selection, ranking) +
                                    verdict(arguments, all, selection, ranking));
  if (common.output) save_winner(arguments, tables, all, ranking.front(), source);
}

}  // namespace

Verb select_verb() { return {select_text(), run_select}; }

}  // namespace genera::cli
