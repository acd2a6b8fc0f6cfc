// Times the library on what is counted.
//   bench_discrete text JOB TRAIN TEST MODEL REPEATS     files to models, files to labels
//   bench_discrete array FOLDER MODEL REPEATS [JOB]      the arrays that bench/discrete.py made;
//   JOB
//                                                        is fit or predict
// Prints the job, the best time and the peak memory.
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

#include "arrays_io.hpp"
#include "clock.hpp"

namespace {

using genera::Index;

int all_threads() { return static_cast<int>(std::thread::hardware_concurrency()); }

genera::AnyRecipe recipe_of(const std::string& model) {
  if (model == "bernoulli") return genera::bernoulli();
  if (model == "complement") return genera::complement();
  return genera::multinomial();
}

genera::Classifier fit_file(const std::string& path, const std::string& model) {
  genera::RowStream rows(path, {}, {.default_type = genera::ColumnType::count});
  return genera::fit(rows, recipe_of(model), {}, {.threads = all_threads()}).model;
}

/// Labels of a file, row by row: the number of rows.
Index predict_file(const genera::Classifier& model, const std::string& path) {
  genera::RowStream rows(path, {}, genera::roles_for(model));
  Index count = 0;
  rows.for_each_chunk({.threads = all_threads()},
                      [&](genera::Table&& chunk) -> std::function<void()> {
                        const std::vector<std::int32_t> labels = genera::predict(model, chunk);
                        return [&count, n = std::ssize(labels)] { count += n; };
                      });
  return count;
}

std::string job_of(const std::vector<std::string>& words) {
  if (words.at(0) == "text") return words.at(1);
  return words.size() > 4 ? words[4] : "fit";
}

double time_text(const std::vector<std::string>& words) {
  const int repeats = std::stoi(words.at(5));
  if (job_of(words) == "fit")
    return best_time(repeats, [&] { (void)fit_file(words.at(2), words.at(4)); });
  const genera::Classifier model = fit_file(words.at(2), words.at(4));
  return best_time(repeats, [&] { (void)predict_file(model, words.at(3)); });
}

void add_codes(const std::string& folder, genera::ColumnType type, genera::Table& table) {
  const auto codes = read_array<std::int32_t>(folder + "/codes.bin");
  const Index columns = std::ssize(codes) / table.rows();
  const std::int32_t max = *std::max_element(codes.begin(), codes.end());
  std::vector<std::string> levels;
  for (std::int32_t v = 0; v <= max; ++v) levels.push_back(std::to_string(v));
  table.codes = genera::Codes(table.rows(), columns);
  for (Index j = 0; j < columns; ++j) {
    table.columns.push_back({std::to_string(j), type});
    table.levels.push_back(levels);
    for (Index i = 0; i < table.rows(); ++i)
      table.codes(i, j) = codes[static_cast<std::size_t>(i * columns + j)];
  }
}

void add_counts(const std::string& folder, genera::Table& table) {
  std::vector<double> counts = read_array<double>(folder + "/counts.bin");
  const Index columns = std::ssize(counts) / table.rows();
  for (Index j = 0; j < columns; ++j)
    table.columns.push_back({std::to_string(j), genera::ColumnType::count});
  table.numbers = genera::Matrix(table.rows(), columns, std::move(counts));
}

void add_sparse(const std::string& folder, genera::Table& table) {
  genera::SparseColumns sparse;
  sparse.kind = genera::SparseKind::counts;
  for (const std::int64_t begin : read_array<std::int64_t>(folder + "/begins.bin"))
    if (begin > 0) sparse.begins.push_back(begin);
  sparse.places = read_array<std::int32_t>(folder + "/places.bin");
  sparse.values = read_array<double>(folder + "/values.bin");
  const std::int32_t max = *std::max_element(sparse.places.begin(), sparse.places.end());
  for (std::int32_t j = 0; j <= max; ++j) sparse.terms.push_back(std::to_string(j));
  table.sparse.push_back(std::move(sparse));
}

double time_array(const std::vector<std::string>& words) {
  const std::string& folder = words.at(1);
  const std::string& model = words.at(2);
  genera::Table table;
  table.labels = read_array<std::int32_t>(folder + "/labels.bin");
  table.row_count = std::ssize(table.labels);
  table.target = "class";
  const std::int32_t max = *std::max_element(table.labels.begin(), table.labels.end());
  for (std::int32_t k = 0; k <= max; ++k) table.classes.push_back(std::to_string(k));
  const bool sparse = std::ifstream(folder + "/begins.bin").good();
  if (sparse)
    add_sparse(folder, table);
  else if (model == "multinomial")
    add_counts(folder, table);
  else
    add_codes(folder,
              model == "bernoulli" ? genera::ColumnType::binary : genera::ColumnType::categorical,
              table);
  const int repeats = std::stoi(words.at(3));
  const auto learn = [&] {
    return genera::fit(table, recipe_of(model), {}, {.threads = all_threads()}).model;
  };
  if (job_of(words) == "fit") return best_time(repeats, [&] { (void)learn(); });
  const genera::Classifier learned = learn();
  return best_time(repeats,
                   [&] { (void)genera::predict(learned, table, {.threads = all_threads()}); });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const double time = words.at(0) == "text" ? time_text(words) : time_array(words);
    std::printf("{\"job\": \"%s\", \"seconds\": %.9f, \"peak_mb\": %.0f}\n", job_of(words).c_str(),
                time, peak_megabytes());
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_discrete: %s\n", e.what());
    return 1;
  }
}
