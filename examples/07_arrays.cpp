// Numbers that are already in memory: floats of any layout and whole numbers as labels. Nothing is
// copied.
#include <cstdio>
#include <vector>

#include <genera/genera.hpp>

int main() {
  const genera::Table iris = genera::read_csv("@iris");
  std::vector<float> samples;  // 150 rows of 4 numbers
  for (genera::Index i = 0; i < iris.rows(); ++i) {
    for (const double value : iris.numbers.row(i)) samples.push_back(static_cast<float>(value));
  }
  const std::vector<int> labels(iris.labels.begin(), iris.labels.end());

  // [arrays]
  const genera::Rows rows = genera::labelled_rows({samples.data(), 150, 4}, labels);
  const genera::Model model = genera::fit(rows, genera::qda()).model;
  const genera::Matrix p = genera::posterior(model, rows);  // rows x classes
  // [arrays]

  // Columns of the same buffer can be skipped, or lie the other way: strides are counted in floats.
  const genera::MatrixView petals(samples.data() + 2, 150, 2, {4, 1});
  const genera::Model small =
      genera::fit(genera::labelled_rows(petals, labels), genera::qda()).model;

  int wrong = 0, wrong_by_petals = 0;
  const std::vector<std::int32_t> all = genera::predict(model, rows);
  const std::vector<std::int32_t> some = genera::predict(small, petals);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    wrong += all[i] != labels[i];
    wrong_by_petals += some[i] != labels[i];
  }
  std::printf("%d of 150 are wrong, %d by the petals alone; the first is of class %s with %.6f\n",
              wrong, wrong_by_petals, model.classes()[0].c_str(), p(0, 0));
  return wrong == 3 && wrong_by_petals == 3 ? 0 : 1;
}
