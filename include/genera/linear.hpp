#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <genera/model.hpp>

/// Linear classifiers without a density: softmax of intercept_k + sum_j coefficient_kj x_j.
namespace genera {

namespace detail {
class LinearWeights;
}

/// Numbers: one feature for each numeric column, or for each column of a sparse matrix.
struct NumberFeatures {
  std::vector<std::string> columns{};
  ColumnType type = ColumnType::numeric;  ///< or count
  /// Subtracted from the columns, so that numbers far from zero lose no digits; the intercepts are
  /// the scores at the centres. Empty: nothing is subtracted (always for sparse matrices).
  Vector centres{};
  friend bool operator==(const NumberFeatures&, const NumberFeatures&) = default;
};

/// Squares, and optionally products, of numeric columns of the model: ((x_a - centre_a) / scale_a)
/// ((x_b - centre_b) / scale_b).
struct ProductFeatures {
  std::vector<std::string> columns{};
  Vector centres{}, scales{};        ///< of the columns
  bool products = false;             ///< also the product of any two columns, after all squares
  std::vector<std::string> names{};  ///< as product_names gives them
  friend bool operator==(const ProductFeatures&, const ProductFeatures&) = default;
};
/// Names of the squares of the columns, a^2, and with `products` of their products, a*b, in order.
[[nodiscard]] std::vector<std::string> product_names(const std::vector<std::string>& columns,
                                                     bool products);
/// Indices of the two columns whose product each feature is.
[[nodiscard]] std::vector<std::pair<Index, Index>> factors_of(const ProductFeatures& features);

/// Indicators of the levels of a column. All are 0 for a level that did not occur in training.
struct LevelFeatures {
  std::string column{};
  std::vector<std::string> levels{};
  ColumnType type = ColumnType::categorical;  ///< or binary
  friend bool operator==(const LevelFeatures&, const LevelFeatures&) = default;
};

/// Counts of terms in a text.
struct TermFeatures {
  std::string column{};
  TextOptions text_options{};
  std::vector<std::string> terms{};
  friend bool operator==(const TermFeatures&, const TermFeatures&) = default;
};

using LinearFeatures = std::variant<NumberFeatures, LevelFeatures, TermFeatures, ProductFeatures>;

/// Names of the features: columns, levels, terms or products.
[[nodiscard]] const std::vector<std::string>& names_of(const LinearFeatures& features);

/// Complement naive Bayes (Rennie et al. 2003): coefficients are -log of the term probabilities of
/// all other classes; intercepts are 0.
struct ComplementParameters {
  LinearFeatures features{};  ///< counts, or terms of a text
  Matrix probabilities{};     ///< K x V, each > 0
  Vector lengths{};           ///< K: mean total of a row; empty: unknown
  double smoothing = 1;
  /// weight of the rows of each class; empty: parameters were given, not estimated
  Vector counts{};
  friend bool operator==(const ComplementParameters&, const ComplementParameters&) = default;
};

/// Softmax regression, with coefficients in the units of the columns (standardisation is folded
/// in). Rows with missing values are refused.
struct LogisticParameters {
  std::vector<LinearFeatures> features{};  ///< one part after the other
  Vector intercepts{};                     ///< K: the scores if all numbers are at their centres
  Matrix coefficients{};                   ///< K x p, features of all parts in order
  Vector counts{};
  Vector means{};                 ///< p: training means of the features; empty: unknown
  std::optional<double> ridge{};  ///< the ridge penalty of the fit; empty: coefficients were given
  friend bool operator==(const LogisticParameters&, const LogisticParameters&) = default;
};

/// A linear scorer of classes: it has posteriors and labels, but no density.
class LinearModel {
 public:
  enum class Kind { complement, logistic };
  using Parameters = std::variant<ComplementParameters, LogisticParameters>;

  /// `prior` holds the class frequencies, which are not part of the scores. `threads` is used for
  /// the preparation only. Throws Error (bad_model) if sizes disagree, a column occurs twice or a
  /// number is not finite.
  LinearModel(std::vector<std::string> classes, Prior prior, Parameters parameters,
              std::string target = "class", std::vector<std::string> notes = {}, int threads = 1);
  LinearModel(const LinearModel&);  // these five are defined in one source, to keep callers small
  LinearModel(LinearModel&&) noexcept;
  LinearModel& operator=(const LinearModel&);
  LinearModel& operator=(LinearModel&&) noexcept;
  ~LinearModel();

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(parameters_.index()); }
  /// True if a row with a missing cell cannot be scored; otherwise missing cells are left out.
  [[nodiscard]] bool needs_every_cell() const { return kind() == Kind::logistic; }
  /// True if the scores are fitted log probabilities; otherwise posteriors are only a ranking.
  [[nodiscard]] bool is_probabilistic() const { return kind() == Kind::logistic; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }
  [[nodiscard]] const Prior& prior() const { return prior_; }
  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] LabelType label_type() const { return label_type_; }
  [[nodiscard]] const Origin& origin() const { return origin_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// The columns of its features.
  [[nodiscard]] const std::vector<Column>& features() const { return features_; }
  /// The scores are sums over these parts.
  [[nodiscard]] std::span<const LinearFeatures> parts() const;
  /// K: the scores at zero in the units of the columns (of squares and products: where these are
  /// zero).
  [[nodiscard]] Vector intercepts() const;
  [[nodiscard]] Matrix coefficients() const;  ///< K x p, features of all parts in order

  /// How text columns become terms.
  [[nodiscard]] TextOptions text_options() const;
  /// Weight of the training rows of each class; empty if the parameters were given, not estimated.
  [[nodiscard]] const Vector& counts() const;
  /// Without the priors.
  [[nodiscard]] Index free_parameters() const;

  /// Divisor of all scores before the softmax.
  [[nodiscard]] double temperature() const { return temperature_; }
  /// Throws Error (bad_model) if it is below 1 or not finite.
  [[nodiscard]] LinearModel with_temperature(double temperature) const&;
  [[nodiscard]] LinearModel with_temperature(double temperature) &&;

  [[nodiscard]] LinearModel with_notes(std::vector<std::string> notes) const&;
  [[nodiscard]] LinearModel with_notes(std::vector<std::string> notes) &&;
  [[nodiscard]] LinearModel with_label_type(LabelType type) const;
  [[nodiscard]] LinearModel with_origin(Origin origin) const;

  [[nodiscard]] const detail::LinearWeights& weights() const { return *weights_; }
  friend bool operator==(const LinearModel& a, const LinearModel& b) {
    return a.classes_ == b.classes_ && a.prior_ == b.prior_ && a.parameters_ == b.parameters_ &&
           a.target_ == b.target_ && a.notes_ == b.notes_ && a.temperature_ == b.temperature_ &&
           a.label_type_ == b.label_type_ && a.origin_ == b.origin_;
  }

 private:
  std::vector<std::string> classes_;
  Prior prior_;
  Parameters parameters_;
  std::string target_;
  std::vector<std::string> notes_;
  std::vector<Column> features_;
  std::shared_ptr<const detail::LinearWeights> weights_;  // immutable, shared by copies
  double temperature_ = 1;
  LabelType label_type_ = LabelType::unknown;
  Origin origin_;
};

/// All kinds, in the order of `LinearModel::Parameters`.
inline constexpr std::array linear_kinds{LinearModel::Kind::complement,
                                         LinearModel::Kind::logistic};
[[nodiscard]] std::string_view name_of(LinearModel::Kind kind);
/// Name of the generative model of the same columns, to suggest if a density is needed.
[[nodiscard]] std::string_view generative_counterpart(LinearModel::Kind kind);

}  // namespace genera
