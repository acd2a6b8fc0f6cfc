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
#include <genera/types.hpp>

namespace genera {

/// The structure of the covariances of classes, or of the components of a mixture.
enum class Covariance { full, tied, diag, tied_diag, spherical, tied_spherical };
[[nodiscard]] std::string_view name_of(Covariance covariance);
/// By its own name or by the name of the model that uses it: "tied" or "lda".
[[nodiscard]] std::optional<Covariance> covariance_named(std::string_view name);
/// In the order of help texts.
inline constexpr std::array all_covariances = {Covariance::full,      Covariance::tied,
                                               Covariance::diag,      Covariance::tied_diag,
                                               Covariance::spherical, Covariance::tied_spherical};

/// True if the covariances are d x d matrices; false if they are diagonal.
[[nodiscard]] constexpr bool is_full(Covariance covariance) {
  return covariance == Covariance::full || covariance == Covariance::tied;
}
/// True if all classes share one covariance.
[[nodiscard]] constexpr bool is_tied(Covariance covariance) {
  return covariance == Covariance::tied || covariance == Covariance::tied_diag ||
         covariance == Covariance::tied_spherical;
}
/// True if all columns have the same variance, each in its own unit.
[[nodiscard]] constexpr bool is_spherical(Covariance covariance) {
  return covariance == Covariance::spherical || covariance == Covariance::tied_spherical;
}

/// The Gaussian models. Each uses a structure; rda has its own estimator.
struct GaussianModel {
  std::string_view name;
  Covariance covariance;
  bool rda = false;
};
/// In the order of help texts.
inline constexpr std::array all_gaussian_models = {
    GaussianModel{"qda", Covariance::full},
    GaussianModel{"lda", Covariance::tied},
    GaussianModel{"gnb", Covariance::diag},
    GaussianModel{"dlda", Covariance::tied_diag},
    GaussianModel{"spherical", Covariance::spherical},
    GaussianModel{"centroid", Covariance::tied_spherical},
    GaussianModel{"rda", Covariance::full, true}};
[[nodiscard]] std::optional<GaussianModel> gaussian_model_named(std::string_view name);

/// Parameters of the Gaussian densities of a set of columns, one density per class. Either
/// `covariances` or `variances` is filled, never both.
struct GaussianParameters {
  Covariance structure = Covariance::full;
  std::vector<std::string> columns{};  ///< d names
  Matrix means{};                      ///< K x d
  Matrix means_low{};  ///< K x d: low parts of the means that a double rounds off, if
                       ///< they are far from zero; empty: all 0
  std::vector<Matrix> covariances{};  ///< K matrices d x d, or one if all classes share it
  Matrix variances{};                 ///< diagonal covariances: K x d, or 1 x d if shared

  /// Regularisation of full covariances; alpha 1 and gamma 0 keep the covariance of each class.
  struct Rda {
    double alpha = 1, gamma = 0;
    friend bool operator==(const Rda&, const Rda&) = default;
  };
  std::optional<Rda> rda{};
  std::vector<double> shrinkage{};  ///< amount for each covariance; empty: no shrinkage
  double variance_prior = 0;        ///< prior weight of the pooled variances, in rows per class
  bool raw_units = false;           ///< spherical, centroid: sigma^2 I without scaling of columns

  /// Training weight of each class; empty if the parameters were given, not estimated.
  std::vector<double> counts{};
  /// Number of complete rows with the same information, if cells or labels were missing: K x 1, or
  /// K x d for diagonal covariances. Empty: all rows were complete.
  Matrix effective_counts{};
  bool unbiased = false;  ///< divisors n_k - 1 and n - K instead of n_k and n

  [[nodiscard]] double mean_low(Index k, Index j) const {
    return means_low.empty() ? 0 : means_low(k, j);
  }
  friend bool operator==(const GaussianParameters&, const GaussianParameters&) = default;
};

/// The name of its recipe: "qda", "rda".
[[nodiscard]] std::string_view name_of(const GaussianParameters& parameters);

namespace detail {
class GaussianDensity;
}

/// p(x | k) = N(x; mean_k, covariance_k). The constructor factorises the covariances.
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

  /// Linear discriminants of a shared covariance: score_k = intercept_k + x' coefficients_k. The
  /// intercepts do not contain log pi_k.
  struct Linear {
    Vector intercepts;    ///< K
    Matrix coefficients;  ///< K x d
  };
  [[nodiscard]] std::optional<Linear> linear() const;

