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

/// Independent columns of counts: how often, whatever the sum of a row.
struct PoissonParameters {
  std::vector<std::string> columns{};  ///< p names
  Matrix rates{};                      ///< K x p: the mean count, each from 0 to 2^53
  double smoothing = 1;
  Vector counts{};  ///< weight of the rows behind each class; empty: given, not estimated
  friend bool operator==(const PoissonParameters&, const PoissonParameters&) = default;
};

/// p(x | k) = product over columns of exp(-rate) rate^x / x!. A missing count is left out. Where a
/// rate is zero, a count above zero is impossible: -inf, never NaN.
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
