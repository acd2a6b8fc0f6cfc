#pragma once

#include <memory>
#include <span>

#include <genera/classifier.hpp>

namespace genera {

/// A model prepared for scoring one row at a time: no allocation, lock or exception after
/// construction. Use one per thread. Its answers have the same bits as those of a batch.
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

  /// Returns the index of the most probable class of `row` (the features in the order of the model)
  /// and writes the posterior to `posterior` (K numbers, or empty if not wanted). NaN is a missing
  /// value and is marginalised. Returns -1, with the prior in `posterior`, if a size is wrong, a
  /// value is infinite or so large that the scores of all classes overflow, a count is negative, or
  /// a value that a linear model needs is missing.
  Index predict(std::span<const double> row, std::span<double> posterior = {}) noexcept;
  Index predict(std::span<const float> row, std::span<double> posterior = {}) noexcept;

  /// log p(x) of the values that are present. NaN if the row cannot be used, and for linear models.
  double log_density(std::span<const double> row) noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genera
