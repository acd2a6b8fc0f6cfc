// Times EM for rows of which a fifth of the cells is missing.
//   bench_missing
// Prints the time of the fit of complete rows and of an iteration of EM.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <genera/genera.hpp>

#include "clock.hpp"

namespace {

using genera::Index;

constexpr Index columns = 20, classes = 5;
constexpr double share = 0.2;

int all_threads() { return static_cast<int>(std::thread::hardware_concurrency()); }

genera::Table complete_rows(Index rows, genera::Rng& rng) {
  genera::Matrix x(rows, columns);
  std::vector<std::string> names, labels;
  for (Index j = 0; j < columns; ++j) names.push_back("x" + std::to_string(j));
  for (Index i = 0; i < rows; ++i) {
    const double common = rng.normal();
    labels.push_back("c" + std::to_string(i % classes));
    for (Index j = 0; j < columns; ++j)
      x(i, j) = rng.normal() + 0.7 * common + (j % classes == i % classes ? 1.5 : 0);
  }
  return genera::make_table(names, std::move(x), labels);
}

/// Every row takes one of so many patterns; 0: each has its own.
void make_holes(genera::Table& table, Index patterns, genera::Rng& rng) {
  std::vector<std::vector<bool>> known(static_cast<std::size_t>(patterns));
  const auto draw = [&] {
    std::vector<bool> missing;
    for (Index j = 0; j < columns; ++j) missing.push_back(rng.uniform() < share);
    return missing;
  };
  for (std::vector<bool>& pattern : known) pattern = draw();
  for (Index i = 0; i < table.rows(); ++i) {
    const std::vector<bool> missing =
        patterns == 0
            ? draw()
            : known[static_cast<std::size_t>(rng.uniform() * static_cast<double>(patterns))];
    for (Index j = 0; j < columns; ++j) {
      if (missing[static_cast<std::size_t>(j)]) table.numbers(i, j) = std::nan("");
    }
  }
}

void measure(const char* what, Index rows, Index patterns, const genera::Recipe& recipe) {
  using Clock = std::chrono::steady_clock;
  genera::Rng rng(1);
  genera::Table table = complete_rows(rows, rng);
  const double complete =
      best_time(5, [&] { (void)genera::fit(table, recipe, {.threads = all_threads()}); });
  make_holes(table, patterns, rng);
  Clock::time_point first, last;
  int iterations = 0;
  (void)genera::fit(table, recipe,
                    {.threads = all_threads(), .on_step = [&](const genera::EmStep& step) {
                       last = Clock::now();
                       if (step.iteration == 1) first = last;
                       iterations = step.iteration;
                     }});
  const double each = std::chrono::duration<double>(last - first).count() / (iterations - 1);
  std::printf("%s: complete fit %.4f s, an iteration of EM %.4f s (%.1f times), %d iterations\n",
              what, complete, each, each / complete, iterations);
}

}  // namespace

int main() {
  measure("lda, 100,000 x 20, 200 patterns", 100'000, 200, genera::lda());
  measure("qda, 50,000 x 20, a pattern for each row", 50'000, 0, genera::qda());
}
