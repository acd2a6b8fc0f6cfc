#include "score/temperature.hpp"

#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/infinity.hpp"

namespace genera::score {

void require_temperature(double temperature) {
  if (temperature >= 1 && std::isfinite(temperature)) return;
  throw Error(Errc::bad_model, fmt::format("the temperature of a model is {}", temperature),
              "give a number of at least 1, which changes nothing");
}

Vector tempered(ClassifierRef model, std::span<const double> log_joint) {
  Vector scores(log_joint.begin(), log_joint.end());
  const double temperature = model.temperature();
  if (temperature == 1) return scores;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const double prior = model.model() ? model.prior().log()[k] : 0;
    if (prior > -kernel::infinity) scores[k] = prior + (scores[k] - prior) / temperature;
  }
  return scores;
}

Vector start_before_division(ClassifierRef model, Vector start) {
  if (model.temperature() == 1 || !model.model()) return start;
  for (double& value : start) value *= model.temperature();
  return start;
}

}  // namespace genera::score
