// Times a mixture of Gaussians without labels on an array that bench/mixture.py made.
//   bench_mixture X.bin COLUMNS COMPONENTS ITERATIONS REPEATS
// One start, full covariances. Prints the best time, the peak memory and the log-likelihood per
// row.
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

genera::Table read_table(const std::string& path, Index columns) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<double> values(static_cast<std::size_t>(file.tellg()) / sizeof(double));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(double)));
  std::vector<std::string> names;
  for (Index j = 0; j < columns; ++j) names.push_back("x" + std::to_string(j + 1));
  const Index rows = std::ssize(values) / columns;
  return genera::make_table(names, genera::Matrix(rows, columns, values));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const genera::Table table = read_table(words.at(0), std::stol(words.at(1)));
  genera::ClusterOptions options;
  const Index components = std::stol(words.at(2));
  options.mixture = {.components = {components, components},
                     .starts = 1,
                     .max_iterations = std::stoi(words.at(3))};
  options.covariances = {genera::Covariance::full};
  const genera::Control control{.threads = static_cast<int>(std::thread::hardware_concurrency())};
  double log_likelihood = 0;
  const double seconds = best_time(std::stoi(words.at(4)), [&] {
    log_likelihood = genera::cluster(table, options, control).candidates.front().log_likelihood;
  });
  std::printf("{\"seconds\": %.6f, \"peak_mb\": %.1f, \"log_likelihood\": %.6f}\n", seconds,
              peak_megabytes(), log_likelihood / static_cast<double>(table.rows()));
}
