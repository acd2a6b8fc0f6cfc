#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <genera/blocks.hpp>
#include <genera/prior.hpp>
#include <genera/stats.hpp>

/// What a model should be like, before any row is seen.
namespace genera {

enum class Divisor { mle, unbiased };
enum class Toward { diagonal, identity };
/// A singular covariance is refused, or shrunk toward the pooled variances with a warning.
enum class OnSingular { error, shrink };

/// How far a full covariance is moved towards a multiple of the identity (on the scale of D).
struct Shrinkage {
  enum class Kind { none, oas, lw, fixed };
  Kind kind = Kind::none;
  double amount = 0;  ///< of `fixed`, in [0, 1]
};

/// Regularised discriminant analysis: full covariances between each class's own and the pooled one,
/// then moved towards a simple target.
struct RdaOptions {
  double alpha = 0.5;  ///< in [0, 1]: 1 = the class's own covariance, 0 = pooled
  double gamma = 0;    ///< in [0, 1]: 0 = as estimated, 1 = the simple target
  Toward toward = Toward::diagonal;
};

struct GaussianOptions {
  Covariance covariance = Covariance::tied;
  Divisor divisor = Divisor::mle;
  Shrinkage shrinkage;
  std::optional<RdaOptions> rda{};  ///< estimates full covariances, without shrinkage
  bool raw_units = false;           ///< columns share a unit: no scaling by standard deviations
  /// gnb, spherical: each class's variances as if so many more rows of it had the pooled ones.
  double variance_prior = 0;
  double variance_floor = 1e-4;  ///< least variance, as a part of the column's pooled one
  OnSingular on_singular = OnSingular::error;
};
/// Throws Error (bad_argument) on a value out of range or options that exclude each other.
void validate(const GaussianOptions& options);
/// The model that these options make: "qda", "rda".
[[nodiscard]] std::string_view name_of(const GaussianOptions& options);

/// Gaussian mixtures: how many components, and how they are sought. One start is a hierarchy of the
/// rows (unless there is a single start), the others are k-means++ and Lloyd on columns divided by
/// their total standard deviation (every second one, of full covariances, on whitened rows). Then
/// EM, of which the most promising go to the end.
struct MixtureOptions {
  struct Range {
    Index min = 1, max = 5;
    friend bool operator==(const Range&, const Range&) = default;
  };
  Range components{};  ///< of each class; the number is chosen by BIC
  /// Those by k-means; the best is kept. Unless given: 10, and of `cluster` more where a table is
  /// small.
  std::optional<int> starts{};
  int max_iterations = 1000;  ///< of EM
  std::uint64_t seed = 1;     ///< the same seed, the same answer
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const MixtureOptions& options);

/// What is made of counts: of the terms of texts, of sparse matrices, of count columns.
enum class CountModel {
  multinomial,  ///< how often, given their total
  bernoulli,    ///< whether at all; count columns are multinomial beside it
  poisson,      ///< how often, of count columns alone
};
[[nodiscard]] std::string_view name_of(CountModel model);

/// Blocks of what is not numeric.
struct DiscreteOptions {
  double smoothing = 1;  ///< added to every count; 0: what never happened is impossible
  CountModel counts = CountModel::multinomial;
  bool joint = false;          ///< categorical and binary columns in one table instead of naively
  bool sparse_counts = false;  ///< columns of a sparse matrix: counts, not measurements
  double min_count = 0;        ///< terms that occur less often in total are left out
  Index max_terms = 0;         ///< only the most frequent ones; 0: all
  std::vector<std::string> stop_words{};  ///< terms that contain one of these words are left out
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const DiscreteOptions& options);

/// Common English words that say little about a subject.
[[nodiscard]] const std::vector<std::string>& english_stop_words();

/// How a model is made of statistics.
struct Recipe {
  GaussianOptions gaussian{};
  /// Numbers are a mixture in each class; the structure is that of the components' covariances.
  std::optional<MixtureOptions> mixture{};
  DiscreteOptions discrete{};
  PriorChoice priors{};
};

[[nodiscard]] Recipe qda();
[[nodiscard]] Recipe lda();
[[nodiscard]] Recipe gaussian_naive_bayes();
[[nodiscard]] Recipe dlda();
[[nodiscard]] Recipe spherical();
[[nodiscard]] Recipe centroid();
[[nodiscard]] Recipe rda(double alpha, double gamma);
/// Needs the rows, not only their statistics, and keeps them in memory. No rda, no shrinkage, mle.
[[nodiscard]] Recipe mda(const MixtureOptions& options = {},
                         Covariance covariance = Covariance::full);
[[nodiscard]] Recipe multinomial();  ///< of text and counts, as all recipes below
[[nodiscard]] Recipe bernoulli();
[[nodiscard]] Recipe poisson();  ///< of count columns; texts and sparse matrices are refused
[[nodiscard]] Recipe joint();    ///< categorical and binary columns in one table

/// Of text or counts, without other columns: each class by what all the others have.
struct ComplementOptions {
  double smoothing = 1;                   ///< added to every count, > 0
  double min_count = 0;                   ///< terms that occur less often in total are left out
  Index max_terms = 0;                    ///< only the most frequent ones; 0: all
  std::vector<std::string> stop_words{};  ///< terms that contain one of these words are left out
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const ComplementOptions& options);

/// What softmax regression makes of numeric columns, which it standardises by the training rows.
enum class LogisticTerms {
  linear,     ///< the numbers
  squares,    ///< and their squares: the counterpart of gnb
  quadratic,  ///< and the products of any two of them: that of qda
};
[[nodiscard]] std::string_view name_of(LogisticTerms terms);

/// Softmax (multinomial logistic) regression of columns of any kind. It minimises
/// sum_i w_i (-log p(y_i | x_i)) + ridge / 2 sum_k ||beta_k||^2, where numbers are standardised
/// (divisor n), and indicators of all levels and counts are as they are. Squares and products are
/// of the standardised numbers. At the minimum the coefficients of a feature and the intercepts sum
/// to 0 over the classes.
struct LogisticOptions {
  double ridge = 1;  ///< at least 0, which needs data that no plane separates
  LogisticTerms terms = LogisticTerms::linear;
  /// Numbers are not standardised: the penalty acts in their own units, and squares and products
  /// are those of the columns themselves.
  bool raw_units = false;
  double min_count = 0;                   ///< terms that occur less often in total are left out
  Index max_terms = 0;                    ///< only the most frequent ones; 0: all
  std::vector<std::string> stop_words{};  ///< terms that contain one of these words are left out
  int max_iterations = 200;               ///< of Newton's method
  double tolerance = 1e-8;  ///< of the gradient, as a part of that at zero coefficients; what
                            ///< rounding leaves of it is none
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const LogisticOptions& options);

/// How a linear model is made.
struct LinearRecipe {
  std::variant<ComplementOptions, LogisticOptions> options{};
};
[[nodiscard]] LinearRecipe complement(const ComplementOptions& options = {});
/// Needs the rows, not only their statistics, and keeps them in memory: rows x (features + classes)
/// numbers, of texts and sparse matrices only what is not zero.
[[nodiscard]] LinearRecipe logistic(const LogisticOptions& options = {});

/// What an edge may be asked for.
using AnyRecipe = std::variant<Recipe, LinearRecipe>;

/// A model as people name it, and what its recipe is like.
struct NamedModel {
  enum class Kind {
    numbers,     ///< a Gaussian model; other columns have the blocks of their types
    mixture,     ///< the same with mixtures of numbers
    columns,     ///< every column is of one type
    complement,  ///< linear models
    logistic,
    automatic,  ///< what predicts best the rows held out
  };
  std::string_view name{};
  Kind kind = Kind::numbers;
  Covariance covariance = Covariance::tied;  ///< of mixtures: unless they ask for another
  bool rda = false;
  std::optional<ColumnType> every_column{};  ///< as which columns are read, whatever they look like
  std::optional<CountModel> counts{};
  bool joint = false;

  [[nodiscard]] bool is(Kind other) const { return kind == other; }
  /// What it makes of categories, counts and texts; the other options stay.
  [[nodiscard]] DiscreteOptions discrete(DiscreteOptions options = {}) const;
};
/// One list for the command line, for Python, and for whoever offers the same choice.
[[nodiscard]] const std::vector<NamedModel>& named_models();

/// The second moments this recipe needs.
[[nodiscard]] Scatter scatter_needed(const Recipe& recipe);

}  // namespace genera
