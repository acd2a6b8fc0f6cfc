// Statistics add up: learn in parts, let a new class appear, correct a wrong label, forget a row.
#include <cmath>
#include <cstdio>

#include <genera/genera.hpp>

namespace {

genera::Statistics learned(const genera::Matrix& rows, const std::vector<std::string>& labels) {
  return genera::collect(genera::make_table({"length", "width"}, rows, labels)).statistics;
}

}  // namespace

int main() {
  genera::Statistics all = learned({4, 2, {1.0, 0.9, 1.4, 1.2, 0.8, 1.1, 1.2, 0.7}},
                                   {"small", "small", "small", "small"});
  all.merge(learned({3, 2, {4.1, 3.0, 4.4, 3.3, 3.8, 3.5}}, {"large", "large", "large"}));

  // The third large one was a mistake: take it back, and learn it with its true label.
  const genera::Matrix wrong{1, 2, {3.8, 3.5}};
  (void)all.subtract(learned(wrong, {"large"}));
  all.merge(learned(wrong, {"odd"}));

  const genera::Model model = genera::estimate(all, genera::lda()).model;
  for (std::size_t k = 0; k < model.classes().size(); ++k)
    std::printf("%-6s prior %.3f\n", model.classes()[k].c_str(), model.prior().probabilities()[k]);

  const genera::Model at_once =
      genera::fit(genera::make_table(
                      {"length", "width"},
                      {7, 2, {1, 0.9, 1.4, 1.2, 0.8, 1.1, 1.2, 0.7, 4.1, 3, 4.4, 3.3, 3.8, 3.5}},
                      {"small", "small", "small", "small", "large", "large", "odd"}),
                  genera::lda())
          .model;
  const genera::Matrix row{1, 2, {3.0, 2.5}};
  const double difference =
      std::abs(genera::log_joint(model, row)(0, 0) - genera::log_joint(at_once, row)(0, 0));
  std::printf("learning in parts and at once differ by %.1e\n", difference);
  return difference < 1e-11 ? 0 : 1;
}
