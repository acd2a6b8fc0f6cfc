#include "predictions.hpp"

#include "csv_output.hpp"
#include "decisions.hpp"
#include "evidence_output.hpp"
#include "json_output.hpp"
#include "report.hpp"

#include <genera/query.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace genera::cli {
namespace {

void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

Predictions::Predictions(const Deciding& deciding, const PredictArguments& arguments)
    : with_(deciding), asked_(arguments) {
  const bool json = asked_.common.json;
  for (const std::string& name : with_.model.classes())
    labels_.push_back(json ? json_string(name) : csv_cell(name));
  no_label_ = json ? "null" : csv_cell("");  // in quotes: an empty line would be no row
}

std::string Predictions::header(const Table& table) const {
  const std::vector<std::string>& classes = with_.model.classes();
  std::vector<std::string> columns{"prediction"};
  if (asked_.outlier) columns.emplace_back("outlier");
  if (asked_.proba) append(columns, class_columns("p", classes));
  if (asked_.joint) append(columns, class_columns("logjoint", classes));
  if (asked_.explain > 0 && names_best()) columns.emplace_back("best");
  if (asked_.explain > 0) append(columns, explanation_columns(asked_.explain));
  return csv_header(table, columns);
}

std::string Predictions::lines(const Table& table) {
  rows_ += table.rows();
  if (only_labels()) return plain_lines(table);
  const Block block = ask(table);
  return asked_.common.json ? json_lines(block) : csv_lines(block);
}

bool Predictions::only_labels() const {
  const bool decided = with_.rule.costs || with_.rule.reject || with_.tail;
  return !decided && !asked_.proba && !asked_.joint && !asked_.common.json && asked_.explain == 0;
}

bool Predictions::names_best() const { return with_.rule.costs || with_.rule.reject; }

const std::string& Predictions::label(std::int32_t k) const {
  return k < 0 ? no_label_ : labels_[static_cast<std::size_t>(k)];
}

void Predictions::count(const MissingCells& missing) {
  lacking_ += missing.rows;
  missing_ += missing.cells;
}

std::string Predictions::plain_lines(const Table& table) {
  const Decisions decisions = decide(with_.model, table);
  impossible_ += decisions.impossible;
  unseen_ += decisions.unseen;
  count(decisions.missing);
  CsvRows rows;
  for (Index i = 0; i < table.rows(); ++i) {
    rows.begin(table, i);
    rows.cell(label(decisions.labels[static_cast<std::size_t>(i)]));
    rows.end();
  }
  return rows.take();
}

Predictions::Block Predictions::ask(const Table& table) {
  Block block{table, answers(with_.model, table), {}, {}, {}};
  block.labels = decide(block.said, with_.rule);
  if (with_.tail)
    for (const double tail : (*with_.tail)(table, block.said))
      block.outliers.push_back(tail < *asked_.outlier);
  if (asked_.explain > 0) block.reasons = explain(with_.model, table, asked_.explain);
  impossible_ += block.said.impossible;
  unseen_ += block.said.unseen;
  count(block.said.missing);
  rejected_ += std::ranges::count(block.labels, -1);
  outliers_ += std::ranges::count(block.outliers, true);
  return block;
}

std::string Predictions::csv_lines(const Block& block) const {
  CsvRows rows;
  for (Index i = 0; i < block.table.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    rows.begin(block.table, i);
    rows.cell(label(block.labels[at]));
    if (asked_.outlier) rows.cell(block.outliers[at] ? "1" : "0");
    if (asked_.proba)
      for (const double p : block.said.posterior.row(i)) rows.cell(p);
    if (asked_.joint)
      for (const double l : block.said.log_joint.row(i)) rows.cell(l);
    if (asked_.explain > 0) {
      if (names_best()) rows.cell(label(block.reasons[at].best));
      add_cells(block.reasons[at], asked_.explain, with_.model.classes(), rows);
    }
    rows.end();
  }
  return rows.take();
}

std::string Predictions::json_lines(const Block& block) const {
  std::string text;
  for (Index i = 0; i < block.table.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    text += "{\"prediction\": " + label(block.labels[at]);
    if (asked_.outlier) text += block.outliers[at] ? ", \"outlier\": true" : ", \"outlier\": false";
    if (asked_.proba) append_json_members(text, "p", labels_, block.said.posterior.row(i));
    if (asked_.joint) append_json_members(text, "logjoint", labels_, block.said.log_joint.row(i));
    if (asked_.explain > 0) {
      if (names_best()) text += ", \"best\": " + label(block.reasons[at].best);
      append_json(block.reasons[at], with_.model.classes(), text);
    }
    text += "}\n";
  }
  return text;
}

void Predictions::report(bool quiet) const {
  const Report report(quiet);
  if (with_.rule.reject)
    report.note(fmt::format("{} rejected: no class has a probability of {} or more",
                            share_of_rows(rejected_, rows_), *with_.rule.reject));
  if (asked_.outlier)
    report.note(fmt::format("{} flagged as outliers: the tail is below {}",
                            share_of_rows(outliers_, rows_), *asked_.outlier));
  note_missing(quiet, {lacking_, missing_});
  warn_unseen(quiet, unseen_);
  if (impossible_ > 0)
    report.warning(fmt::format("{} {} impossible under every class; {} the prior",
                               impossible_.load(), impossible_ == 1 ? "row is" : "rows are",
                               impossible_ == 1 ? "it gets" : "they get"));
}

}  // namespace genera::cli
