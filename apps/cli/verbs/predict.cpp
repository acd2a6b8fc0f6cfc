#include "csv_output.hpp"
#include "evidence_output.hpp"
#include "json_output.hpp"
#include "model_facts.hpp"
#include "output.hpp"
#include "report.hpp"
#include "row_answers.hpp"
#include "verbs.hpp"

#include <genera/error.hpp>
#include <genera/explain.hpp>
#include <genera/query.hpp>

#include <atomic>

namespace genera::cli {
namespace {

/// How predictions are written; one for all threads, so nothing in it changes but the count.
class Predictions {
 public:
  Predictions(const Model& model, const PredictArguments& arguments)
      : model_(model),
        proba_(arguments.proba),
        joint_(arguments.joint),
        explain_(arguments.explain),
        json_(arguments.common.json) {
    for (const std::string& name : model.classes())
      labels_.push_back(json_ ? json_string(name) : csv_cell(name));
  }

  [[nodiscard]] std::string header(const Table& table) const {
    std::vector<std::string> columns{"prediction"};
    if (proba_) append(columns, class_columns("p", model_.classes()));
    if (joint_) append(columns, class_columns("logjoint", model_.classes()));
    if (explain_ > 0) append(columns, explanation_columns(explain_));
    return csv_header(table, columns);
  }

  [[nodiscard]] std::string lines(const Table& table) {
    if (!proba_ && !joint_ && !json_ && explain_ == 0) return labels_only(table);
    const Answers said = answers(model_, table);
    impossible_ += said.impossible;
    unseen_ += said.unseen;
    std::vector<Explanation> reasons;
    if (explain_ > 0) reasons = explain(model_, table, explain_);
    return json_ ? json_lines(table, said, reasons) : csv_lines(table, said, reasons);
  }

  [[nodiscard]] Index impossible() const { return impossible_; }
  [[nodiscard]] Index unseen() const { return unseen_; }

 private:
  static void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  [[nodiscard]] const std::string& label(std::int32_t k) const {
    return labels_[static_cast<std::size_t>(k)];
  }

  [[nodiscard]] std::string labels_only(const Table& table) {
    const Decisions decisions = decide(model_, table);
    impossible_ += decisions.impossible;
    unseen_ += decisions.unseen;
    CsvRows rows;
    for (Index i = 0; i < table.rows(); ++i) {
      rows.begin(table, i);
      rows.cell(label(decisions.labels[static_cast<std::size_t>(i)]));
      rows.end();
    }
    return rows.take();
  }

  [[nodiscard]] std::string csv_lines(const Table& table, const Answers& said,
                                      const std::vector<Explanation>& reasons) const {
    CsvRows rows;
    for (Index i = 0; i < table.rows(); ++i) {
      rows.begin(table, i);
      rows.cell(label(said.labels[static_cast<std::size_t>(i)]));
      if (proba_)
        for (const double p : said.posterior.row(i)) rows.cell(p);
      if (joint_)
        for (const double l : said.log_joint.row(i)) rows.cell(l);
      if (explain_ > 0)
        add_cells(reasons[static_cast<std::size_t>(i)], explain_, model_.classes(), rows);
      rows.end();
    }
    return rows.take();
  }

  [[nodiscard]] std::string json_lines(const Table& table, const Answers& said,
                                       const std::vector<Explanation>& reasons) const {
    std::string text;
    for (Index i = 0; i < table.rows(); ++i) {
      text += "{\"prediction\": " + label(said.labels[static_cast<std::size_t>(i)]);
      if (proba_) append_json_members(text, "p", labels_, said.posterior.row(i));
      if (joint_) append_json_members(text, "logjoint", labels_, said.log_joint.row(i));
      if (explain_ > 0) append_json(reasons[static_cast<std::size_t>(i)], model_.classes(), text);
      text += "}\n";
    }
    return text;
  }

  const Model& model_;
  bool proba_, joint_;
  Index explain_;
  bool json_;
  std::vector<std::string> labels_;
  std::atomic<Index> impossible_ = 0;
  std::atomic<Index> unseen_ = 0;
};

}  // namespace

void run(const PredictArguments& arguments) {
  refuse_output_onto(arguments.common, {arguments.model, arguments.source.data});
  const Model model = load_with_priors(arguments.model, arguments.priors);
  if (arguments.joint && !model.is_density())
    throw Error(Errc::bad_model,
                arguments.model + ": complement is a scorer, not a density: it has no --joint",
                "leave --joint out, or use --model multinomial");
  Predictions predictions(model, arguments);
  answer_rows(model, arguments.source,
              {.header = [&](const Table& table) { return predictions.header(table); },
               .lines = [&](const Table& table) { return predictions.lines(table); }},
              arguments.common);
  warn_unseen(arguments.common.quiet, predictions.unseen());
  if (predictions.impossible() > 0)
    Report(arguments.common.quiet)
        .warning(std::to_string(predictions.impossible()) +
                 (predictions.impossible() == 1
                      ? " row is impossible under every class; it gets the prior"
                      : " rows are impossible under every class; they get the prior"));
}

}  // namespace genera::cli
