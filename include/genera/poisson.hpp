#pragma once

#include <memory>
#include <string>
#include <vector>

#include <genera/table.hpp>
#include <genera/types.hpp>

namespace genera {

namespace detail {
class RateTable;
}

/// Independent Poisson counts.
struct PoissonParameters {
  std::vector<std::string> columns{};  ///< p names
  Matrix rates{};                      ///< K x p: mean counts, from 0 to 2^53
  double smoothing = 1;
  /// weight of the rows of each class; empty: parameters were given, not estimated
  Vector counts{};
  friend bool operator==(const PoissonParameters&, const PoissonParameters&) = default;
};

/// p(x | k) = product over columns of exp(-rate) rate^x / x!. Missing counts are left out. With
/// rate zero, a positive count has log probability -inf, never NaN.
class PoissonBlock {
 public:
  /// Throws Error (bad_model) if sizes disagree or a rate is out of range.
  explicit PoissonBlock(PoissonParameters parameters);

  [[nodiscard]] const PoissonParameters& parameters() const { return parameters_; }
  [[nodiscard]] std::vector<Column> features() const;
  [[nodiscard]] Index classes() const { return parameters_.rates.rows(); }
  [[nodiscard]] const detail::RateTable& density() const { return *density_; }
  friend bool operator==(const PoissonBlock& a, const PoissonBlock& b) {
    return a.parameters_ == b.parameters_;
  }

 private:
  PoissonParameters parameters_;
  std::shared_ptr<const detail::RateTable> density_;  // immutable, shared by copies
};

}  // namespace genera
