// Times the library on an array in a file: bench_arrays DATA LABELS ROWS COLUMNS MODEL JOB
// [REPEATS]. DATA holds doubles row by row, LABELS 32-bit integers; a JOB that ends in _float32
// gets the numbers as floats. Prints the best time and the peak memory. Without a JOB it reads jobs
// from standard input and does each of them once, so that others can take turns with it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
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

genera::Table table_of(const std::string& data, const std::string& labels, Index rows,
                       Index columns) {
  genera::Table table;
  table.row_count = rows;
  table.numbers = genera::Matrix::for_overwrite(rows, columns);
  read_array(data, table.numbers.data(), rows * columns);
  table.labels.resize(static_cast<std::size_t>(rows));
  read_array(labels, table.labels.data(), rows);
  for (Index j = 0; j < columns; ++j) table.columns.push_back({std::to_string(j)});
  table.target = "class";
  const std::int32_t max = *std::max_element(table.labels.begin(), table.labels.end());
  for (std::int32_t k = 0; k <= max; ++k) table.classes.push_back(std::to_string(k));
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

/// What is timed, on rows in memory.
class Jobs {
 public:
  Jobs(const genera::Table& table, const std::string& model)
      : table_(table), recipe_(recipe_of(model)) {}

  [[nodiscard]] double seconds(const std::string& job, int repeats) {
    if (job == "row") return one_row(repeats);
    const std::string ending = "_float32";
    if (job.ends_with(ending))
      return seconds(job.substr(0, job.size() - ending.size()), as_floats(), repeats);
    return seconds(job, table_, repeats);
  }

 private:
  [[nodiscard]] double seconds(const std::string& job, const genera::Rows& rows, int repeats) {
    if (job == "fit")
      return best_time(repeats, [&] { (void)genera::fit(rows, recipe_, {}, control_); });
    if (!model_) model_ = genera::fit(table_, recipe_, {}, control_).model;
    if (job == "predict")
      return best_time(repeats, [&] { (void)predict(*model_, rows, control_); });
    if (job == "predict_proba")
      return best_time(repeats, [&] { (void)posterior(*model_, rows, control_); });
    if (job == "distances")
      return best_time(repeats, [&] { (void)mahalanobis(*model_, rows, control_); });
    throw std::runtime_error("no such job: " + job);
  }

  [[nodiscard]] genera::Rows as_floats() {
    const Index columns = table_.numbers.columns();
    const Index count = table_.rows() * columns;
    float_memory_ = genera::Matrix::for_overwrite((count + 1) / 2, 1);
    auto* floats = reinterpret_cast<float*>(float_memory_.data());
    std::copy_n(table_.numbers.data(), count, floats);
    std::vector<std::string> names;
    for (const genera::Column& column : table_.columns) names.push_back(column.name);
    return labelled_rows(genera::MatrixView(floats, table_.rows(), columns, {columns, 1}),
                         table_.labels, {.names = names, .classes = table_.classes});
  }

  /// One row at a time, per row.
  [[nodiscard]] double one_row(int repeats) {
    if (!model_) model_ = genera::fit(table_, recipe_, {}, control_).model;
    genera::Predictor predictor(*model_);
    std::vector<double> p(model_->classes().size());
    const Index rows = std::min<Index>(table_.rows(), 20000);
    const auto ask_all = [&] {
      for (Index i = 0; i < rows; ++i) (void)predictor.predict(table_.numbers.row(i), p);
    };
    return best_time(repeats, ask_all) / static_cast<double>(rows);
  }

  const genera::Table& table_;
  genera::Recipe recipe_;
  genera::Control control_{.threads = static_cast<int>(std::thread::hardware_concurrency())};
  std::optional<genera::Model> model_;
  genera::Matrix float_memory_{};  // in large pages, as NumPy keeps arrays and Matrix doubles
};

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 5)
    throw std::runtime_error("usage: bench_arrays DATA LABELS ROWS COLUMNS MODEL [JOB [REPEATS]]");
  const genera::Table table =
      table_of(arguments[0], arguments[1], std::stol(arguments[2]), std::stol(arguments[3]));
  Jobs jobs(table, arguments[4]);
  const auto print = [&](const std::string& job, int repeats) {
    const double seconds = jobs.seconds(job, repeats);
    std::printf("{\"seconds\": %.9f, \"peak_mb\": %.0f}\n", seconds, peak_megabytes());
    std::fflush(stdout);
  };
  if (arguments.size() > 5)
    print(arguments[5], arguments.size() > 6 ? std::stoi(arguments[6]) : 3);
  else
    for (std::string job; std::getline(std::cin, job);) print(job, 1);
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
