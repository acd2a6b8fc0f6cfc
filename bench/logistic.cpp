// Times softmax regression on arrays that bench/logistic.py made.
//   bench_logistic X.bin Y.bin COLUMNS CLASSES RIDGE REPEATS
// Prints the best time, the peak memory, what was minimised and how far its gradient is from none.
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <genera/genera.hpp>

#include "arrays_io.hpp"
#include "clock.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto x = read_array<double>(words.at(0));
  const auto labels = read_array<std::int32_t>(words.at(1));
  const genera::Index columns = std::stol(words.at(2));
  std::vector<std::string> classes;
  for (int k = 0; k < std::stoi(words.at(3)); ++k) classes.push_back(std::to_string(k));
  const genera::MatrixView view(x.data(), std::ssize(labels), columns, {columns, 1});
  const genera::Rows rows = genera::labelled_rows(view, labels, {.classes = classes});
  const genera::Control control{.threads = static_cast<int>(std::thread::hardware_concurrency())};
  genera::NewtonCourse course;
  const double seconds = best_time(std::stoi(words.at(5)), [&] {
    const genera::LinearRecipe recipe = genera::logistic({.ridge = std::stod(words.at(4))});
    course = genera::fit(rows, recipe, {}, control).report.newton.value();
  });
  std::printf(
      "{\"seconds\": %.6f, \"peak_mb\": %.1f, \"objective\": %.9f, \"gradient\": %.3e, "
      "\"iterations\": %d}\n",
      seconds, peak_megabytes(), course.objective, course.gradient, course.iterations);
}
