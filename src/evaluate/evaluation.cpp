#include <genera/evaluate.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/distributions.hpp"
#include "kernel/text.hpp"
#include "sums/checked_weight.hpp"

namespace genera {
namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

[[noreturn]] void refuse_missing(const Rows& rows, Index row) {
  throw Error(Errc::bad_data, fmt::format("{}: the label is missing", rows.place(row)),
              "give every row its true class, or leave the row out");
}

Advice nearest_class(const std::string& name, const std::vector<std::string>& classes) {
  return kernel::did_you_mean(name, classes, "its classes are " + kernel::quoted_list(classes));
}

[[noreturn]] void refuse_label(const std::vector<std::string>& classes, const Rows& rows, Index row,
                               const std::string& name) {
  throw Error(Errc::bad_data,
              fmt::format("{}: '{}' is not a class of the model", rows.place(row), name),
              nearest_class(name, classes));
}

void add_label(LeftOut& to, const std::string& name, Index rows) {
  constexpr std::size_t max_names = 100;
  if (to.labels.size() < max_names || to.labels.contains(name)) to.labels[name] += rows;
}

std::optional<Costs> without_review(const std::optional<Costs>& costs) {
  return costs ? std::optional(costs->without_review()) : std::nullopt;
}

Evaluation with_rows(Evaluation evaluation) {
  const LeftOut& out = evaluation.left_out();
  if (evaluation.rows() > 0 || out.rows() == 0) return evaluation;
  if (out.labels.empty())
    throw Error(Errc::bad_data,
                out.rows() == 1 ? "the only row has no label"
                                : fmt::format("none of the {} rows has a label", out.rows()),
                {"name the column that holds the truth with {}", {{"target"}}});
  const std::string& name = out.labels.begin()->first;
  throw Error(
      Errc::bad_data,
      out.rows() == 1
          ? fmt::format("the label of the only row, '{}', is not a class of the model", name)
          : fmt::format("none of the {} rows has a label that is a class of the model; one "
                        "is '{}'",
                        out.rows(), name),
      nearest_class(name, evaluation.classes()));
}

void refuse_improbable(const Matrix& posterior) {
  constexpr double tolerance = 1e-4;  // posteriors may be floats
  for (Index i = 0; i < posterior.rows(); ++i) {
    const auto row = posterior.row(i);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    const bool in_range = std::ranges::all_of(row, [](double p) { return p >= 0 && p <= 1; });
    if (in_range && std::abs(sum - 1) <= tolerance) continue;
    throw Error(Errc::bad_data,
                fmt::format("the posteriors of row {} are not probabilities with the sum 1: their "
                            "sum is {:g}",
                            i + 1, sum),
                "give the probabilities of all classes");
  }
}

}  // namespace

Evaluation::Evaluation(std::vector<std::string> classes, DecisionRule rule, OtherLabels others)
    : classes_(std::move(classes)),
      rule_(std::move(rule)),
      others_(others),
      confusion_(classes_.size() * classes_.size()),
      confusion_weights_(confusion_.size()) {
  validate(rule_, classes_);
}

void Evaluation::add(ClassifierRef model, const Rows& rows, const Control& control) {
  if (rows.data().labels.empty() && rows.count() > 0)
    throw Error(Errc::bad_data, fmt::format("the table has no label column '{}'", model.target()),
                {"name the column that holds the truth with {}", {{"target"}}});
  Evaluation part(model.classes(), rule_, others_);
  const Judged judged = part.sort_out(rows);
  const bool all = std::ssize(judged.rows) == rows.count();
  const Rows kept = all ? rows : rows.only(judged.rows);
  constexpr WantedAnswers wanted{
      .log_joint = true, .posterior = true, .labels = true, .log_posterior = true};
  part.count(model.model() != nullptr, judged, answers(model, kept, wanted, control));
  if (part.unseen_ > 0) part.unseen_levels_ = genera::unseen_levels(model, kept);
  merge(part);
}

void Evaluation::add(const Matrix& posterior, const Rows& rows) {
  const Index k = std::ssize(classes_);
  if (posterior.rows() != rows.count() || posterior.columns() != k)
    throw Error(Errc::bad_argument,
                fmt::format("the posteriors are {} x {}, but there are {} and {}", posterior.rows(),
                            posterior.columns(), counted(rows.count(), "row"),
                            counted(k, "class", "classes")),
                "give a row of posteriors for each row, with a column for each class");
  refuse_improbable(posterior);
  Evaluation part(classes_, rule_, others_);
  const Judged judged = part.sort_out(rows);
  Answers given;
  given.posterior = Matrix(std::ssize(judged.rows), k);
  given.log_posterior = Matrix(std::ssize(judged.rows), k);
  for (Index i = 0, next = 0; i < rows.count() && next < std::ssize(judged.rows); ++i) {
    if (rows.row(i) != judged.rows[static_cast<std::size_t>(next)]) continue;
    for (Index l = 0; l < k; ++l) {
      given.posterior(next, l) = posterior(i, l);
      given.log_posterior(next, l) = std::log(posterior(i, l));
    }
    const auto row = given.posterior.row(next);
    given.labels.push_back(static_cast<std::int32_t>(std::ranges::max_element(row) - row.begin()));
    ++next;
  }
  part.count(false, judged, given);
  merge(part);
}

