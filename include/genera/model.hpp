#pragma once

#include <string>
#include <utility>
#include <vector>

#include <genera/blocks.hpp>
#include <genera/table.hpp>

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

/// A joint distribution of class and features: prior times a product of blocks.
class Model {
 public:
  /// Throws Error (bad_model) if the blocks disagree about the classes or share a column.
  Model(std::vector<std::string> classes, Prior prior, std::vector<Block> blocks,
        std::string target = "class", std::vector<std::string> notes = {});

  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }
  [[nodiscard]] const Prior& prior() const { return prior_; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] const std::vector<Column>& features() const {
    return features_;
  }  ///< of all blocks
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// How its text columns become terms.
  [[nodiscard]] TextOptions text_options() const;
  /// Weight of the rows behind each class; empty if the parameters were given, not estimated.
  [[nodiscard]] const Vector& counts() const;

  /// The same densities under another prior.
  [[nodiscard]] Model with_prior(Prior prior) const;
  [[nodiscard]] Model with_notes(std::vector<std::string> notes) const&;
  [[nodiscard]] Model with_notes(std::vector<std::string> notes) &&;

  struct ParameterCount {
    Index priors = 0, means = 0, covariances = 0, probabilities = 0;
    Index weights = 0;  ///< of the components of mixtures
    [[nodiscard]] Index total() const {
      return priors + means + covariances + probabilities + weights;
    }
  };
  [[nodiscard]] ParameterCount free_parameters() const;

  friend bool operator==(const Model&, const Model&) = default;

 private:
  std::vector<std::string> classes_;
  Prior prior_;
  std::vector<Block> blocks_;
  std::string target_;
  std::vector<std::string> notes_;
  std::vector<Column> features_;
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
