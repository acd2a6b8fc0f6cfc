#include <genera/predictor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "score/far_rows.hpp"
#include "score/scorer.hpp"

namespace genera {
struct Predictor::State {
  explicit State(ClassifierRef asked)
      : model(asked.copy()),
        row(known().features().size()),
        bound(known(), MatrixView(row.data(), 1, std::ssize(row), {std::ssize(row), 1})),
        scorer(bound, blocks::MissingMode::possible) {}
  State(const State& other) : State(other.known()) {}

  [[nodiscard]] ClassifierRef known() const { return model; }

  template <class T>
  bool ask(std::span<const T> asked, const score::Wanted& wanted) noexcept {
    if (asked.size() != row.size()) return false;
    std::copy(asked.begin(), asked.end(), row.begin());
    return scorer.run_one(0, wanted);
  }

  template <class T>
  Index predict(std::span<const T> asked, std::span<double> posterior) noexcept {
    const Vector& prior = known().prior().probabilities();
    const bool fits = posterior.empty() || posterior.size() == prior.size();
    std::int32_t label = -1;
    const score::Wanted wanted{.posterior = posterior.empty() ? nullptr : posterior.data(),
                               .labels = &label};
    const Index before = scorer.impossible();
    const bool answered = fits && ask(asked, wanted);
    const bool compared = scorer.impossible() == before || !score::has_far_number(row);
    if (answered && compared) return label;
    if (fits && !posterior.empty()) std::copy(prior.begin(), prior.end(), posterior.begin());
    return -1;
  }

  Classifier model;  // owned, because the scorer points to it
  Vector row;        // the current row
  score::BoundModel bound;
  score::Scorer scorer;
};

Predictor::Predictor(ClassifierRef model) : state_(std::make_unique<State>(model)) {}
Predictor::Predictor(const Predictor& other) : state_(std::make_unique<State>(*other.state_)) {}
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(const Predictor& other) { return *this = Predictor(other); }
Predictor& Predictor::operator=(Predictor&&) noexcept = default;
Predictor::~Predictor() = default;

Index Predictor::features() const noexcept {
  return static_cast<Index>(state_->known().features().size());
}
Index Predictor::classes() const noexcept {
  return static_cast<Index>(state_->known().classes().size());
}

Index Predictor::predict(std::span<const double> row, std::span<double> posterior) noexcept {
  return state_->predict(row, posterior);
}
Index Predictor::predict(std::span<const float> row, std::span<double> posterior) noexcept {
  return state_->predict(row, posterior);
}

double Predictor::log_density(std::span<const double> row) noexcept {
  double value = 0;
  const bool found = state_->known().model() && state_->ask(row, {.log_density = &value});
  return found ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace genera
