// Is fit_auto as good as the best model that one could have named? Each data set is cut into
// stratified halves, twenty times; everything learns from one half and is judged by its log loss on
// the other. A fixed candidate is one recipe for all cuts, not calibrated; the best of them is
// known in hindsight only. Prints a table for docs/selection.md.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <genera/genera.hpp>

namespace {

using namespace genera;

constexpr int cuts = 20;

Table read(const std::vector<std::string>& names) {
  Table table = read_csv(names.front());
  for (std::size_t i = 1; i < names.size(); ++i) table.append(read_csv(names[i]));
  return table;
}

/// All columns of these sets are numbers.
Table half(const Table& table, const std::vector<Index>& rows) {
  Matrix numbers(std::ssize(rows), table.numbers.columns());
  std::vector<std::string> labels;
  for (Index i = 0; i < std::ssize(rows); ++i) {
    const auto row = static_cast<std::size_t>(rows[static_cast<std::size_t>(i)]);
    std::ranges::copy(table.numbers.row(static_cast<Index>(row)), numbers.row(i).begin());
    labels.push_back(table.classes[static_cast<std::size_t>(table.labels[row])]);
  }
  return make_table(table.number_names(), std::move(numbers), labels);
}

struct NamedCandidate {
  std::string name;
  Recipe recipe;
};

std::vector<NamedCandidate> fixed_candidates() {
  std::vector<NamedCandidate> list{
      {"gnb", gaussian_naive_bayes()}, {"dlda", dlda()}, {"lda", lda()}, {"qda", qda()}};
  for (const double prior : {1.0, 4.0, 16.0}) {
    list.push_back(
        {"gnb variance-prior " + std::to_string(static_cast<int>(prior)), gaussian_naive_bayes()});
    list.back().recipe.gaussian.variance_prior = prior;
  }
  for (const double alpha : {0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0}) {
    for (const double gamma : {0.0, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0}) {
      char name[40];
      std::snprintf(name, sizeof name, "rda alpha %g gamma %g", alpha, gamma);
      list.push_back({name, rda(alpha, gamma)});
    }
  }
  return list;
}

double loss_of(const Table& train, const Table& test, const Recipe& recipe) {
  try {
    return evaluate(fit(train, recipe).model, test).log_loss();
  } catch (const Error&) {
    return HUGE_VAL;
  }
}

std::string csv_text(const Table& table) {
  std::string text;
  for (const std::string& column : table.number_names()) text += column + ",";
  text += "label\n";
  for (Index i = 0; i < table.rows(); ++i) {
    char cell[40];
    for (const double x : table.numbers.row(i)) {
      std::snprintf(cell, sizeof cell, "%.17g,", x);
      text += cell;
    }
    const std::int32_t label = table.labels[static_cast<std::size_t>(i)];
    text += table.classes[static_cast<std::size_t>(label)] + "\n";
  }
  return text;
}

/// Columns may have been read as categories: they are asked about as a file would be.
double judged_by_name(const Model& model, const Table& test) {
  const std::string text = csv_text(test);
  RowStream rows(Source::text(text, "test"), {}, roles_for(model, Purpose::evaluate, "label"));
  return evaluate(model, rows).log_loss();
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double error_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / (n - 1) / n);
}

void compare(const std::string& name, const std::vector<std::string>& sources) {
  const Table table = read(sources);
  const std::vector<NamedCandidate> fixed = fixed_candidates();
  std::vector<double> automatic, uncalibrated;
  std::vector<std::vector<double>> losses(fixed.size());
  std::map<std::string, int> chosen;
  for (int cut = 0; cut < cuts; ++cut) {
    const Folds halves = stratified_folds(table, 2, static_cast<std::uint64_t>(100 + cut));
    std::vector<Index> parts[2];
    for (Index i = 0; i < table.rows(); ++i)
      parts[halves.of[static_cast<std::size_t>(i)]].push_back(i);
    const Table train = half(table, parts[0]), test = half(table, parts[1]);
    const AutoFit found = fit_auto(train, {}, {.threads = 2});
    const auto& model = std::get<Model>(found.fitted.model);
    automatic.push_back(judged_by_name(model, test));
    uncalibrated.push_back(judged_by_name(model.with_temperature(1), test));
    ++chosen[found.choice.name.substr(0, found.choice.name.find(' '))];
    for (std::size_t c = 0; c < fixed.size(); ++c)
      losses[c].push_back(loss_of(train, test, fixed[c].recipe));
  }
  std::size_t best = 0;
  for (std::size_t c = 1; c < fixed.size(); ++c)
    if (mean_of(losses[c]) < mean_of(losses[best])) best = c;
  const double min = mean_of(losses[best]), error = error_of(losses[best]);
  std::string kinds;
  for (const auto& [kind, count] : chosen)
    kinds += (kinds.empty() ? "" : ", ") + kind + " " + std::to_string(count);
  std::printf("| %s | %.4f | %.4f | %s | %.4f ± %.4f | %s | %s |\n", name.c_str(),
              mean_of(automatic), mean_of(uncalibrated), fixed[best].name.c_str(), min, error,
              mean_of(automatic) <= min + error / 2 ? "yes" : "no", kinds.c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> sets{
      {"iris", {"@iris"}},
      {"wine", {"@wine"}},
      {"breast_cancer", {"@breast_cancer"}},
      {"vowel", {"@vowel_train", "@vowel_test"}},
      {"sonar", {"@sonar"}},
      {"crabs", {"@crabs"}},
      {"digits", {"@digits"}}};
  std::printf(
      "| data | auto | at temperature 1 | best fixed | its loss | holds | chosen |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const auto& [name, sources] : sets) {
    if (count < 2 || name == words[1]) compare(name, sources);
  }
}
