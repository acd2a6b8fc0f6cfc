// Online learning on a stream that drifts: each row is predicted before it is learned, and the
// oldest is forgotten exactly, so that the model is always that of the last rows, at a cost that
// does not depend on how many they are.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>

#include <genera/genera.hpp>

namespace {

constexpr int rows = 3000, window = 300;

/// Three classes whose means go round in a circle, one turn in total.
genera::Table next_row(int t, genera::Rng& rng) {
  const auto k = static_cast<int>(3 * rng.uniform());
  const double angle = 2 * M_PI * (k / 3.0 + static_cast<double>(t) / rows);
  const double x = 3 * std::cos(angle) + rng.normal(), y = 3 * std::sin(angle) + rng.normal();
  return genera::make_table({"x", "y"}, {1, 2, {x, y}}, {std::string(1, "abc"[k])});
}

bool is_right(const genera::Statistics& learned, const genera::Table& row) {
  const genera::Model model = genera::estimate(learned, genera::lda()).model;
  const auto label = static_cast<std::size_t>(genera::predict(model, row)[0]);
  return model.classes()[label] == row.classes[0];
}

double largest_difference(const genera::Model& a, const genera::Model& b) {
  const genera::Matrix at{3, 2, {0.0, 0.0, 2.0, -1.0, -3.0, 3.0}};
  const genera::Matrix left = genera::log_joint(a, at), right = genera::log_joint(b, at);
  double largest = 0;
  for (genera::Index i = 0; i < left.rows(); ++i)
    for (genera::Index k = 0; k < left.columns(); ++k)
      largest = std::max(largest, std::abs(left(i, k) - right(i, k)));
  return largest;
}

}  // namespace

int main() {
  genera::Rng rng(6);
  std::deque<genera::Table> recent;
  genera::Statistics sliding, everything;
  int right = 0, right_of_everything = 0;
  for (int t = 0; t < rows + window; ++t) {
    recent.push_back(next_row(t, rng));
    const genera::Table& row = recent.back();
    if (t >= window) {
      right += is_right(sliding, row);
      right_of_everything += is_right(everything, row);
    }
    // [online]
    sliding.add(row);  // learn the newest row ...
    if (t >= window) {
      (void)sliding.subtract(genera::collect(recent.front()).statistics);  // ... forget the oldest
      recent.pop_front();
    }
    // [online]
    everything.add(row);
  }
  std::printf("right before learning: %.1f%% with the last %d rows, %.1f%% with all of them\n",
              100.0 * right / rows, window, 100.0 * right_of_everything / rows);

  genera::Table last = recent.front();
  for (std::size_t i = 1; i < recent.size(); ++i) last.append(recent[i]);
  const double drift = largest_difference(genera::estimate(sliding, genera::lda()).model,
                                          genera::fit(last, genera::lda()).model);
  std::printf("%d rows learned, %d forgotten: differs from a fit of the rest by %.1e\n",
              rows + window, rows, drift);

  sliding.forget_class("b");
  genera::Statistics without;
  for (const genera::Table& row : recent)
    if (row.classes[0] != "b") without.add(row);
  const double gap = largest_difference(genera::estimate(sliding, genera::lda()).model,
                                        genera::estimate(without, genera::lda()).model);
  std::printf("class 'b' forgotten: differs from never having seen it by %.1e\n", gap);
  return right > right_of_everything && drift < 1e-9 && gap < 1e-9 ? 0 : 1;
}
