#include <genera/predictor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "query/engine.hpp"
#include "query/missing/incomplete_rows.hpp"

namespace genera {
struct Predictor::State {
  explicit State(const Model& m)
      : model(m),
        rows(query::rows_of(model, no_rows())),
        engine(model, rows),
        incomplete(model, rows) {}
  State(const State& other) : State(other.model) {}

  [[nodiscard]] MatrixView no_rows() const {
    const auto d = static_cast<Index>(model.features().size());
    return {static_cast<const double*>(nullptr), 0, d, {d, 1}};
  }

  template <class T>
  bool ask(std::span<const T> row, const query::Wanted& wanted) noexcept {
    const auto d = static_cast<Index>(row.size());
    if (row.size() != model.features().size()) return false;
    const MatrixView numbers(row.data(), 1, d, {d, 1});
    return engine.run(numbers, query::RowRange{0, 1}, wanted) ||
           incomplete.run_one(numbers, 0, wanted);
  }

  template <class T>
  Index predict(std::span<const T> row, std::span<double> posterior) noexcept {
    const Vector& prior = model.prior().probabilities();
    const bool fits = posterior.empty() || posterior.size() == prior.size();
    std::int32_t label = -1;
    const query::Wanted wanted{.posterior = posterior.empty() ? nullptr : posterior.data(),
                               .labels = &label};
    if (fits && ask(row, wanted)) return label;
    if (fits && !posterior.empty()) std::copy(prior.begin(), prior.end(), posterior.begin());
    return -1;
  }

  Model model;  // its blocks own what the engine points to
  query::Rows rows;
  query::Engine engine;
  query::IncompleteRows incomplete;
};

Predictor::Predictor(const Model& model) : state_(std::make_unique<State>(model)) {}
Predictor::Predictor(const Predictor& other) : state_(std::make_unique<State>(*other.state_)) {}
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(const Predictor& other) { return *this = Predictor(other); }
Predictor& Predictor::operator=(Predictor&&) noexcept = default;
Predictor::~Predictor() = default;

Index Predictor::features() const noexcept {
  return static_cast<Index>(state_->model.features().size());
}
Index Predictor::classes() const noexcept {
  return static_cast<Index>(state_->model.classes().size());
}

Index Predictor::predict(std::span<const double> row, std::span<double> posterior) noexcept {
  return state_->predict(row, posterior);
}
Index Predictor::predict(std::span<const float> row, std::span<double> posterior) noexcept {
  return state_->predict(row, posterior);
}

double Predictor::log_density(std::span<const double> row) noexcept {
  double value = 0;
  return state_->ask(row, {.log_density = &value}) ? value
                                                   : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace genera
