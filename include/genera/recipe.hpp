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

/// What to fit, chosen before any row is read.
namespace genera {

enum class Divisor { mle, unbiased };
enum class Toward { diagonal, identity };
/// A singular covariance is an error, or is shrunk towards the pooled variances with a warning.
enum class OnSingular { error, shrink };

/// Amount by which a full covariance is shrunk towards a multiple of the identity (on the scale of
/// D, see docs/numerics.md).
struct Shrinkage {
  enum class Kind { none, oas, lw, fixed };
  Kind kind = Kind::none;
  double amount = 0;  ///< for `fixed`, in [0, 1]
};

/// Regularised discriminant analysis: full covariances between those of each class and the pooled
/// one, then shrunk towards a simple target.
struct RdaOptions {
  double alpha = 0.5;  ///< in [0, 1]: 1 = covariance of the class, 0 = pooled
  double gamma = 0;    ///< in [0, 1]: 0 = no shrinkage, 1 = the simple target
  Toward toward = Toward::diagonal;
};

/// Bayesian quadratic discriminant analysis: the covariance of each class has an inverse-Wishart
/// prior centred on P0 = (1 - gamma) P + gamma diag P, with the pooled covariance P; the prior of
/// the mean is flat. Without a value, both are chosen by the marginal likelihood of the training
/// rows: `prior_rows` from 0.1, 0.5, 2 and 8 times the number of columns (at least 2),
/// `prior_gamma` from 0.1, 0.4 and 1.
struct BayesianOptions {
  std::optional<double> prior_rows{};   ///< > 0: weight of P0, in rows per class
  std::optional<double> prior_gamma{};  ///< in [0, 1]
};

struct GaussianOptions {
  Covariance covariance = Covariance::tied;
  Divisor divisor = Divisor::mle;
  Shrinkage shrinkage;
  std::optional<RdaOptions> rda{};  ///< estimates full covariances, without shrinkage
  /// Multivariate t densities instead of normal ones; full covariances, without rda and shrinkage.
  std::optional<BayesianOptions> bayesian{};
  bool raw_units = false;  ///< columns share a unit: no scaling by standard deviations
  /// gnb, spherical: prior weight of the pooled variances, in rows per class.
  double variance_prior = 0;
  double variance_floor = 1e-4;  ///< minimum, relative to the pooled variance of the column
  OnSingular on_singular = OnSingular::error;
};
/// Throws Error (bad_argument) on a value out of range or options that exclude each other.
void validate(const GaussianOptions& options);
/// The name of the model with these options: "qda", "rda".
[[nodiscard]] std::string_view name_of(const GaussianOptions& options);

/// The number of components of Gaussian mixtures, and the search for them. Unless there is a single
/// start, one start is a hierarchical clustering of the rows. The others are k-means++ followed by
/// Lloyd's algorithm on columns divided by their total standard deviation; for full covariances,
/// every second one uses whitened rows. EM runs to the end only for the most promising starts.
struct MixtureOptions {
  struct Range {
    Index min = 1, max = 5;
    friend bool operator==(const Range&, const Range&) = default;
  };
  Range components{};  ///< per class; the number is chosen by BIC
  /// Number of k-means starts; the best result is kept. Default: 10; `cluster` uses more for small
  /// tables.
  std::optional<int> starts{};
  int max_iterations = 1000;  ///< of EM
  std::uint64_t seed = 1;     ///< the same seed gives the same model
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const MixtureOptions& options);

/// Kernel densities: each class is a mixture of normal densities centred on its rows, with one
/// covariance bandwidth^2 ((1 - gamma) P + gamma diag P), P the pooled covariance within classes.
/// What is not given is chosen by the log loss of training rows that are left out one by one, at
/// most 2,000: `bandwidth` from 0.25, 0.35, 0.5, 0.7 and 1, `gamma` from 0.1 and 1. With more than
/// 20,000 rows, the kernels are those of a stratified sample of 20,000.
struct KernelOptions {
  std::optional<double> bandwidth{};  ///< > 0
  std::optional<double> gamma{};      ///< in [0, 1]
  std::uint64_t seed = 1;             ///< of samples
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const KernelOptions& options);

/// The model of counts: terms of texts, sparse matrices, count columns.
enum class CountModel {
  multinomial,  ///< counts given their total
  bernoulli,    ///< presence or absence; count columns stay multinomial
  poisson,      ///< independent counts, for count columns only
};
[[nodiscard]] std::string_view name_of(CountModel model);

/// Options of categorical columns, counts and texts.
struct DiscreteOptions {
  double smoothing = 1;  ///< added to every count; 0: unseen levels have probability 0
  CountModel counts = CountModel::multinomial;
  bool joint = false;  ///< categorical and binary columns in one joint table instead of naive Bayes
  bool pairs = false;  ///< categorical and binary columns and numbers as one-dependence estimators
  std::optional<Index> max_bins{};        ///< into which they cut a number; see find_cuts
  bool sparse_counts = false;             ///< columns of a sparse matrix: counts, not measurements
  double min_count = 0;                   ///< rarer terms are left out; counted over all rows
  Index max_terms = 0;                    ///< number of most frequent terms to keep; 0: all
  std::vector<std::string> stop_words{};  ///< terms that contain one of these words are left out
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const DiscreteOptions& options);

/// Common English words with little information about a subject.
[[nodiscard]] const std::vector<std::string>& english_stop_words();

/// Tells `fit` how to estimate a model from statistics.
struct Recipe {
  GaussianOptions gaussian{};
  /// Models the numbers of each class as a mixture; the covariance structure is that of its
  /// components.
  std::optional<MixtureOptions> mixture{};
  /// Models the numbers of each class by kernel densities; without `mixture`.
  std::optional<KernelOptions> kernel{};
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
/// Never singular: also for classes with fewer rows than columns.
[[nodiscard]] Recipe bqda(const BayesianOptions& options = {});
/// Keeps the rows in memory, because statistics are not sufficient. Takes no rda, no shrinkage, and
/// only the divisor mle.
[[nodiscard]] Recipe mda(const MixtureOptions& options = {},
                         Covariance covariance = Covariance::full);
/// Keeps the rows in memory, and so does the model. Takes no rda, no shrinkage, and only the
/// divisor mle.
[[nodiscard]] Recipe kernel_bayes(const KernelOptions& options = {});
[[nodiscard]] Recipe multinomial();  ///< for texts and counts
[[nodiscard]] Recipe bernoulli();
[[nodiscard]] Recipe poisson();  ///< for count columns; refuses texts and sparse matrices
/// Averaged one-dependence estimators of categorical and binary columns and of numbers cut into
/// bins.
[[nodiscard]] Recipe aode();
[[nodiscard]] Recipe joint();  ///< one joint table of categorical and binary columns

/// Complement naive Bayes, for texts or counts only: the terms of a class are scored by their
/// frequencies in all other classes.
struct ComplementOptions {
  double smoothing = 1;                   ///< added to every count, > 0
  double min_count = 0;                   ///< rarer terms are left out; counted over all rows
  Index max_terms = 0;                    ///< number of most frequent terms to keep; 0: all
  std::vector<std::string> stop_words{};  ///< terms that contain one of these words are left out
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const ComplementOptions& options);

/// Features that softmax regression makes of numeric columns, which it standardises.
enum class LogisticTerms {
  linear,     ///< the columns
  squares,    ///< also their squares: the counterpart of gnb
  quadratic,  ///< also the products of all pairs: the counterpart of qda
};
[[nodiscard]] std::string_view name_of(LogisticTerms terms);

/// Softmax (multinomial logistic) regression on columns of any type. It minimises sum_i w_i (-log
/// p(y_i | x_i)) + ridge / 2 sum_k ||beta_k||^2. Numbers are standardised by the training rows
/// (divisor n); squares and products are those of the standardised numbers. Indicators of all
/// levels and counts are not scaled. At the minimum, the coefficients of a feature sum to 0 over
/// the classes, and so do the intercepts.
struct LogisticOptions {
  double ridge = 1;  ///< at least 0; without it, separable classes have no optimum
  LogisticTerms terms = LogisticTerms::linear;
  /// Do not standardise: the penalty acts in the units of the columns, and squares and products
  /// are those of the columns.
  bool raw_units = false;
  double min_count = 0;                   ///< rarer terms are left out; counted over all rows
  Index max_terms = 0;                    ///< number of most frequent terms to keep; 0: all
  std::vector<std::string> stop_words{};  ///< terms that contain one of these words are left out
  int max_iterations = 200;               ///< of Newton's method
  double tolerance = 1e-8;  ///< norm of the gradient, relative to that at zero coefficients;
                            ///< rounding errors count as 0
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const LogisticOptions& options);

/// Tells `fit` how to estimate a linear model.
struct LinearRecipe {
  std::variant<ComplementOptions, LogisticOptions> options{};
};
[[nodiscard]] LinearRecipe complement(const ComplementOptions& options = {});
/// Keeps the rows in memory, because statistics are not sufficient: rows x (features + classes)
/// numbers; for texts and sparse matrices only nonzero entries.
[[nodiscard]] LinearRecipe logistic(const LogisticOptions& options = {});

/// The recipe of any model.
using AnyRecipe = std::variant<Recipe, LinearRecipe>;

/// A model name that users give, and its recipe.
struct NamedModel {
  enum class Kind {
    numbers,     ///< a Gaussian model; other columns get the block of their type
    mixture,     ///< the same with Gaussian mixtures
    kernel,      ///< the same with kernel densities
    columns,     ///< one type for all columns
    pairs,       ///< numbers are cut into bins; see DiscreteOptions
    complement,  ///< complement naive Bayes, a linear model
    logistic,
    automatic,  ///< chosen by cross-validation
  };
  std::string_view name{};
  Kind kind = Kind::numbers;
  Covariance covariance = Covariance::tied;  ///< default structure of mixtures
  bool rda = false;
  bool bayesian = false;
  std::optional<ColumnType> every_column{};  ///< the type of all columns, regardless of their cells
  std::optional<CountModel> counts{};
  bool joint = false;

  [[nodiscard]] bool is(Kind other) const { return kind == other; }
  /// Replaces the options that define the model and keeps the others.
  [[nodiscard]] DiscreteOptions discrete(DiscreteOptions options = {}) const;
};
/// The names that the command line and Python accept.
[[nodiscard]] const std::vector<NamedModel>& named_models();

/// The second moments that this recipe needs.
[[nodiscard]] Scatter scatter_needed(const Recipe& recipe);

}  // namespace genera
