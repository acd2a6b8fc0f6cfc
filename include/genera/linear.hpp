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

/// Classifiers that score and have no density: softmax of intercept_k + sum_j coefficient_kj x_j.
namespace genera {

namespace detail {
class LinearWeights;
}

/// Numbers: a feature for each column, or for each column of a sparse matrix.
struct NumberFeatures {
  std::vector<std::string> columns{};
  ColumnType type = ColumnType::numeric;  ///< or count
  /// Subtracted from the columns, so that numbers far from zero lose no digits: the intercepts are
  /// the scores where every column is at its centre. Empty: nothing is. Not of a sparse matrix.
  Vector centres{};
  friend bool operator==(const NumberFeatures&, const NumberFeatures&) = default;
};

/// Squares, and perhaps products, of columns that are numbers of the model, too:
/// ((x_a - centre_a) / scale_a) ((x_b - centre_b) / scale_b).
struct ProductFeatures {
  std::vector<std::string> columns{};
  Vector centres{}, scales{};        ///< of the columns
  bool products = false;             ///< of any two columns, behind all squares
  std::vector<std::string> names{};  ///< as product_names gives them
  friend bool operator==(const ProductFeatures&, const ProductFeatures&) = default;
};
/// The squares of the columns, a^2, and if asked for their products, a*b, in order.
[[nodiscard]] std::vector<std::string> product_names(const std::vector<std::string>& columns,
                                                     bool products);
/// The places of the two columns that each feature is the product of.
[[nodiscard]] std::vector<std::pair<Index, Index>> factors_of(const ProductFeatures& features);

/// Which level a cell has: a feature for each, 1 where it is the one; all are 0 if its level was
/// never seen.
struct LevelFeatures {
  std::string column{};
  std::vector<std::string> levels{};
  ColumnType type = ColumnType::categorical;  ///< or binary
  friend bool operator==(const LevelFeatures&, const LevelFeatures&) = default;
};

/// How often each term occurs in a text.
struct TermFeatures {
  std::string column{};
  TextOptions text_options{};
  std::vector<std::string> terms{};
  friend bool operator==(const TermFeatures&, const TermFeatures&) = default;
};

using LinearFeatures = std::variant<NumberFeatures, LevelFeatures, TermFeatures, ProductFeatures>;

/// The names of the features: columns, levels, terms or products.
[[nodiscard]] const std::vector<std::string>& names_of(const LinearFeatures& features);

/// Complement naive Bayes (Rennie et al. 2003): coefficients are -log of the probabilities of all
/// other classes together, intercepts are 0.
struct ComplementParameters {
  LinearFeatures features{};  ///< counts, or the terms of a text
  Matrix probabilities{};     ///< K x V, each > 0
  Vector lengths{};           ///< K: mean sum of a row; empty: unknown
  double smoothing = 1;
  Vector counts{};  ///< weight of the rows behind each class; empty: given, not estimated
  friend bool operator==(const ComplementParameters&, const ComplementParameters&) = default;
};

/// Softmax regression. Coefficients are in the units of the columns: what divided them by their
/// spread while they were learned has been folded in. Values that are missing are refused.
struct LogisticParameters {
  std::vector<LinearFeatures> features{};  ///< one part after the other
  Vector intercepts{};                     ///< K: the scores where all numbers are at their centres
  Matrix coefficients{};                   ///< K x p, features of all parts in order
  Vector counts{};
  Vector means{};                 ///< p: of the features in the training rows; empty: unknown
  std::optional<double> ridge{};  ///< with which they were learned; none: they were given
  friend bool operator==(const LogisticParameters&, const LogisticParameters&) = default;
};

/// A linear scorer of classes: it has posteriors and labels, but no density.
class LinearModel {
 public:
  enum class Kind { complement, logistic };
  using Parameters = std::variant<ComplementParameters, LogisticParameters>;

  /// `prior` is how frequent the classes are: no part of the scores. Threads only shorten the
  /// preparation. Throws Error (bad_model) if sizes disagree, a column comes twice or a number is
  /// not finite.
  LinearModel(std::vector<std::string> classes, Prior prior, Parameters parameters,
              std::string target = "class", std::vector<std::string> notes = {}, int threads = 1);
  LinearModel(const LinearModel&);  // these five are compiled once, not wherever it is used
  LinearModel(LinearModel&&) noexcept;
  LinearModel& operator=(const LinearModel&);
  LinearModel& operator=(LinearModel&&) noexcept;
  ~LinearModel();

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(parameters_.index()); }
  /// Whether a missing cell leaves a row without an answer; otherwise it is passed over.
  [[nodiscard]] bool needs_every_cell() const { return kind() == Kind::logistic; }
  /// Whether the scores were fitted as logarithms of probabilities; otherwise probabilities only
  /// rank.
  [[nodiscard]] bool is_probabilistic() const { return kind() == Kind::logistic; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }
  [[nodiscard]] const Prior& prior() const { return prior_; }
  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] LabelType label_type() const { return label_type_; }
  [[nodiscard]] const Origin& origin() const { return origin_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// The columns that it reads.
  [[nodiscard]] const std::vector<Column>& features() const { return features_; }
  /// What the scores are sums of, part by part.
  [[nodiscard]] std::span<const LinearFeatures> parts() const;
  /// K: the scores where all features are 0, in the units of the columns; of squares and products
  /// where they are 0.
  [[nodiscard]] Vector intercepts() const;
  [[nodiscard]] Matrix coefficients() const;  ///< K x p, features of all parts in order

  /// How its text columns become terms.
  [[nodiscard]] TextOptions text_options() const;
  /// Weight of the rows behind each class; empty if the parameters were given, not estimated.
  [[nodiscard]] const Vector& counts() const;
  /// Besides the priors.
  [[nodiscard]] Index free_parameters() const;

  /// By which all scores are divided before they become posteriors.
  [[nodiscard]] double temperature() const { return temperature_; }
  /// Throws Error (bad_model) if it is less than 1 or not finite.
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

/// Every kind, in the order of `LinearModel::Parameters`.
inline constexpr std::array linear_kinds{LinearModel::Kind::complement,
                                         LinearModel::Kind::logistic};
[[nodiscard]] std::string_view name_of(LinearModel::Kind kind);
/// The name of the generative model of the same columns: where a density is needed.
[[nodiscard]] std::string_view generative_counterpart(LinearModel::Kind kind);

}  // namespace genera
