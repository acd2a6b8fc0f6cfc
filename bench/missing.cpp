// Times EM for rows of which a fifth of the cells, or four fifths of the labels, are missing.
//   bench_missing
// prints the time of the fit of complete rows and of an iteration of EM, for people.
//   bench_missing cells|labels MODEL ROWS ITERATIONS
// prints the shortest of so many iterations and the peak memory; every row has a pattern of its
// own.
//   bench_missing array MODEL ITERATIONS X.bin Y.bin COLUMNS
// does so for an array with holes that bench/missing.py made.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <genera/genera.hpp>

#include "arrays_io.hpp"
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
void make_missing(genera::Table& table, Index patterns, genera::Rng& rng) {
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
      best_time(5, [&] { (void)genera::fit(table, recipe, {}, {.threads = all_threads()}); });
  make_missing(table, patterns, rng);
  Clock::time_point first, last;
  int iterations = 0;
  (void)genera::fit(table, recipe, {},
                    {.threads = all_threads(), .progress = [&](const genera::Progress& now) {
                       if (!now.step) return true;
                       last = Clock::now();
                       if (now.step->iteration == 1) first = last;
                       iterations = now.step->iteration;
                       return true;
                     }});
  const double each = std::chrono::duration<double>(last - first).count() / (iterations - 1);
  std::printf("%s: complete fit %.4f s, an iteration of EM %.4f s (%.1f times), %d iterations\n",
              what, complete, each, each / complete, iterations);
}

void forget_labels(genera::Table& table, genera::Rng& rng) {
  for (std::int32_t& label : table.labels) {
    if (rng.uniform() < 0.8) label = -1;
  }
}

/// The shortest time from one iteration to the next.
double iteration_seconds(const genera::Table& table, const genera::Recipe& recipe, int iterations) {
  using Clock = std::chrono::steady_clock;
  double shortest = HUGE_VAL;
  std::optional<Clock::time_point> before;
  const auto time_it = [&](const genera::Progress& progress) {
    if (!progress.step) return true;
    const auto now = Clock::now();
    if (before) shortest = std::min(shortest, std::chrono::duration<double>(now - *before).count());
    before = now;
    return progress.step->iteration <= iterations;
  };
  try {
    (void)genera::fit(table, recipe, {}, {.threads = all_threads(), .progress = time_it});
  } catch (const genera::Error& e) {
    if (e.code() != genera::Errc::stopped) throw;
  }
  return shortest;
}

genera::Recipe recipe_of(const std::string& model) {
  if (model == "qda") return genera::qda();
  if (model == "lda") return genera::lda();
  if (model == "gnb") return genera::gaussian_naive_bayes();
  throw std::runtime_error("no such model: " + model);
}

genera::Table read_table(const std::string& x, const std::string& y, Index width) {
  std::vector<std::string> names, labels;
  for (Index j = 0; j < width; ++j) names.push_back("x" + std::to_string(j));
  for (const std::int32_t label : read_array<std::int32_t>(y))
    labels.push_back("c" + std::to_string(label));
  return genera::make_table(names, genera::Matrix(std::ssize(labels), width, read_array<double>(x)),
                            labels);
}

void run_job(const std::vector<std::string>& words) {
  if (words.size() == 6 && words[0] == "array") {
    const genera::Table table = read_table(words[3], words[4], std::stol(words[5]));
    const double seconds = iteration_seconds(table, recipe_of(words[1]), std::stoi(words[2]));
    std::printf("{\"seconds\": %.9f, \"peak_mb\": %.0f}\n", seconds, peak_megabytes());
    return;
  }
  if (words.size() != 4 || (words[0] != "cells" && words[0] != "labels"))
    throw std::runtime_error(
        "usage: bench_missing [cells|labels MODEL ROWS ITERATIONS | array MODEL ITERATIONS X Y "
        "COLUMNS]");
  genera::Rng rng(1);
  genera::Table table = complete_rows(std::stol(words[2]), rng);
  if (words[0] == "cells")
    make_missing(table, 0, rng);
  else
    forget_labels(table, rng);
  const double seconds = iteration_seconds(table, recipe_of(words[1]), std::stoi(words[3]));
  std::printf("{\"job\": \"%s\", \"seconds\": %.9f, \"peak_mb\": %.0f}\n", words[0].c_str(),
              seconds, peak_megabytes());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty()) {
      run_job(words);
      return 0;
    }
    measure("lda, 100,000 x 20, 200 patterns", 100'000, 200, genera::lda());
    measure("qda, 50,000 x 20, a pattern for each row", 50'000, 0, genera::qda());
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_missing: %s\n", e.what());
    return 1;
  }
}
