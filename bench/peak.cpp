// The limits of this machine, as JSON: double-precision FLOP rate of Eigen's matrix product and the
// bandwidth of reading memory, both with all cores.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include <Eigen/Core>

namespace {

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void on_all_cores(const std::function<void(unsigned)>& work) {
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(work, i);
}

double product_gflops() {
  constexpr Eigen::Index size = 768;
  const unsigned cores = std::thread::hardware_concurrency();
  const std::vector<Eigen::MatrixXd> a(cores, Eigen::MatrixXd::Random(size, size));
  std::vector<Eigen::MatrixXd> c(cores, Eigen::MatrixXd::Zero(size, size));
  double best = 0;
  for (int repeat = 0; repeat < 8; ++repeat) {
    const double time =
        seconds([&] { on_all_cores([&](unsigned i) { c[i].noalias() += a[i] * a[i]; }); });
    best = std::max(best, 2e-9 * cores * size * size * size / time);
  }
  return best;
}

double read_gigabytes_per_second() {
  const std::size_t each = 32 << 20;  // doubles: 256 MiB, far beyond any cache
  const unsigned cores = std::thread::hardware_concurrency();
  const std::vector<Eigen::VectorXd> data(cores,
                                          Eigen::VectorXd::Ones(static_cast<Eigen::Index>(each)));
  std::vector<double> sums(cores);
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double time =
        seconds([&] { on_all_cores([&](unsigned i) { sums[i] += data[i].sum(); }); });
    best = std::max(best, 8e-9 * cores * static_cast<double>(each) / time);
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0) > 0 ? best : 0;
}

}  // namespace

int main() {
  std::printf("{\"gflops\": %.1f, \"read_gb_per_s\": %.1f, \"cores\": %u}\n", product_gflops(),
              read_gigabytes_per_second(), std::thread::hardware_concurrency());
}
