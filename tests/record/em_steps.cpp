// The way EM takes, for the record of answers:
//   em_steps DATA TARGET MODEL --threads N
// fits MODEL to the CSV file DATA, in which cells or labels are missing, and prints
//   {"rows": N, "log_likelihoods": [one for each iteration]}
// with exact numbers. When the interface of the library changes, this file follows; what it takes
// and prints stays as it is.
#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <genera/genera.hpp>

namespace {

struct Question {
  genera::Recipe recipe;
  genera::Roles roles;
};

genera::Recipe with_oas(genera::Recipe recipe) {
  recipe.gaussian.shrinkage.kind = genera::Shrinkage::Kind::oas;
  return recipe;
}

Question question_of(const std::string& model, const std::string& target) {
  genera::Roles roles{.target = target};
  const auto every_column = [&](genera::ColumnType type) {
    roles.default_type = type;
    return roles;
  };
  if (model == "qda") return {genera::qda(), roles};
  if (model == "lda") return {genera::lda(), roles};
  if (model == "gnb") return {genera::gaussian_naive_bayes(), roles};
  if (model == "dlda") return {genera::dlda(), roles};
  if (model == "rda") return {genera::rda(0.4, 0.1), roles};
  if (model == "oas") return {with_oas(genera::qda()), roles};
  if (model == "joint") return {genera::joint(), every_column(genera::ColumnType::categorical)};
  if (model == "categorical") return {{}, every_column(genera::ColumnType::categorical)};
  if (model == "multinomial")
    return {genera::multinomial(), every_column(genera::ColumnType::count)};
  throw std::runtime_error("no such model: " + model);
}

std::string exact(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string joined(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + exact(value);
  return text;
}

void run(const std::vector<std::string>& words) {
  if (words.size() != 5 || words[3] != "--threads")
    throw std::runtime_error("usage: em_steps DATA TARGET MODEL --threads N");
  const Question question = question_of(words[2], words[1]);
  const genera::Table table = genera::read_csv(words[0], question.roles);
  std::vector<double> log_likelihoods;
  const auto keep = [&](const genera::Progress& progress) {
    if (progress.step) log_likelihoods.push_back(progress.step->log_likelihood);
    return true;
  };
  (void)genera::fit(table, question.recipe, {.unlabelled_weight = 1}, {std::stoi(words[4]), keep});
  std::printf("{\"rows\": %lld, \"log_likelihoods\": [%s]}\n", static_cast<long long>(table.rows()),
              joined(log_likelihoods).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "em_steps: %s\n", e.what());
    return 1;
  }
}