  /// Degrees of freedom of the covariance of class k if D^2 has the F distribution of
  /// docs/numerics.md (estimated full covariances without regularisation: qda, lda and the
  /// settings of rda that equal them); infinite for given parameters.
  [[nodiscard]] std::optional<double> degrees_of_freedom(Index k) const;

  [[nodiscard]] const detail::GaussianDensity& density() const { return *density_; }
  friend bool operator==(const GaussianBlock& a, const GaussianBlock& b) {
    return a.parameters_ == b.parameters_;
  }

 private:
  GaussianParameters parameters_;
  std::shared_ptr<const detail::GaussianDensity> density_;  // immutable, shared by copies
};

/// Gaussian mixtures, one per class. The components of a class are adjacent.
struct MixtureParameters {
  GaussianParameters components{};       ///< C components as classes, without counts
  std::vector<Index> component_class{};  ///< C: the class of each component, ascending
  Vector weights{};                      ///< C: each > 0, those of a class sum to one
  Vector counts{};  ///< training weight of each class; empty: parameters were given

  /// Kernel densities: one component per training row, with the shared covariance bandwidth^2
  /// ((1 - gamma) P + gamma diag P), P the pooled covariance within classes.
  struct Kernel {
    double bandwidth = 1, gamma = 0;
    friend bool operator==(const Kernel&, const Kernel&) = default;
  };
  std::optional<Kernel> kernel{};  ///< the components are training rows; requires `tied`
  friend bool operator==(const MixtureParameters&, const MixtureParameters&) = default;
};

/// p(x | k) = sum over the components c of class k of weight_c N(x; mean_c, covariance_c).
class MixtureBlock {
 public:
  /// Throws Error (bad_model) if sizes disagree, a class has no component, weights do not sum to
  /// one or a covariance is not symmetric positive definite.
  explicit MixtureBlock(MixtureParameters parameters);

  [[nodiscard]] const MixtureParameters& parameters() const { return parameters_; }
  /// The components as the classes of a Gaussian block.
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

/// Multivariate t densities, one per class: the predictive densities of normal classes whose means
/// and covariances are integrated over their posterior (docs/numerics.md).
struct StudentParameters {
  /// The means, and the scale matrices as full covariances, one per class; without counts.
  GaussianParameters scales{};
  Vector degrees{};        ///< K degrees of freedom, > 0
  double prior_rows = 0;   ///< nu: weight of the prior covariance, in rows; 0: not estimated
  double prior_gamma = 0;  ///< of the prior covariance (1 - gamma) P + gamma diag P
  Vector counts{};         ///< training weight of each class; empty: parameters were given
  friend bool operator==(const StudentParameters&, const StudentParameters&) = default;
};

/// p(x | k) = t(x; degrees_k, mean_k, scale_k).
class StudentBlock {
 public:
  /// Throws Error (bad_model) if sizes disagree, degrees are not positive or a scale matrix is not
  /// symmetric positive definite.
  explicit StudentBlock(StudentParameters parameters);

  [[nodiscard]] const StudentParameters& parameters() const { return parameters_; }
  /// The normal densities with these scale matrices as covariances.
  [[nodiscard]] const GaussianBlock& scales() const { return scales_; }
  [[nodiscard]] std::vector<Column> features() const { return scales_.features(); }
  [[nodiscard]] Index classes() const { return scales_.classes(); }
  [[nodiscard]] Index dimension() const { return scales_.dimension(); }
  friend bool operator==(const StudentBlock& a, const StudentBlock& b) {
    return a.parameters_ == b.parameters_;
  }

 private:
  StudentParameters parameters_;
  GaussianBlock scales_;
};

/// A class-conditional density is a product of blocks, each over its own columns.
using Block = std::variant<GaussianBlock, MixtureBlock, CategoricalBlock, JointBlock, CountBlock,
                           PoissonBlock, StudentBlock, AodeBlock>;

/// Numbers of free parameters, by kind.
struct ParameterCount {
  Index priors = 0, means = 0, covariances = 0, probabilities = 0;
  Index weights = 0;  ///< of mixture components
  [[nodiscard]] Index total() const {
    return priors + means + covariances + probabilities + weights;
  }
};

}  // namespace genera
