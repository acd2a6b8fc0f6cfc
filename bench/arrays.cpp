// Times the library on an array in a file: bench_arrays DATA LABELS ROWS COLUMNS MODEL JOB
// [REPEATS]. DATA holds doubles row by row, LABELS 32-bit integers. Prints the best time and the
// peak memory.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <genera/genera.hpp>

#include "clock.hpp"

namespace {

using genera::Index;

template <class T>
std::vector<T> read_array(const std::string& path, Index count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  if (!file) throw std::runtime_error("cannot read " + path);
  return values;
}

genera::Table table_of(const std::string& data, const std::string& labels, Index rows,
                       Index columns) {
  genera::Table table;
  table.row_count = rows;
  table.numbers = genera::Matrix(rows, columns, read_array<double>(data, rows * columns));
  for (Index j = 0; j < columns; ++j) table.columns.push_back({std::to_string(j)});
  table.labels = read_array<std::int32_t>(labels, rows);
  table.target = "class";
  const std::int32_t most = *std::max_element(table.labels.begin(), table.labels.end());
  for (std::int32_t k = 0; k <= most; ++k) table.classes.push_back(std::to_string(k));
  return table;
}

genera::Recipe recipe_of(const std::string& model) {
  if (model == "qda") return genera::qda();
  if (model == "lda") return genera::lda();
  if (model == "gnb") return genera::gaussian_naive_bayes();
  if (model == "qda-oas") {
    genera::Recipe recipe = genera::qda();
    recipe.gaussian.shrinkage.kind = genera::Shrinkage::Kind::oas;
    recipe.gaussian.raw_units = true;
    return recipe;
  }
  throw std::runtime_error("no such model: " + model);
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 6)
    throw std::runtime_error("usage: bench_arrays DATA LABELS ROWS COLUMNS MODEL JOB [REPEATS]");
  const genera::Table table =
      table_of(arguments[0], arguments[1], std::stol(arguments[2]), std::stol(arguments[3]));
  const genera::Recipe recipe = recipe_of(arguments[4]);
  const std::string& job = arguments[5];
  const int repeats = arguments.size() > 6 ? std::stoi(arguments[6]) : 3;
  const int threads = static_cast<int>(std::thread::hardware_concurrency());

  double time = 0;
  if (job == "fit") {
    time = best_time(repeats, [&] { (void)genera::fit(table, recipe, {}, {.threads = threads}); });
  } else {
    const genera::Model model = genera::fit(table, recipe, {}, {.threads = threads}).model;
    const genera::Control control{.threads = threads};
    if (job == "predict") time = best_time(repeats, [&] { (void)predict(model, table, control); });
    if (job == "predict_proba")
      time = best_time(repeats, [&] { (void)posterior(model, table, control); });
    if (job == "distances")
      time = best_time(repeats, [&] { (void)mahalanobis(model, table, control); });
    if (job == "row") {  // one row at a time, per row
      genera::Predictor predictor(model);
      std::vector<double> p(model.classes().size());
      const Index rows = std::min<Index>(table.rows(), 20000);
      time = best_time(repeats,
                       [&] {
                         for (Index i = 0; i < rows; ++i)
                           (void)predictor.predict(table.numbers.row(i), p);
                       }) /
             static_cast<double>(rows);
    }
  }
  std::printf("{\"seconds\": %.9f, \"peak_mb\": %.0f}\n", time, peak_megabytes());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_arrays: %s\n", e.what());
    return 1;
  }
}
