#pragma once

#include <string>
#include <utility>
#include <vector>

#include <genera/types.hpp>

namespace genera {

/// Class probabilities: K numbers >= 0 that sum to one.
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

/// The prior as requested by the user, before the classes are known.
struct PriorChoice {
  enum class Kind { empirical, uniform, given };
  Kind kind = Kind::empirical;
  std::vector<std::pair<std::string, double>> given;  ///< class name and probability
};

/// The prior for these classes, whose weights are `counts`. Throws Error (bad_argument) if given
/// priors contain an unknown class (with the nearest name), lack a class, or do not sum to one.
[[nodiscard]] Prior resolve(const PriorChoice& choice, const std::vector<std::string>& classes,
                            const Vector& counts);

}  // namespace genera
