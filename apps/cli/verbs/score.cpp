#include "model_rows.hpp"
#include "options/common.hpp"
#include "options/model_file.hpp"
#include "options/priors.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "row_answers.hpp"
#include "show/csv_output.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"

#include <genera/error.hpp>
#include <genera/query.hpp>

#include <fmt/format.h>

#include <atomic>

namespace genera::cli {
namespace {

VerbText score_text() {
  return {
      "score",
      "density and outlier score of each row",
      "Writes CSV with log_density (log p(x); a density, so it may be positive), tail (the "
      "probability that a row lies at least as far out: small values mean outliers) and d2(CLASS), "
      "the squared Mahalanobis distance to each class if the model has numbers. A row with missing "
      "values is compared with rows that lack the same values, a text or a row of counts with rows "
      "of its length. With --json each row is a JSON object on its own line.",
      {model_argument(), data_argument()},
      {{"Answers", {digits_text(), keep_text(), priors_text()}},
       reading_texts(),
       common_texts("standard output")},
      {"genera fit @wine --model qda -o wine.json", "genera score wine.json @wine",
       "genera score wine.json @wine --keep cultivar -o scores.csv"}};
}

struct ScoreArguments {
  std::string model;
  Source source;
  std::optional<PriorChoice> priors;
  std::optional<int> digits;
  Common common;
};

ScoreArguments score_arguments(const Words& words) {
  return {words.arguments[0], source_of(words.arguments[1], words), priors_of(words),
          digits_of(words), common_of(words)};
}

struct Scores {
  Vector log_density;
  Vector tail;
  Matrix distances;
};

struct Tallies {
  std::atomic<Index> rows = 0, cells = 0;
  UnseenTally unseen;
};

/// Whether the model has a density with a covariance, and therefore distances.
bool has_distances(ClassifierRef model) {
  return model.model() && model.model()->free_parameters().covariances > 0;
}

std::string resolution_text(const OutlierTail& tail, std::uint64_t seed) {
  const double complete = tail.resolution(), missing = tail.resolution_with_missing();
  return fmt::format(
      "the tail is estimated by drawing from the model (seed {}); it cannot be smaller than "
      "{:.2g}{}",
      seed, complete,
      missing > complete ? fmt::format(", or {:.2g} for a row that lacks a cell", missing) : "");
}

Scores scores_of(ClassifierRef model, const OutlierTail& tail, const Table& table,
                 Tallies& tallies) {
  Answers found = answers(model, table);
  tallies.unseen.add(model, table, found.unseen);
  tallies.rows += found.missing.rows;
  tallies.cells += found.missing.cells;
  Vector tails = tail(table, found);
  if (!has_distances(model)) found.distances = Matrix(table.rows(), 0);
  return {std::move(found.log_density), std::move(tails), std::move(found.distances)};
}

Scores with_digits_of(const ScoreArguments& arguments, Scores scores) {
  if (!arguments.digits) return scores;
  for (double& value : scores.log_density) value = with_digits(value, arguments.digits);
  for (double& value : scores.tail) value = with_digits(value, arguments.digits);
  for (Index i = 0; i < scores.distances.rows(); ++i)
    for (double& value : scores.distances.row(i)) value = with_digits(value, arguments.digits);
  return scores;
}

std::string header(ClassifierRef model, const Table& table) {
  std::vector<std::string> columns{"log_density", "tail"};
  if (has_distances(model)) {
    for (std::string& column : class_columns("d2", model.classes()))
      columns.push_back(std::move(column));
  }
  return csv_header(table, columns);
}

/// The columns of the output, without distances if the model has none.
std::string csv_lines(const Table& table, const Scores& scores) {
  CsvWriter rows;
  for (Index i = 0; i < table.rows(); ++i) {
    rows.begin(table, i);
    rows.cell(scores.log_density[static_cast<std::size_t>(i)]);
    rows.cell(scores.tail[static_cast<std::size_t>(i)]);
    for (const double d2 : scores.distances.row(i)) rows.cell(d2);
    rows.end();
  }
  return rows.take();
}

std::string json_lines(const std::vector<std::string>& labels, const Scores& scores) {
  std::string text;
  for (Index i = 0; i < scores.distances.rows(); ++i) {
    text += "{\"log_density\": ";
    append_json_number(text, scores.log_density[static_cast<std::size_t>(i)]);
    text += ", \"tail\": ";
    append_json_number(text, scores.tail[static_cast<std::size_t>(i)]);
    if (scores.distances.columns() > 0)
      append_json_members(text, "d2", labels, scores.distances.row(i));
    text += "}\n";
  }
  return text;
}

void run_score(const Words& words) {
  const ScoreArguments arguments = score_arguments(words);
  const Common& common = arguments.common;
  refuse_output_onto(common, {arguments.model, arguments.source.data});
  const Classifier known =
      with_density(load_with_priors(arguments.model, arguments.source.data, arguments.priors),
                   arguments.model, "it has none to score");
  const ClassifierRef model(known);
  const OutlierTail tail(*JointRef::of(model), common.seed, {.threads = common.threads});
  if (tail.resolution() > 0) Report(common.quiet).note(resolution_text(tail, common.seed));
  std::vector<std::string> labels;
  for (const std::string& name : model.classes()) labels.push_back(json_string(name));
  Tallies tallies;
  RowStream rows = rows_for(model, arguments.source, Purpose::predict);
  answer_rows(rows,
              {.header = [&](const Table& table) { return header(model, table); },
               .lines =
                   [&](const Table& table) {
                     const Scores scores =
                         with_digits_of(arguments, scores_of(model, tail, table, tallies));
                     return common.json ? json_lines(labels, scores) : csv_lines(table, scores);
                   }},
              common);
  if (const double so_far = tail.resolution_so_far(); so_far > tail.resolution_with_missing())
    Report(common.quiet)
        .note(fmt::format("of the longest rows fewer are drawn: their tail cannot be smaller than "
                          "{:.2g}",
                          so_far));
  note_missing(common.quiet, {tallies.rows, tallies.cells});
  warn_unseen(common.quiet, tallies.unseen.cells(), tallies.unseen.levels());
}

}  // namespace

Verb score_verb() { return {score_text(), run_score}; }

}  // namespace genera::cli
