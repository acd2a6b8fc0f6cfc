#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <genera/discrete.hpp>
#include <genera/poisson.hpp>
#include <genera/types.hpp>

namespace genera {

/// The Gaussian family: one space of covariances, not a list of classifiers.
enum class Family { qda, lda, gnb, dlda, spherical, centroid, rda };
[[nodiscard]] std::string_view name_of(Family family);
[[nodiscard]] std::optional<Family> family_named(std::string_view name);
/// The covariance structure alone: full, tied, diag, tied_diag, spherical, tied_spherical.
[[nodiscard]] std::string_view structure_name(Family family);
/// By the name of a structure or of the model that has it.
[[nodiscard]] std::optional<Family> structure_named(std::string_view name);
/// In the order in which they are listed for people.
inline constexpr std::array all_families = {Family::qda,  Family::lda,       Family::gnb,
                                            Family::dlda, Family::spherical, Family::centroid,
                                            Family::rda};

/// What the covariances of a family look like.
struct CovarianceStructure {
  bool full = false;          ///< d x d; otherwise diagonal
  bool shared = false;        ///< one for all classes
  bool one_variance = false;  ///< the same for all columns, each in its own unit
};
[[nodiscard]] constexpr CovarianceStructure structure_of(Family family) {
  switch (family) {
    case Family::qda:
    case Family::rda:
      return {.full = true};
    case Family::lda:
      return {.full = true, .shared = true};
    case Family::gnb:
      return {};
    case Family::dlda:
      return {.shared = true};
    case Family::spherical:
      return {.one_variance = true};
    case Family::centroid:
      break;
  }
  return {.shared = true, .one_variance = true};
}

/// Everything there is to say about the Gaussian densities of a set of columns, one per class.
/// Exactly one of `covariances` and `variances` is filled.
struct GaussianParameters {
  Family family = Family::qda;
  std::vector<std::string> columns{};  ///< d names
  Matrix means{};                      ///< K x d
  Matrix means_low{};                  ///< K x d: what the doubles of `means` leave out, where they
                                       ///< are so far from zero that it shows; empty: nothing
  std::vector<Matrix> covariances{};   ///< K matrices d x d, or one if all classes share it
  Matrix variances{};                  ///< diagonal covariances: K x d, or 1 x d if shared

  double alpha = 1;                 ///< of rda
  double gamma = 0;                 ///< of rda
  std::vector<double> shrinkage{};  ///< how far each covariance was moved; empty: none was
  double variance_prior = 0;        ///< rows as if of the pooled variances, in each class
  bool raw_units = false;           ///< spherical, centroid: sigma^2 I without scaling of columns

  /// Weight of the rows behind each class; empty if the parameters were given, not estimated.
  std::vector<double> counts{};
  /// As many complete rows as would say as much, if rows lacked cells or labels: K x 1, or K x d of
  /// diagonal covariances. Empty: all rows were complete.
  Matrix effective_counts{};
  bool unbiased = false;  ///< divisors n_k - 1 and n - K instead of n_k and n

  [[nodiscard]] double mean_low(Index k, Index j) const {
    return means_low.empty() ? 0 : means_low(k, j);
  }
  friend bool operator==(const GaussianParameters&, const GaussianParameters&) = default;
};

namespace detail {
class GaussianDensity;
}

/// p(x | k) = N(x; mean_k, covariance_k). Factorised once, when it is made.
class GaussianBlock {
 public:
  /// Throws Error (bad_model) if sizes disagree or a covariance is not symmetric positive definite.
  explicit GaussianBlock(GaussianParameters parameters);

  [[nodiscard]] const GaussianParameters& parameters() const { return parameters_; }
  [[nodiscard]] std::vector<Column> features() const;
  [[nodiscard]] Index classes() const { return parameters_.means.rows(); }
  [[nodiscard]] Index dimension() const { return parameters_.means.columns(); }

  [[nodiscard]] bool diagonal() const { return parameters_.covariances.empty(); }
  [[nodiscard]] bool shared() const;               ///< one covariance for all classes
  [[nodiscard]] Matrix covariance(Index k) const;  ///< d x d, whatever the structure
  [[nodiscard]] Index free_covariance_parameters() const;

  /// Linear discriminants of a shared covariance: log pi_k aside, score_k = intercept_k + x'
  /// coefficients_k.
  struct Linear {
    Vector intercepts;    ///< K
    Matrix coefficients;  ///< K x d
  };
  [[nodiscard]] std::optional<Linear> linear() const;

  /// Degrees of freedom of the covariance of class k if D^2 has the F law of docs/numerics.md
  /// (a full covariance as estimated: qda, lda and their rda equals); infinite for given
  /// parameters.
  [[nodiscard]] std::optional<double> degrees_of_freedom(Index k) const;

  [[nodiscard]] const detail::GaussianDensity& density() const { return *density_; }
  friend bool operator==(const GaussianBlock& a, const GaussianBlock& b) {
    return a.parameters_ == b.parameters_;
  }

 private:
  GaussianParameters parameters_;
  std::shared_ptr<const detail::GaussianDensity> density_;  // immutable, shared by copies
};

/// Gaussian mixtures, one for each class; the components of all classes stand one after the other.
struct MixtureParameters {
  GaussianParameters components{};       ///< C of them; its counts are empty, its family theirs
  std::vector<Index> component_class{};  ///< C: the class of each component, ascending
  Vector weights{};                      ///< C: each > 0, those of a class sum to one
  Vector counts{};  ///< weight of the rows behind each class; empty: given, not estimated
  friend bool operator==(const MixtureParameters&, const MixtureParameters&) = default;
};

/// p(x | k) = sum over the components c of class k of weight_c N(x; mean_c, covariance_c).
class MixtureBlock {
 public:
  /// Throws Error (bad_model) if sizes disagree, a class has no component, weights do not sum to
  /// one or a covariance is not symmetric positive definite.
  explicit MixtureBlock(MixtureParameters parameters);

  [[nodiscard]] const MixtureParameters& parameters() const { return parameters_; }
  /// The components as if they were classes.
  [[nodiscard]] const GaussianBlock& components() const { return components_; }
  [[nodiscard]] std::vector<Column> features() const { return components_.features(); }
  [[nodiscard]] Index classes() const { return parameters_.component_class.back() + 1; }
  [[nodiscard]] Index dimension() const { return components_.dimension(); }
  /// The components of class k are [first(k), first(k + 1)).
  [[nodiscard]] Index first(Index k) const { return first_[static_cast<std::size_t>(k)]; }
  friend bool operator==(const MixtureBlock& a, const MixtureBlock& b) {
    return a.parameters_ == b.parameters_;
  }

 private:
  MixtureParameters parameters_;
  GaussianBlock components_;
  std::vector<Index> first_;  // K + 1
};

/// A class-conditional density is a product of blocks, each over its own columns.
using Block = std::variant<GaussianBlock, MixtureBlock, CategoricalBlock, JointBlock, CountBlock,
                           PoissonBlock>;

/// How many numbers are free in a distribution, by what they are.
struct ParameterCount {
  Index priors = 0, means = 0, covariances = 0, probabilities = 0;
  Index weights = 0;  ///< of the components of mixtures
  [[nodiscard]] Index total() const {
    return priors + means + covariances + probabilities + weights;
  }
};

}  // namespace genera
