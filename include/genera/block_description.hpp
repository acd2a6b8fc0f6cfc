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

/// Description of a block as data.
namespace genera {

using CovarianceMatrix = std::variant<Matrix, Diagonal>;

/// A table of numbers for display, with row and column names.
struct NumberTable {
  std::string title{};                         ///< empty: no title
  Advice remark{};                             ///< shown beside the title; may be empty
  std::string corner{};                        ///< header of the row names
  std::vector<std::string> rows{}, columns{};  ///< no rows: too many numbers to display
  Matrix values{};                             ///< rows x columns
  Index max_rows = 100;                        ///< number of rows worth displaying
  Advice rest{};                               ///< where to find the other rows, if any
};

/// score_k = intercept_k + x' coefficients_k
struct LinearScores {
  Vector intercepts;    ///< K
  Matrix coefficients;  ///< K x features
};

/// score_k = intercept_k + sum_j coefficient_kj (x_j - centre_j), without log priors and up to a
/// term shared by all classes. The feature of a level is 1 in cells with that level and 0
/// elsewhere.
struct FeatureScores {
  std::vector<std::string> names{};  ///< features: columns, levels, terms
  Vector centres{};                  ///< empty: 0
  Vector intercepts{};               ///< K
  Matrix coefficients{};             ///< K x features
};

struct BlockDescription {
  std::string type{};                ///< name in files: "gaussian"
  std::string model{};               ///< name in recipes: "qda"
  std::string meaning{};             ///< "a full covariance of its own for each class"
  std::vector<std::string> lines{};  ///< how it was estimated
  std::vector<NumberTable> tables{};
  Facts facts{};  ///< all but the moments

  struct Moments {
    Matrix means;                               ///< K x d
    std::vector<CovarianceMatrix> covariances;  ///< K, or one if all classes share it
  };
  /// Moments of its columns in each class, if they are its parameters.
  std::optional<Moments> moments{};
  /// Linear scores that determine the posterior, without log priors; empty if the scores are not
  /// linear.
  std::optional<LinearScores> linear{};
};

/// Its name in recipes: "qda", "multinomial".
[[nodiscard]] std::string_view name_of(const Block& block);

/// The covariances of the components of a mixture, in words.
[[nodiscard]] std::string_view meaning_of_components(Covariance covariance);

}  // namespace genera
