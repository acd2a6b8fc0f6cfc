#pragma once

#include <string>
#include <utility>
#include <vector>

#include <genera/types.hpp>

namespace genera {

/// Probabilities of the classes, K of them, each >= 0, summing to one.
class Prior {
 public:
  /// Throws Error (bad_argument) unless every weight is finite and >= 0 and the sum is positive.
  explicit Prior(Vector weights);
  [[nodiscard]] static Prior uniform(Index classes);

  [[nodiscard]] const Vector& probabilities() const { return probabilities_; }
  [[nodiscard]] const Vector& log() const { return log_; }
  friend bool operator==(const Prior&, const Prior&) = default;

 private:
  Vector probabilities_;
  Vector log_;
};

/// What the user asks of the prior, before the classes are known.
struct PriorChoice {
  enum class Kind { empirical, uniform, given };
  Kind kind = Kind::empirical;
  std::vector<std::pair<std::string, double>> given;  ///< class name and probability
};

/// Resolves a choice for these classes; `counts` are their weights. Throws Error (bad_argument) if
/// a given prior names an unknown class (with the nearest name), misses one, or does not sum to
/// one.
[[nodiscard]] Prior resolve(const PriorChoice& choice, const std::vector<std::string>& classes,
                            const Vector& counts);

}  // namespace genera