Evaluation::Judged Evaluation::sort_out(const Rows& rows) {
  const std::vector<Index> places = find_labels(classes_, rows.data().labels.names);
  const CodesView& labels = rows.data().labels;
  const bool strict = others_ == OtherLabels::refuse;
  Judged judged;
  for (Index i = 0; i < rows.count() && !labels.empty(); ++i) {
    const Index row = rows.row(i);
    const std::int32_t label = labels(row);
    const Index truth = label < 0 ? -1 : places[static_cast<std::size_t>(label)];
    if (truth >= 0) {
      judged.rows.push_back(row);
      judged.truths.push_back(truth);
      judged.weights.push_back(sums::checked_weight(rows, row));
      judged.copies.push_back(rows.copies(row));
    } else if (label < 0) {
      if (strict) refuse_missing(rows, row);
      left_out_.missing += rows.copies(row);
    } else {
      const std::string& name = labels.names[static_cast<std::size_t>(label)];
      if (strict) refuse_label(classes_, rows, row, name);
      left_out_.unknown += rows.copies(row);
      add_label(left_out_, name, rows.copies(row));
    }
  }
  return judged;
}

void Evaluation::count(bool has_density, const Judged& judged, const Answers& a) {
  const std::vector<std::int32_t> decisions =
      decide(a, {.costs = without_review(rule_.costs), .reject = {}});
  const std::vector<std::int32_t> made = decide(a, {.costs = rule_.costs, .reject = {}});
  const std::vector<std::int32_t> kept = decide(a, {.costs = {}, .reject = rule_.reject});
  for (std::size_t i = 0; i < judged.truths.size(); ++i) {
    const auto row = static_cast<Index>(i);
    const Index truth = judged.truths[i];
    const double weight = judged.weights[i];
    const Index copies = judged.copies[i];
    if (copies == 0) continue;
    const double of_one = copies > 1 ? 1 : weight;  // equal rows have weight 1 each
    rows_ += copies;
    weight_ += weight;
    squared_weight_ += weight * of_one;
    weighted_ = weighted_ || of_one != 1;
    count_decision({truth, copies, weight, decisions[i], kept[i] < 0, made[i] < 0});
    count_confidence({truth, copies, weight, a.labels[i], a.posterior.row(row)});
    if (weight == 0) continue;  // 0 times an infinite loss is NaN
    log_loss_ -= weight * a.log_posterior(row, truth);
    log_likelihood_ += weight * (has_density ? a.log_joint(row, truth) : std::nan(""));
    for (Index k = 0; k < a.posterior.columns(); ++k)
      brier_ += weight * std::pow(a.posterior(row, k) - (k == truth ? 1 : 0), 2);
  }
  impossible_ = a.impossible;
  unseen_ = a.unseen;
  missing_ = a.missing;
}

void Evaluation::count_decision(const Decided& row) {
  const std::size_t place = static_cast<std::size_t>(row.truth) * classes_.size() +
                            static_cast<std::size_t>(row.decision);
  confusion_[place] += row.copies;
  confusion_weights_[place] += row.weight;
  const double error = row.truth == row.decision ? 0 : 1;
  const double decided = rule_.costs ? (*rule_.costs)(row.truth, row.decision) : error;
  cost_ += row.weight * (row.reviewed ? rule_.costs->review(row.truth) : decided);
  if (row.rejected || row.reviewed) {
    rejected_ += row.copies;
    rejected_weight_ += row.weight;
  } else {
    decided_cost_ += row.weight * decided;
  }
}

void Evaluation::merge(const Evaluation& other) {
  if (classes_ != other.classes_)
    throw Error(Errc::bad_argument, "evaluations of different classes cannot be added up",
                "add evaluations of the same model");
  if (rule_ != other.rule_)
    throw Error(Errc::bad_argument, "evaluations of different decisions cannot be added up",
                "add evaluations under the same costs and the same rejection");
  for (std::size_t i = 0; i < confusion_.size(); ++i) {
    confusion_[i] += other.confusion_[i];
    confusion_weights_[i] += other.confusion_weights_[i];
  }
  rows_ += other.rows_;
  weight_ += other.weight_;
  squared_weight_ += other.squared_weight_;
  weighted_ = weighted_ || other.weighted_;
  left_out_.missing += other.left_out_.missing;
  left_out_.unknown += other.left_out_.unknown;
  for (const auto& [name, rows] : other.left_out_.labels) add_label(left_out_, name, rows);
  impossible_ += other.impossible_;
  unseen_ += other.unseen_;
  add_levels(unseen_levels_, other.unseen_levels_);
  missing_.rows += other.missing_.rows;
  missing_.cells += other.missing_.cells;
  rejected_ += other.rejected_;
  rejected_weight_ += other.rejected_weight_;
  cost_ += other.cost_;
  decided_cost_ += other.decided_cost_;
  log_loss_ += other.log_loss_;
  brier_ += other.brier_;
  log_likelihood_ += other.log_likelihood_;
  merge_probabilities(other);
}

