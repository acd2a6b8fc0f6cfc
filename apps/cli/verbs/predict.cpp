#include "model_rows.hpp"
#include "options/common.hpp"
#include "options/decisions.hpp"
#include "options/model_file.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "row_answers.hpp"
#include "show/csv_output.hpp"
#include "show/evidence_output.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "values.hpp"

#include <genera/decisions.hpp>
#include <genera/explain.hpp>
#include <genera/query.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <span>

namespace genera::cli {
namespace {

VerbText predict_text() {
  std::vector<OptionText> decisions =
      decision_texts("leave the prediction empty if no class has probability P");
  decisions.push_back(
      {"--outlier", "P", "add the column outlier: 1 if the tail (see score) is below P"});
  return {"predict",
          "the class of each row",
          "Writes CSV with the column 'prediction', one line for each row of DATA. Columns are "
          "matched by name; other columns are ignored. With --json each row is a JSON object on "
          "its own line. Rows from a pipe are answered as they arrive.",
          {model_argument(), data_argument()},
          {{"Answers",
            {{"--proba", "", "add p(CLASS), the probability of each class"},
             {"--joint", "", "add logjoint(CLASS), log of prior times density"},
             {"--explain", "N",
              "add the N features that contribute most against the second-best class (and best, "
              "the most probable class, if another one may be chosen)"},
             digits_text(),
             keep_text()}},
           {"Decisions", std::move(decisions)},
           reading_texts(),
           common_texts("standard output")},
          {"genera fit @iris -o iris.json", "genera predict iris.json @iris",
           "genera predict iris.json @iris --proba --keep -o answers.csv",
           "genera predict iris.json @iris --explain 2",
           "genera predict iris.json @iris --priors setosa=0.2,versicolor=0.3,virginica=0.5 --json",
           "genera predict iris.json @iris --reject 0.9 --outlier 0.01",
           "genera predict iris.json @iris --priors estimate"}};
}

struct PredictArguments {
  std::string model;
  Source source;
  DecisionArguments decision;
  std::optional<double> outlier;
  bool proba = false;
  bool joint = false;
  Index explain = 0;  ///< number of features for each row; 0: none
  std::optional<int> digits;
  Common common;
};

std::optional<double> outlier_of(const Words& words) {
  if (const auto outlier = words.value("--outlier"))
    return parse_inner_probability("--outlier", *outlier);
  return std::nullopt;
}

PredictArguments predict_arguments(const Words& words) {
  return {.model = words.arguments[0],
          .source = source_of(words.arguments[1], words),
          .decision = decision_of(words),
          .outlier = outlier_of(words),
          .proba = words.has("--proba"),
          .joint = words.has("--joint"),
          .explain = parse_count("--explain", words.value("--explain")),
          .digits = digits_of(words),
          .common = common_of(words)};
}

/// Throws Error (bad_argument) if tails below `below` cannot be distinguished.
OutlierTail tail_below(JointRef model, double below, const Common& common) {
  OutlierTail tail(model, common.seed, {.threads = common.threads});
  if (tail.resolution() >= below)
    throw Error(Errc::bad_argument,
                fmt::format("--outlier is {}, but the tail of this model is estimated by drawing "
                            "from it and cannot be smaller than {:.2g}",
                            below, tail.resolution()),
                fmt::format("write a number above {:.2g}", tail.resolution()));
  return tail;
}

/// "3 of 150 rows (2%)"
std::string share_of_rows(Index part, Index rows) {
  const double percent =
      rows > 0 ? 100 * static_cast<double>(part) / static_cast<double>(rows) : 0.0;
  return fmt::format("{} of {} ({:.3g}%)", part, counted(rows, "row"), percent);
}

void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The inputs of predictions; they outlive the predictions.
struct Deciding {
  ClassifierRef model;
  const DecisionRule& rule;
  const std::optional<OutlierTail>& tail;  ///< with --outlier
};

/// Writes predictions. All threads share it, so only the counts change.
class Predictions {
 public:
  Predictions(const Deciding& deciding, const PredictArguments& arguments);

  [[nodiscard]] std::string header(const Table& table) const;
  [[nodiscard]] std::string lines(const Table& table);

  /// Reports the counts of all rows on standard error.
  void report(bool quiet) const;

 private:
  /// The answers for the rows of one chunk.
  struct Chunk {
    const Table& table;
    Answers answers;
    std::vector<std::int32_t> labels;  ///< -1: rejected
    std::vector<bool> outliers;
    std::vector<Explanation> reasons;
  };

