// The hot loops alone, with their rates. Compare with bench_peak.
#include <benchmark/benchmark.h>

#include <vector>

#include <genera/predictor.hpp>
#include <genera/random.hpp>

#include "kernel/panel.hpp"
#include "kernel/scatter.hpp"

namespace {

using genera::Index;
using genera::Matrix;
using namespace genera::kernel;

Matrix normals(Index rows, Index columns) {
  genera::Rng rng(1);
  Matrix m(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (double& value : m.row(i)) value = rng.normal();
  }
  return m;
}

void rate(benchmark::State& state, double flops_per_iteration) {
  state.counters["flops"] = benchmark::Counter(
      flops_per_iteration * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void squared_products(benchmark::State& state) {
  const Index d = state.range(0);
  const PackedMatrix a = PackedMatrix::lower(normals(d, d));
  AlignedVector panel(static_cast<std::size_t>(d * panel_rows), 0.5), squares(panel_rows);
  for (auto _ : state) {
    add_squared_products(a, {0, a.tiles()}, panel.data(), panel_rows, squares.data());
    benchmark::DoNotOptimize(squares.data());
  }
  rate(state, static_cast<double>(d * (d + 1) * panel_rows));
}
BENCHMARK(squared_products)->Arg(20)->Arg(50)->Arg(200)->Arg(784);

void diagonal(benchmark::State& state) {
  const Index d = state.range(0);
  const PackedDiagonals classes(normals(9, d), normals(9, d));
  AlignedVector panel(static_cast<std::size_t>(d * panel_rows), 0.5),
      out(static_cast<std::size_t>(9 * panel_rows));
  for (auto _ : state) {
    diagonal_distances(classes, panel.data(), panel_rows, out.data());
    benchmark::DoNotOptimize(out.data());
  }
  rate(state, static_cast<double>(4 * 9 * d * panel_rows));
}
BENCHMARK(diagonal)->Arg(20)->Arg(50)->Arg(200);

void scatter(benchmark::State& state) {
  const Index d = state.range(0);
  const Index stride = panel_stride(d);
  const Index rows = 128;
  AlignedVector data(static_cast<std::size_t>(rows * stride), 0.5);
  AlignedVector sums(static_cast<std::size_t>(stride * stride));
  for (auto _ : state) {
    add_products({data.data(), rows, d, stride}, sums.data());
    benchmark::DoNotOptimize(sums.data());
  }
  rate(state, static_cast<double>(d * (d + 1) * rows));
}
BENCHMARK(scatter)->Arg(20)->Arg(50)->Arg(200)->Arg(784);

void gather(benchmark::State& state) {
  const Index d = state.range(0);
  const Matrix rows = normals(4096, d);
  std::vector<Index> columns;
  for (Index j = 0; j < d; ++j) columns.push_back(j);
  const PanelLayout layout(columns);
  AlignedVector panel(static_cast<std::size_t>(d * panel_rows));
  Index first = 0;
  for (auto _ : state) {
    gather_panel(rows, layout, first, panel_rows, panel.data());
    first = (first + panel_rows) % 4096;
    benchmark::DoNotOptimize(panel.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * d * panel_rows * 8);
}
BENCHMARK(gather)->Arg(20)->Arg(50)->Arg(200);

/// The embedded case: one row, d = 20, K = 5, its own covariances.
void one_row(benchmark::State& state) {
  genera::GaussianParameters p;
  p.means = normals(5, 20);
  for (int j = 0; j < 20; ++j) p.columns.push_back(std::to_string(j));
  for (int k = 0; k < 5; ++k) {
    Matrix identity(20, 20);
    for (Index j = 0; j < 20; ++j) identity(j, j) = 1 + k;
    p.covariances.push_back(identity);
  }
  const genera::Model model({"a", "b", "c", "d", "e"}, genera::Prior::uniform(5),
                            {genera::GaussianBlock(p)});
  genera::Predictor predictor(model);
  const std::vector<double> row(20, 0.3);
  std::vector<double> posterior(5);
  for (auto _ : state) {
    benchmark::DoNotOptimize(predictor.predict(row, posterior));
    benchmark::DoNotOptimize(posterior.data());
  }
}
BENCHMARK(one_row);

}  // namespace

BENCHMARK_MAIN();