Index Evaluation::confusion(Index truth, Index prediction) const {
  return confusion_[static_cast<std::size_t>(truth) * classes_.size() +
                    static_cast<std::size_t>(prediction)];
}

double Evaluation::confusion_weight(Index truth, Index prediction) const {
  return confusion_weights_[static_cast<std::size_t>(truth) * classes_.size() +
                            static_cast<std::size_t>(prediction)];
}

Index Evaluation::errors() const {
  Index right = 0;
  for (Index k = 0; k < std::ssize(classes_); ++k) right += confusion(k, k);
  return rows_ - right;
}

double Evaluation::error_rate() const {
  double wrong = 0;
  for (Index truth = 0; truth < std::ssize(classes_); ++truth)
    for (Index k = 0; k < std::ssize(classes_); ++k)
      if (k != truth) wrong += confusion_weight(truth, k);
  return ratio(wrong, weight_);
}
double Evaluation::accuracy() const {
  double right = 0;
  for (Index k = 0; k < std::ssize(classes_); ++k) right += confusion_weight(k, k);
  return ratio(right, weight_);
}

Interval Evaluation::accuracy_interval(double level) const {
  return wilson_interval(accuracy(), ratio(weight_ * weight_, squared_weight_), level);
}

double Evaluation::balanced_accuracy() const {
  double sum = 0, present = 0;
  for (Index k = 0; k < std::ssize(classes_); ++k) {
    const ClassScores of_class = scores(k);
    if (of_class.weight <= 0) continue;
    sum += of_class.recall;
    ++present;
  }
  return ratio(sum, present);
}

Evaluation::Baseline Evaluation::baseline() const {
  Baseline best;
  for (Index k = 0; k < std::ssize(classes_); ++k) {
    const double share = ratio(scores(k).weight, weight_);
    if (share > best.accuracy) best = {k, share};
  }
  return best;
}

double Evaluation::log_loss() const { return ratio(log_loss_, weight_); }
double Evaluation::brier() const { return ratio(brier_, weight_); }
double Evaluation::log_likelihood() const { return log_likelihood_; }

double Evaluation::risk() const { return ratio(cost_, weight_); }
double Evaluation::coverage() const { return ratio(weight_ - rejected_weight_, weight_); }
std::optional<double> Evaluation::selective_risk() const {
  if (rows_ == rejected_) return std::nullopt;
  return ratio(decided_cost_, weight_ - rejected_weight_);
}

Evaluation::ClassScores Evaluation::scores(Index k) const {
  double predicted = 0;
  ClassScores s;
  for (Index other = 0; other < std::ssize(classes_); ++other) {
    predicted += confusion_weight(other, k);
    s.support += confusion(k, other);
    s.weight += confusion_weight(k, other);
  }
  const double hits = confusion_weight(k, k);
  s.precision = ratio(hits, predicted);
  s.recall = ratio(hits, s.weight);
  s.f1 = ratio(2 * hits, predicted + s.weight);
  return s;
}

Interval wilson_interval(double share, double rows, double level) {
  if (!(level > 0 && level < 1))
    throw Error(Errc::bad_argument, fmt::format("the level is {}, expected a probability", level),
                "give a number between 0 and 1, such as 0.95");
  if (!(rows > 0)) return {};
  const double z = kernel::normal_exceeded((1 - level) / 2);
  const double squared = z * z / rows;
  const double centre = (share + squared / 2) / (1 + squared);
  const double half = std::sqrt(squared * (share * (1 - share) + squared / 4)) / (1 + squared);
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

double adjusted_rand_index(const Matrix& counts) {
  const auto pairs = [](double n) { return n * (n - 1) / 2; };
  double total = 0, together = 0, in_rows = 0, in_columns = 0;
  Vector columns(static_cast<std::size_t>(counts.columns()));
  for (Index i = 0; i < counts.rows(); ++i) {
    double row = 0;
    for (Index j = 0; j < counts.columns(); ++j) {
      together += pairs(counts(i, j));
      row += counts(i, j);
      columns[static_cast<std::size_t>(j)] += counts(i, j);
    }
    in_rows += pairs(row);
    total += row;
  }
  for (const double column : columns) in_columns += pairs(column);
  const double expected = total > 1 ? in_rows * in_columns / pairs(total) : 0;
  const double max = (in_rows + in_columns) / 2;
  /// both groupings trivial: equal
  return max == expected ? 1 : (together - expected) / (max - expected);
}

Evaluation evaluate(ClassifierRef model, RowsRef rows, const DecisionRule& rule,
                    const Control& control, OtherLabels others) {
  const auto none = [&] { return Evaluation(model.classes(), rule, others); };
  return with_rows(rows->reduce(
      control, none,
      [&](const RowChunk& chunk) {
        Evaluation part = none();
        part.add(model, chunk.rows(), chunk.control());
        return part;
      },
      [](Evaluation& total, const Evaluation& part) { total.merge(part); }));
}

}  // namespace genera