  [[nodiscard]] bool only_labels() const;
  /// Whether the prediction may be another class than the most probable one.
  /// Features in the answers: a committee adds what remains between its members.
  [[nodiscard]] Index explained() const {
    return asked_.explain + (with_.model.committee() ? 1 : 0);
  }
  [[nodiscard]] bool names_best() const;
  [[nodiscard]] const std::string& label(std::int32_t k) const;
  [[nodiscard]] double written(double value) const { return with_digits(value, asked_.digits); }
  [[nodiscard]] Vector written(std::span<const double> values) const;
  void count(const MissingCells& missing);
  [[nodiscard]] std::string plain_lines(const Table& table);
  [[nodiscard]] Chunk ask(const Table& table);
  [[nodiscard]] std::string csv_lines(const Chunk& chunk) const;
  [[nodiscard]] std::string json_lines(const Chunk& chunk) const;

  Deciding with_;
  const PredictArguments& asked_;
  std::vector<std::string> labels_;  // as they are written
  std::string no_label_;
  std::atomic<Index> rows_ = 0, impossible_ = 0, rejected_ = 0, reviewed_ = 0, outliers_ = 0;
  std::atomic<Index> lacking_ = 0, missing_ = 0;
  UnseenTally unseen_;
};

Predictions::Predictions(const Deciding& deciding, const PredictArguments& arguments)
    : with_(deciding), asked_(arguments) {
  const bool json = asked_.common.json;
  for (const std::string& name : with_.model.classes())
    labels_.push_back(json ? json_string(name) : csv_cell(name));
  no_label_ = json ? "null" : csv_cell("");  // in quotes: an empty line would not be a row
}

std::string Predictions::header(const Table& table) const {
  const std::vector<std::string>& classes = with_.model.classes();
  std::vector<std::string> columns{"prediction"};
  if (asked_.outlier) columns.emplace_back("outlier");
  if (asked_.proba) append(columns, class_columns("p", classes));
  if (asked_.joint) append(columns, class_columns("logjoint", classes));
  if (asked_.explain > 0 && names_best()) columns.emplace_back("best");
  if (asked_.explain > 0) append(columns, explanation_columns(explained()));
  return csv_header(table, columns);
}

std::string Predictions::lines(const Table& table) {
  rows_ += table.rows();
  if (only_labels()) return plain_lines(table);
  const Chunk chunk = ask(table);
  return asked_.common.json ? json_lines(chunk) : csv_lines(chunk);
}

bool Predictions::only_labels() const {
  const bool decided = with_.rule.costs || with_.rule.reject || with_.tail;
  return !decided && !asked_.proba && !asked_.joint && !asked_.common.json && asked_.explain == 0;
}

bool Predictions::names_best() const { return with_.rule.costs || with_.rule.reject; }

const std::string& Predictions::label(std::int32_t k) const {
  return k < 0 ? no_label_ : labels_[static_cast<std::size_t>(k)];
}

Vector Predictions::written(std::span<const double> values) const {
  Vector rounded;
  for (const double value : values) rounded.push_back(written(value));
  return rounded;
}

void Predictions::count(const MissingCells& missing) {
  lacking_ += missing.rows;
  missing_ += missing.cells;
}

std::string Predictions::plain_lines(const Table& table) {
  const Decisions decisions = decide(with_.model, table);
  impossible_ += decisions.impossible;
  unseen_.add(with_.model, table, decisions.unseen);
  count(decisions.missing);
  CsvWriter rows;
  for (Index i = 0; i < table.rows(); ++i) {
    rows.begin(table, i);
    rows.cell(label(decisions.labels[static_cast<std::size_t>(i)]));
    rows.end();
  }
  return rows.take();
}

Predictions::Chunk Predictions::ask(const Table& table) {
  const bool tails = with_.tail.has_value();
  const WantedAnswers wanted{.log_joint = asked_.joint || asked_.explain > 0,
                             .distances = tails,
                             .log_density = tails,
                             .posterior = true,
                             .labels = true,
                             .log_posterior = asked_.explain > 0};
  Chunk chunk{table, genera::answers(with_.model, table, wanted), {}, {}, {}};
  chunk.labels = decide(chunk.answers, with_.rule);
  if (with_.tail)
    for (const double tail : (*with_.tail)(table, chunk.answers))
      chunk.outliers.push_back(tail < *asked_.outlier);
  if (asked_.explain > 0)
    chunk.reasons = explain(with_.model, table, chunk.answers, asked_.explain);
  impossible_ += chunk.answers.impossible;
  unseen_.add(with_.model, table, chunk.answers.unseen);
  count(chunk.answers.missing);
  rejected_ += std::ranges::count(chunk.labels, -1);
  if (with_.rule.costs && with_.rule.costs->offers_review())
    reviewed_ += std::ranges::count(decide(chunk.answers, {.costs = with_.rule.costs}), -1);
  outliers_ += std::ranges::count(chunk.outliers, true);
  return chunk;
}

std::string Predictions::csv_lines(const Chunk& chunk) const {
  CsvWriter rows;
  for (Index i = 0; i < chunk.table.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    rows.begin(chunk.table, i);
    rows.cell(label(chunk.labels[at]));
    if (asked_.outlier) rows.cell(chunk.outliers[at] ? "1" : "0");
    if (asked_.proba)
      for (const double p : chunk.answers.posterior.row(i)) rows.cell(written(p));
    if (asked_.joint)
      for (const double l : chunk.answers.log_joint.row(i)) rows.cell(written(l));
    if (asked_.explain > 0) {
      if (names_best()) rows.cell(label(chunk.reasons[at].best));
      add_cells(chunk.reasons[at], explained(), with_.model.classes(), rows);
    }
    rows.end();
  }
  return rows.take();
}

std::string Predictions::json_lines(const Chunk& chunk) const {
  std::string text;
  for (Index i = 0; i < chunk.table.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    text += "{\"prediction\": " + label(chunk.labels[at]);
    if (asked_.outlier) text += chunk.outliers[at] ? ", \"outlier\": true" : ", \"outlier\": false";
    if (asked_.proba)
      append_json_members(text, "p", labels_, written(chunk.answers.posterior.row(i)));
    if (asked_.joint)
      append_json_members(text, "logjoint", labels_, written(chunk.answers.log_joint.row(i)));
    if (asked_.explain > 0) {
      if (names_best()) text += ", \"best\": " + label(chunk.reasons[at].best);
      append_json(chunk.reasons[at], with_.model.classes(), text);
    }
    text += "}\n";
  }
  return text;
}

void Predictions::report(bool quiet) const {
  const Report report(quiet);
  if (with_.rule.reject)
    report.note(fmt::format("{} rejected: no class has a probability of {} or more",
                            share_of_rows(rejected_ - reviewed_, rows_), *with_.rule.reject));
  if (with_.rule.costs && with_.rule.costs->offers_review())
    report.note(fmt::format("{} left for review: it costs less than any class",
                            share_of_rows(reviewed_, rows_)));
  if (asked_.outlier)
    report.note(fmt::format("{} flagged as outliers: the tail is below {}",
                            share_of_rows(outliers_, rows_), *asked_.outlier));
  if (with_.tail && lacking_ > 0 && with_.tail->resolution_with_missing() >= *asked_.outlier)
    report.warning(
        fmt::format("{} cannot be flagged: {} tail is estimated by drawing from the model and "
                    "cannot be smaller than {:.2g}",
                    counted(lacking_, "row that lacks a cell", "rows that lack a cell"),
                    lacking_ == 1 ? "its" : "their", with_.tail->resolution_with_missing()));
  if (with_.tail && with_.tail->resolution_so_far() > with_.tail->resolution_with_missing() &&
      with_.tail->resolution_so_far() >= *asked_.outlier)
    report.warning(fmt::format(
        "the longest rows cannot be flagged: their tail is estimated by fewer draws and cannot be "
        "smaller than {:.2g}",
        with_.tail->resolution_so_far()));
  note_missing(quiet, {lacking_, missing_});
  warn_unseen(quiet, unseen_.cells(), unseen_.levels());
  if (impossible_ > 0)
    report.warning(fmt::format("{} impossible under every class; {} the prior",
                               counted(impossible_, "row is", "rows are"),
                               impossible_ == 1 ? "it gets" : "they get"));
}

void refuse_what_needs_density(ClassifierRef model, const PredictArguments& arguments) {
  if (model.has_density() || !(arguments.joint || arguments.outlier)) return;
  const std::string option = arguments.joint ? "--joint" : "--outlier";
  const LinearModel* linear = model.linear();
  if (!linear)
    throw Error(Errc::bad_model,
                fmt::format("{}: no member of the committee has a density", arguments.model),
                "leave " + option + " out");
  throw Error(Errc::bad_model,
              fmt::format("{}: {} is a scorer, not a density: it has no {}", arguments.model,
                          name_of(linear->kind()), option),
              fmt::format("leave {} out, or use --model {}", option,
                          generative_counterpart(linear->kind())));
}

void run_predict(const Words& words) {
  const PredictArguments arguments = predict_arguments(words);
  const Common& common = arguments.common;
  const DecisionArguments& decision = arguments.decision;
  refuse_output_onto(common, {arguments.model, arguments.source.data, decision.costs.value_or("")});
  const Classifier loaded =
      load_with_priors(arguments.model, arguments.source.data, decision.priors.given);
  refuse_what_needs_density(loaded, arguments);
  const DecisionRule rule = rule_for(loaded, decision, common);
  RowStream rows = rows_for(loaded, arguments.source, Purpose::predict,
                            decision.priors.estimate ? Passes::many : Passes::one);
  const Classifier model = with_priors_of(loaded, rows, decision, common);
  std::optional<OutlierTail> tail;
  if (arguments.outlier) tail = tail_below(*JointRef::of(model), *arguments.outlier, common);

  Predictions predictions({model, rule, tail}, arguments);
  answer_rows(rows,
              {.header = [&](const Table& table) { return predictions.header(table); },
               .lines = [&](const Table& table) { return predictions.lines(table); }},
              common);
  predictions.report(common.quiet);
}

}  // namespace

Verb predict_verb() { return {predict_text(), run_predict}; }

}  // namespace genera::cli
