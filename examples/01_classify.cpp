// From a table to posterior probabilities and an honest score.
#include <cstdio>

#include <genera/genera.hpp>

int main() {
  // [classify]
  const genera::Table iris = genera::read_csv("@iris", {.target = "species"});
  const auto [model, report] = genera::fit(iris, genera::qda());
  const genera::Matrix p = genera::posterior(model, iris);  // rows x classes
  const genera::Evaluation score = genera::evaluate(model, iris);
  // [classify]

  for (const genera::Note& note : report.notes) std::printf("%s\n", in_words(note).c_str());
  const std::vector<std::string>& classes = model.classes();
  for (const genera::Index row : {0, 70, 149}) {
    std::printf("row %3td:", row + 1);
    for (std::size_t k = 0; k < classes.size(); ++k)
      std::printf("  %s %.4f", classes[k].c_str(), p(row, static_cast<genera::Index>(k)));
    std::printf("\n");
  }
  std::printf("%td errors in %td rows, log loss %.4f\n", score.errors(), score.rows(),
              score.log_loss());
  return score.errors() == 3 ? 0 : 1;  // the three rows every quadratic classifier gets wrong
}
