// Softmax regression of rows in partitions: they exchange sums, as bytes, and never rows.
#include <cmath>
#include <cstdio>

#include <genera/genera.hpp>

int main() {
  const genera::Table iris = genera::read_csv("@iris", {.target = "species"});
  const genera::Rows all(iris);
  const std::vector<genera::Rows> partitions{all.between(0, 40), all.between(40, 150)};

  // [partitions]
  genera::SoftmaxStatistics statistics;
  for (const genera::Rows& rows : partitions)  // each where its rows are
    statistics.merge(genera::collect_softmax(rows));
  const genera::SoftmaxPlan plan = genera::plan_softmax(statistics, {.ridge = 0.5});

  std::vector<genera::SoftmaxPartition> workers;
  for (const genera::Rows& rows : partitions) workers.emplace_back(plan.layout, rows);
  const auto ask = [&](const genera::SoftmaxRequest& request) {
    genera::SoftmaxSums sums;  // merged in the order of partitions: same bits in every run
    for (genera::SoftmaxPartition& worker : workers) {
      const std::string answer = genera::to_bytes(worker.answer(request));
      sums.merge(genera::softmax_sums_from_bytes(answer));
    }
    return sums;
  };
  const genera::LinearModel model = genera::fit_softmax(plan, ask).model;
  // [partitions]

  const genera::LinearModel at_once = genera::fit(iris, genera::logistic({.ridge = 0.5})).model;
  const genera::Matrix p = genera::posterior(model, iris), q = genera::posterior(at_once, iris);
  double difference = 0;
  for (genera::Index i = 0; i < p.rows(); ++i) {
    for (genera::Index k = 0; k < p.columns(); ++k)
      difference = std::max(difference, std::abs(p(i, k) - q(i, k)));
  }
  std::printf("posteriors of two partitions and of all rows differ by %.1e\n", difference);
  return difference < 1e-8 ? 0 : 1;
}
