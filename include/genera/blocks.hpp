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

/// The structure of the covariances of classes, or of the components of a mixture.
enum class Covariance { full, tied, diag, tied_diag, spherical, tied_spherical };
[[nodiscard]] std::string_view name_of(Covariance covariance);
/// By its name, or by that of the model that uses it: "tied" or "lda".
[[nodiscard]] std::optional<Covariance> covariance_named(std::string_view name);
/// In the order in which they are listed for people.
inline constexpr std::array all_covariances = {Covariance::full,      Covariance::tied,
                                               Covariance::diag,      Covariance::tied_diag,
                                               Covariance::spherical, Covariance::tied_spherical};

/// d x d matrices; otherwise they are diagonal.
[[nodiscard]] constexpr bool is_full(Covariance covariance) {
  return covariance == Covariance::full || covariance == Covariance::tied;
}
/// One for all classes.
[[nodiscard]] constexpr bool is_tied(Covariance covariance) {
  return covariance == Covariance::tied || covariance == Covariance::tied_diag ||
         covariance == Covariance::tied_spherical;
}
/// One variance for all columns, each in its own unit.
[[nodiscard]] constexpr bool is_spherical(Covariance covariance) {
  return covariance == Covariance::spherical || covariance == Covariance::tied_spherical;
}

/// The Gaussian models: each uses a structure, and rda has an estimator of its own.
struct GaussianModel {
  std::string_view name;
  Covariance covariance;
  bool rda = false;
};
/// In the order in which they are listed for people.
inline constexpr std::array all_gaussian_models = {
    GaussianModel{"qda", Covariance::full},
    GaussianModel{"lda", Covariance::tied},
    GaussianModel{"gnb", Covariance::diag},
    GaussianModel{"dlda", Covariance::tied_diag},
    GaussianModel{"spherical", Covariance::spherical},
    GaussianModel{"centroid", Covariance::tied_spherical},
    GaussianModel{"rda", Covariance::full, true}};
[[nodiscard]] std::optional<GaussianModel> gaussian_model_named(std::string_view name);

/// Everything there is to say about the Gaussian densities of a set of columns, one per class.
/// Exactly one of `covariances` and `variances` is filled.
struct GaussianParameters {
  Covariance structure = Covariance::full;
  std::vector<std::string> columns{};  ///< d names
  Matrix means{};                      ///< K x d
  Matrix means_low{};                  ///< K x d: what the doubles of `means` leave out, where they
                                       ///< are so far from zero that it shows; empty: nothing
  std::vector<Matrix> covariances{};   ///< K matrices d x d, or one if all classes share it
  Matrix variances{};                  ///< diagonal covariances: K x d, or 1 x d if shared

  /// How rda moved full covariances: alpha 1 and gamma 0 leave each class its own.
  struct Rda {
    double alpha = 1, gamma = 0;
    friend bool operator==(const Rda&, const Rda&) = default;
  };
  std::optional<Rda> rda{};
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

/// As a recipe calls it: "qda", "rda".
[[nodiscard]] std::string_view name_of(const GaussianParameters& parameters);

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
  GaussianParameters components{};       ///< C of them; its counts are empty, its structure theirs
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
