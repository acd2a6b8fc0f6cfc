#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <genera/blocks.hpp>
#include <genera/error.hpp>
#include <genera/facts.hpp>
#include <genera/types.hpp>

/// What a block says of itself, as data.
namespace genera {

using CovarianceMatrix = std::variant<Matrix, Diagonal>;

/// Numbers for reading, with a name for each row and each column.
struct NumberTable {
  std::string title{};                         ///< empty: it needs none
  Advice remark{};                             ///< beside the title; its text may be empty
  std::string corner{};                        ///< what its rows are
  std::vector<std::string> rows{}, columns{};  ///< no rows: the numbers are too many to be read
  Matrix values{};                             ///< rows x columns
  Index max_rows = 100;                        ///< of more the first are worth reading
  Advice rest{};                               ///< where the others are, if there is more to say
};

/// score_k = intercept_k + x' coefficients_k
struct LinearScores {
  Vector intercepts;    ///< K
  Matrix coefficients;  ///< K x features
};

/// score_k = intercept_k + sum_j coefficient_kj (x_j - centre_j), log prior aside and up to what
/// all classes share. A level is 1 where a cell has it and 0 elsewhere.
struct FeatureScores {
  std::vector<std::string> names{};  ///< of the features: columns, levels, terms
  Vector centres{};                  ///< empty: 0
  Vector intercepts{};               ///< K
  Matrix coefficients{};             ///< K x features
};

struct BlockDescription {
  std::string type{};                ///< as files call it: "gaussian"
  std::string model{};               ///< as a recipe calls it: "qda"
  std::string meaning{};             ///< "a full covariance of its own for each class"
  std::vector<std::string> lines{};  ///< how it was estimated
  std::vector<NumberTable> tables{};
  Facts facts{};  ///< everything but the moments

  struct Moments {
    Matrix means;                               ///< K x d
    std::vector<CovarianceMatrix> covariances;  ///< K, or one if all classes share it
  };
  /// Of its columns in each class, if they are its parameters.
  std::optional<Moments> moments{};
  /// Enough to compare the classes, log prior aside; none: its scores are not linear.
  std::optional<LinearScores> linear{};
};

/// As a recipe calls it: "qda", "multinomial".
[[nodiscard]] std::string_view name_of(const Block& block);

/// The covariances of the components of a mixture, in words.
[[nodiscard]] std::string_view meaning_of_components(Covariance covariance);

}  // namespace genera
