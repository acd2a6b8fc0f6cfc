// Times the choice of a model on arrays that bench/choice.py made.
//   bench_choice folds|loo X.bin Y.bin COLUMNS REPEATS
// folds: 10 folds x 21 shrinkage values of qda; loo: leave-one-out of lda. Prints the best time,
// the peak memory and the log loss of the best candidate.
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <genera/genera.hpp>

#include "arrays_io.hpp"
#include "clock.hpp"

namespace {

using genera::Index;

std::vector<genera::Candidate> shrunken_qda() {
  std::vector<genera::Candidate> candidates;
  for (const double amount : genera::evenly(0, 1, 0.05)) {
    genera::Recipe recipe = genera::qda();
    recipe.gaussian.shrinkage = {.kind = genera::Shrinkage::Kind::fixed, .amount = amount};
    candidates.push_back({std::to_string(amount), recipe, {}});
  }
  return candidates;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool folds = words.at(0) == "folds";
  const std::vector<double> x = read_array<double>(words.at(1));
  const std::vector<std::int32_t> y = read_array<std::int32_t>(words.at(2));
  const Index columns = std::stol(words.at(3));
  std::vector<std::string> classes;
  for (const std::int32_t label : y) {
    while (std::ssize(classes) <= label) classes.push_back("c" + std::to_string(classes.size()));
  }
  const genera::Rows rows = genera::labelled_rows(
      genera::MatrixView(x.data(), std::ssize(y), columns, {columns, 1}), y, {.classes = classes});
  const genera::Control control{.threads = static_cast<int>(std::thread::hardware_concurrency())};
  const std::vector<genera::Candidate> candidates =
      folds ? shrunken_qda() : std::vector<genera::Candidate>{{"lda", genera::lda(), {}}};
  double log_loss = 0;
  const double seconds = best_time(std::stoi(words.at(4)), [&] {
    const genera::Selection found = folds ? genera::cross_validate(rows, candidates, {}, control)
                                          : genera::leave_one_out(rows, candidates, {}, control);
    log_loss = found.candidates[found.ranking().at(0)].log_loss;
  });
  std::printf("{\"seconds\": %.6f, \"peak_mb\": %.1f, \"log_loss\": %.6f}\n", seconds,
              peak_megabytes(), log_loss);
}
