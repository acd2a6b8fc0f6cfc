#pragma once

#include <memory>
#include <span>

#include <genera/classifier.hpp>

namespace genera {

/// A model made ready for one row at a time: no allocation, no lock, no exception after
/// construction. Use one per thread; its answers have the same bits as those of
/// a batch.
class Predictor {
 public:
  explicit Predictor(ClassifierRef model);
  Predictor(const Predictor&);
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(const Predictor&);
  Predictor& operator=(Predictor&&) noexcept;
  ~Predictor();

  [[nodiscard]] Index features() const noexcept;
  [[nodiscard]] Index classes() const noexcept;

  /// The most probable class of `row` (the model's features in order), its posterior in `posterior`
  /// (K numbers, or empty if not wanted). NaN is a missing value, which is marginalised. -1 if a
  /// size is wrong, a value is infinite or so large that the scores of every class overflow, a
  /// count is negative, or one is missing that a linear model cannot do without; `posterior` then
  /// is the prior.
  Index predict(std::span<const double> row, std::span<double> posterior = {}) noexcept;
  Index predict(std::span<const float> row, std::span<double> posterior = {}) noexcept;

  /// log p(x), of the values that are there; NaN where the row cannot be used, and
  /// for a linear model, which has none.
  double log_density(std::span<const double> row) noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genera
