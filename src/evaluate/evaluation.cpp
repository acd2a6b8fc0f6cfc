#include <genera/evaluate.hpp>

#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/text.hpp"

namespace genera {
namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Not the logarithm of the posterior, which may have underflowed.
double log_posterior(ClassifierRef model, const Answers& a, Index row, Index k) {
  const double density = a.log_density[static_cast<std::size_t>(row)];
  if (std::isinf(density)) return model.prior().log()[static_cast<std::size_t>(k)];
  return a.log_joint(row, k) - density;
}

/// The model's class of each label of the rows.
std::vector<Index> match_classes(const std::vector<std::string>& classes, const Rows& rows) {
  std::vector<Index> places;
  for (const std::string& label : rows.data().labels.names)
    places.push_back(find_label(classes, label).value_or(-1));
  return places;
}

Index true_class(const std::vector<std::string>& classes, const std::vector<Index>& places,
                 const Rows& rows, Index row) {
  const CodesView& labels = rows.data().labels;
  const std::int32_t label = labels(row);
  if (label < 0)
    throw Error(Errc::bad_data, fmt::format("{}: the label is missing", rows.place(row)),
                "give every row its true class, or leave the row out");
  const Index truth = places[static_cast<std::size_t>(label)];
  if (truth >= 0) return truth;
  const std::string& name = labels.names[static_cast<std::size_t>(label)];
  throw Error(
      Errc::bad_data, fmt::format("{}: '{}' is not a class of the model", rows.place(row), name),
      kernel::did_you_mean(name, classes, "its classes are " + kernel::quoted_list(classes)));
}

}  // namespace

Evaluation::Evaluation(std::vector<std::string> classes, DecisionRule rule)
    : classes_(std::move(classes)),
      rule_(std::move(rule)),
      confusion_(classes_.size() * classes_.size()) {
  validate(rule_, classes_);
}

void Evaluation::add(ClassifierRef model, const Rows& rows, const Control& control) {
  if (rows.data().labels.empty() && rows.count() > 0)
    throw Error(Errc::bad_data, fmt::format("the table has no label column '{}'", model.target()),
                {"name the column that holds the truth with {}", {{"target"}}});
  Evaluation part(model.classes(), rule_);
  part.count(model, rows, answers(model, rows, control));
  merge(part);
}

void Evaluation::count(ClassifierRef model, const Rows& rows, const Answers& a) {
  const std::vector<Index> places = match_classes(classes_, rows);
  const std::vector<std::int32_t> decisions = decide(a, {.costs = rule_.costs, .reject = {}});
  const std::vector<std::int32_t> kept = decide(a, {.costs = {}, .reject = rule_.reject});
  for (Index i = 0; i < rows.count(); ++i) {
    const Index truth = true_class(classes_, places, rows, rows.row(i));
    count_decision(truth, decisions[static_cast<std::size_t>(i)],
                   kept[static_cast<std::size_t>(i)] < 0);
    log_loss_ -= log_posterior(model, a, i, truth);
    log_likelihood_ += model.model() ? a.log_joint(i, truth) : std::nan("");
    for (Index k = 0; k < a.posterior.columns(); ++k)
      brier_ += std::pow(a.posterior(i, k) - (k == truth ? 1 : 0), 2);
  }
  rows_ = rows.count();
  impossible_ = a.impossible;
  unseen_ = a.unseen;
  missing_ = a.missing;
}

void Evaluation::count_decision(Index truth, std::int32_t decision, bool rejected) {
  ++confusion_[static_cast<std::size_t>(truth) * classes_.size() +
               static_cast<std::size_t>(decision)];
  const double error = truth == decision ? 0 : 1;
  const double cost = rule_.costs ? (*rule_.costs)(truth, decision) : error;
  cost_ += cost;
  if (rejected)
    ++rejected_;
  else
    decided_cost_ += cost;
}

void Evaluation::merge(const Evaluation& other) {
  if (classes_ != other.classes_)
    throw Error(Errc::bad_argument, "evaluations of different classes cannot be added up",
                "add evaluations of the same model");
  if (rule_ != other.rule_)
    throw Error(Errc::bad_argument, "evaluations of different decisions cannot be added up",
                "add evaluations under the same costs and the same rejection");
  for (std::size_t i = 0; i < confusion_.size(); ++i) confusion_[i] += other.confusion_[i];
  rows_ += other.rows_;
  impossible_ += other.impossible_;
  unseen_ += other.unseen_;
  missing_.rows += other.missing_.rows;
  missing_.cells += other.missing_.cells;
  rejected_ += other.rejected_;
  cost_ += other.cost_;
  decided_cost_ += other.decided_cost_;
  log_loss_ += other.log_loss_;
  brier_ += other.brier_;
  log_likelihood_ += other.log_likelihood_;
}

Index Evaluation::confusion(Index truth, Index prediction) const {
  return confusion_[static_cast<std::size_t>(truth) * classes_.size() +
                    static_cast<std::size_t>(prediction)];
}

Index Evaluation::errors() const {
  Index right = 0;
  for (Index k = 0; k < static_cast<Index>(classes_.size()); ++k) right += confusion(k, k);
  return rows_ - right;
}

double Evaluation::error_rate() const {
  return ratio(static_cast<double>(errors()), static_cast<double>(rows_));
}
double Evaluation::accuracy() const {
  return ratio(static_cast<double>(rows_ - errors()), static_cast<double>(rows_));
}
double Evaluation::log_loss() const { return ratio(log_loss_, static_cast<double>(rows_)); }
double Evaluation::brier() const { return ratio(brier_, static_cast<double>(rows_)); }
double Evaluation::log_likelihood() const { return log_likelihood_; }

double Evaluation::risk() const { return ratio(cost_, static_cast<double>(rows_)); }
double Evaluation::coverage() const {
  return ratio(static_cast<double>(rows_ - rejected_), static_cast<double>(rows_));
}
std::optional<double> Evaluation::selective_risk() const {
  if (rows_ == rejected_) return std::nullopt;
  return decided_cost_ / static_cast<double>(rows_ - rejected_);
}

Evaluation::ClassScores Evaluation::scores(Index k) const {
  Index predicted = 0;
  ClassScores s;
  for (Index other = 0; other < static_cast<Index>(classes_.size()); ++other) {
    predicted += confusion(other, k);
    s.support += confusion(k, other);
  }
  const auto hits = static_cast<double>(confusion(k, k));
  s.precision = ratio(hits, static_cast<double>(predicted));
  s.recall = ratio(hits, static_cast<double>(s.support));
  s.f1 = ratio(2 * hits, static_cast<double>(predicted + s.support));
  return s;
}

Evaluation evaluate(ClassifierRef model, const Rows& rows, const DecisionRule& rule,
                    const Control& control) {
  Evaluation evaluation(model.classes(), rule);
  evaluation.add(model, rows, control);
  return evaluation;
}

Evaluation evaluate(ClassifierRef model, RowStream& rows, const DecisionRule& rule,
                    const Control& control) {
  return rows.reduce(
      control, [&] { return Evaluation(model.classes(), rule); },
      [&](Table&& chunk) { return evaluate(model, chunk, rule); },
      [](Evaluation& total, const Evaluation& part) { total.merge(part); });
}

}  // namespace genera
