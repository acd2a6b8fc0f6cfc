#include "show/evaluation_output.hpp"
#include "show/printable.hpp"
#include "show/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace genera::cli {
namespace {

constexpr std::size_t longest_class_name = 26;  // two of them fit a line

const std::string& class_name(const Evaluation& evaluation, Index k) {
  return evaluation.classes()[static_cast<std::size_t>(k)];
}

std::string clipped_name(const Evaluation& evaluation, Index k) {
  return clipped(class_name(evaluation, k), longest_class_name);
}

/// The number of rows, or their weight.
std::string amount(const Evaluation& evaluation, Index truth, Index prediction) {
  return evaluation.weighted() ? rounded(evaluation.confusion_weight(truth, prediction))
                               : std::to_string(evaluation.confusion(truth, prediction));
}

std::string scores_table(const Evaluation& evaluation) {
  TextCells cells{
      {"class", "precision", "recall", "f1", evaluation.weighted() ? "weight" : "support"}};
  for (Index k = 0; k < std::ssize(evaluation.classes()); ++k) {
    const Evaluation::ClassScores scores = evaluation.scores(k);
    cells.push_back(
        {clipped_name(evaluation, k), fmt::format("{:.4f}", scores.precision),
         fmt::format("{:.4f}", scores.recall), fmt::format("{:.4f}", scores.f1),
         evaluation.weighted() ? rounded(scores.weight) : std::to_string(scores.support)});
  }
  return text_table(cells);
}

/// The columns are headed by the names of the classes, or by numbers that precede the names in the
/// rows.
TextCells confusion_cells(const Evaluation& evaluation, bool numbered) {
  const Index classes = std::ssize(evaluation.classes());
  TextCells cells{{"truth \\ prediction"}};
  for (Index k = 0; k < classes; ++k)
    cells[0].push_back(numbered ? std::to_string(k + 1) : class_name(evaluation, k));
  const std::size_t digits = std::to_string(classes).size();
  for (Index k = 0; k < classes; ++k) {
    cells.push_back({numbered ? fmt::format("{:>{}} {}", k + 1, digits, clipped_name(evaluation, k))
                              : class_name(evaluation, k)});
    for (Index l = 0; l < classes; ++l) cells.back().push_back(amount(evaluation, k, l));
  }
  return cells;
}

bool fits_a_page(const std::string& table) {
  constexpr std::size_t page_width = 80;
  return places_of(table.substr(0, table.find('\n'))) <= page_width;
}

std::string confusion_table(const Evaluation& evaluation) {
  constexpr std::size_t max_classes = 40;
  const std::string heading = evaluation.weighted() ? "confusion, weights\n" : "confusion\n";
  if (evaluation.classes().size() <= max_classes) {
    for (const bool numbered : {false, true}) {
      const std::string table = text_table(confusion_cells(evaluation, numbered));
      if (fits_a_page(table)) return heading + table;
    }
  }
  return fmt::format("confusion: the matrix of {} classes is too wide to be read (--json has it)\n",
                     evaluation.classes().size());
}

struct Confused {
  Index truth, prediction;
  double weight;
};

/// The most frequent first; ties in the order of the matrix.
std::vector<Confused> confusions_of(const Evaluation& evaluation) {
  std::vector<Confused> found;
  for (Index k = 0; k < std::ssize(evaluation.classes()); ++k)
    for (Index l = 0; l < std::ssize(evaluation.classes()); ++l)
      if (k != l && evaluation.confusion_weight(k, l) > 0)
        found.push_back({k, l, evaluation.confusion_weight(k, l)});
  std::ranges::stable_sort(found, std::greater<>(), &Confused::weight);
  return found;
}

/// A list for matrices that are too large to read at a glance.
std::string confusion_list(const Evaluation& evaluation) {
  constexpr std::size_t few_classes = 3, max = 10;
  const std::vector<Confused> found = confusions_of(evaluation);
  if (evaluation.classes().size() <= few_classes || found.empty()) return "";
  TextCells cells{
      {"truth", "prediction", evaluation.weighted() ? "weight" : "rows", "of its rows"}};
  for (std::size_t i = 0; i < std::min(found.size(), max); ++i) {
    const auto [truth, prediction, weight] = found[i];
    cells.push_back({clipped_name(evaluation, truth), clipped_name(evaluation, prediction),
                     amount(evaluation, truth, prediction),
                     fmt::format("{:.1f}%", 100 * weight / evaluation.scores(truth).weight)});
  }
  std::string text = "most frequent confusions\n" + text_table(cells);
  if (found.size() > max) text += fmt::format("  … and {} more pairs\n", found.size() - max);
  return text + '\n';
}

/// Bins without rows are not shown.
std::string reliability_table(const Evaluation& evaluation) {
  TextCells cells{{"probability of the best class", "rows", "mean", "correct"}};
  for (const ReliabilityBin& bin : evaluation.reliability()) {
    if (bin.rows == 0) continue;
    cells.push_back({fmt::format("{:.3f} to {:.3f}", bin.low, bin.high), std::to_string(bin.rows),
                     fmt::format("{:.4f}", bin.confidence), fmt::format("{:.4f}", bin.accuracy)});
  }
  return text_table(cells);
}

std::string six_digits(double value) { return fmt::format("{:.6g}", value); }

/// The name of a measure, its value and a remark.
struct Figure {
  std::string name, value, remark{};
};

void add_counts(const Evaluation& evaluation, std::vector<Figure>& figures) {
  figures.push_back({"rows", std::to_string(evaluation.rows())});
  if (evaluation.weighted()) figures.push_back({"weight", six_digits(evaluation.weight())});
  figures.push_back({"errors", std::to_string(evaluation.errors())});
}

void add_accuracies(const Evaluation& evaluation, std::vector<Figure>& figures) {
  const Interval interval = evaluation.accuracy_interval();
  const Evaluation::Baseline baseline = evaluation.baseline();
  figures.push_back(
      {"accuracy", six_digits(evaluation.accuracy()),
       fmt::format("95% interval {:.4f} to {:.4f} (Wilson)", interval.low, interval.high)});
  figures.push_back({"baseline", six_digits(baseline.accuracy),
                     "always '" + clipped_name(evaluation, baseline.prediction) + "'"});
  figures.push_back({"balanced accuracy", six_digits(evaluation.balanced_accuracy()),
                     "mean recall of the classes"});
  figures.push_back({"error rate", six_digits(evaluation.error_rate())});
}

void add_probability_scores(const Evaluation& evaluation, Index positive,
                            std::vector<Figure>& figures) {
  figures.push_back({"log loss", six_digits(evaluation.log_loss())});
  figures.push_back({"Brier score", six_digits(evaluation.brier())});
  figures.push_back({"log-likelihood", std::isnan(evaluation.log_likelihood())
                                           ? std::string("none: a scorer has no density")
                                           : six_digits(evaluation.log_likelihood())});
  figures.push_back({"calibration error", six_digits(evaluation.expected_calibration_error())});
  if (positive < 0) return;
  const auto of_pairs = [&](const std::optional<double>& value) {
    return value ? six_digits(*value) : std::string("none: the rows are all of one class");
  };
  figures.push_back({"AUC (" + clipped_name(evaluation, positive) + ")",
                     of_pairs(evaluation.area_under_roc(positive))});
  figures.push_back({"average precision", of_pairs(evaluation.average_precision(positive))});
}

void add_decisions(const Evaluation& evaluation, std::vector<Figure>& figures) {
  if (evaluation.rule().costs) figures.push_back({"risk", six_digits(evaluation.risk())});
  if (!may_reject(evaluation.rule())) return;
  const std::optional<double> selective = evaluation.selective_risk();
  figures.push_back({"rejected", std::to_string(evaluation.rejected())});
  figures.push_back({"coverage", six_digits(evaluation.coverage())});
  figures.push_back({"selective risk", selective ? six_digits(*selective) : std::string("none")});
}

std::string figures_table(const Evaluation& evaluation, Index positive) {
  std::vector<Figure> figures;
  add_counts(evaluation, figures);
  add_accuracies(evaluation, figures);
  add_probability_scores(evaluation, positive, figures);
  add_decisions(evaluation, figures);
  TextCells cells;
  std::vector<std::string> remarks;
  for (Figure& figure : figures) {
    cells.push_back({std::move(figure.name), std::move(figure.value)});
    remarks.push_back(std::move(figure.remark));
  }
  return text_table(cells, remarks);
}

}  // namespace

std::string evaluation_text(const Evaluation& evaluation, Index positive) {
  return figures_table(evaluation, positive) + '\n' + scores_table(evaluation) + '\n' +
         confusion_table(evaluation) + '\n' + confusion_list(evaluation) +
         reliability_table(evaluation);
}

}  // namespace genera::cli
