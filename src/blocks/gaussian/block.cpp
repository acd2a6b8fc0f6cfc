#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <genera/blocks.hpp>
#include <genera/error.hpp>
#include <genera/recipe.hpp>

#include "kernel/text.hpp"
#include "blocks/gaussian/density/density.hpp"
#include "blocks/probabilities.hpp"

namespace genera {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw Error(Errc::bad_model, what, hint);
}

void require_finite(const Matrix& matrix, const char* what) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (const double value : matrix.row(i)) {
      if (!std::isfinite(value))
        refuse(fmt::format("a {} is {}", what, value), "give finite numbers");
    }
  }
}

void require_symmetric(const Matrix& s, const std::vector<std::string>& columns) {
  constexpr double rounding = 1e-12;
  for (Index i = 0; i < s.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double scale = std::sqrt(std::abs(s(i, i))) * std::sqrt(std::abs(s(j, j)));
      if (std::abs(s(i, j) - s(j, i)) > rounding * scale)
        refuse(fmt::format("a covariance is not symmetric: '{}' with '{}' is {}, the reverse is {}",
                           columns[static_cast<std::size_t>(i)],
                           columns[static_cast<std::size_t>(j)], s(i, j), s(j, i)),
               "give both halves the same numbers");
    }
  }
}

void check_effective_counts(const GaussianParameters& p) {
  const Matrix& counts = p.effective_counts;
  if (counts.empty()) return;
  const Index columns = p.covariances.empty() ? p.means.columns() : 1;
  if (p.counts.empty() || counts.rows() != p.means.rows() || counts.columns() != columns)
    refuse(fmt::format("effective counts are {} x {} for {}", counts.rows(), counts.columns(),
                       counted(p.means.rows(), "class", "classes")),
           "give one per class, or one per column for diagonal covariances, and the count of the "
           "class");
  for (Index k = 0; k < counts.rows(); ++k) {
    for (const double count : counts.row(k)) {
      if (!(count > 0) || !(count <= p.counts[static_cast<std::size_t>(k)] * (1 + 1e-9)))
        refuse(fmt::format("an effective count is {}, and the count of its class is {}", count,
                           p.counts[static_cast<std::size_t>(k)]),
               "give numbers above 0 and at most the count of the class");
    }
  }
}

/// At most half a unit in the last place of the mean, or a whole one if it was not normalised.
void require_low_parts(const GaussianParameters& p) {
  if (p.means_low.empty()) return;
  if (p.means_low.rows() != p.means.rows() || p.means_low.columns() != p.means.columns())
    refuse(fmt::format("{} x {} low parts for {} x {} means", p.means_low.rows(),
                       p.means_low.columns(), p.means.rows(), p.means.columns()),
           "give one for each mean, or none");
  constexpr double max = std::numeric_limits<double>::epsilon();
  for (Index k = 0; k < p.means.rows(); ++k) {
    for (Index j = 0; j < p.means.columns(); ++j) {
      if (!(std::abs(p.means_low(k, j)) <= max * std::abs(p.means(k, j))))
        refuse(fmt::format("the low part {} of the mean {} is not below its last digit",
                           p.means_low(k, j), p.means(k, j)),
               "add it to the mean");
    }
  }
}

void validate(const GaussianParameters& p) {
  const Index classes = p.means.rows();
  const Index d = p.means.columns();
  if (classes == 0 || d == 0)
    refuse("a Gaussian block needs at least one class and one column",
           "give a mean for each class");
  if (static_cast<Index>(p.columns.size()) != d)
    refuse(
        fmt::format("{}, but the means have {}", counted(std::ssize(p.columns), "column name"), d),
        "give one name per column");
  if (p.covariances.empty() == p.variances.empty())
    refuse("a Gaussian block needs either covariances or variances", "give one of the two");
  const auto number =
      p.covariances.empty() ? p.variances.rows() : static_cast<Index>(p.covariances.size());
  if (number != 1 && number != classes)
    refuse(counted(number, "covariance") + " for " + counted(classes, "class", "classes"),
           "give one each, or one for all");
  detail::check_counts(p.counts, classes);
  check_effective_counts(p);
  require_finite(p.means, "mean");
  require_low_parts(p);
  for (const double amount : p.shrinkage) {
    if (!(amount >= 0 && amount <= 1))
      refuse(fmt::format("a covariance was shrunk by {}", amount), "give a number from 0 to 1");
  }
  require_finite(p.variances, "variance");
  if (!p.variances.empty() && p.variances.columns() != d)
    refuse(counted(p.variances.columns(), "variance") + " for " + counted(d, "column"),
           "give one per column");
  for (const Matrix& s : p.covariances) {
    if (s.rows() != d || s.columns() != d)
      refuse(fmt::format("a covariance is {} x {} for {}", s.rows(), s.columns(),
                         counted(d, "column")),
             "give a square matrix with a row per column");
    require_finite(s, "covariance");
    require_symmetric(s, p.columns);
  }
}

bool was_moved(const std::vector<double>& shrinkage) {
  for (const double amount : shrinkage) {
    if (amount != 0) return true;
  }
  return false;
}

std::string_view model_name(Covariance covariance, bool rda) {
  const auto is_this = [&](const GaussianModel& model) {
    return model.covariance == covariance && model.rda == rda;
  };
  const auto found = std::ranges::find_if(all_gaussian_models, is_this);
  return found == all_gaussian_models.end() ? "" : found->name;
}

}  // namespace

std::string_view name_of(Covariance covariance) {
  switch (covariance) {
    case Covariance::full:
      return "full";
    case Covariance::tied:
      return "tied";
    case Covariance::diag:
      return "diag";
    case Covariance::tied_diag:
      return "tied_diag";
    case Covariance::spherical:
      return "spherical";
    case Covariance::tied_spherical:
      return "tied_spherical";
  }
  return "";
}

std::optional<Covariance> covariance_named(std::string_view name) {
  for (const Covariance covariance : all_covariances)
    if (name_of(covariance) == name) return covariance;
  const auto model = gaussian_model_named(name);
  return model && !model->rda ? std::optional(model->covariance) : std::nullopt;
}

std::optional<GaussianModel> gaussian_model_named(std::string_view name) {
  const auto found = std::ranges::find(all_gaussian_models, name, &GaussianModel::name);
  return found == all_gaussian_models.end() ? std::nullopt : std::optional(*found);
}

std::string_view name_of(const GaussianParameters& parameters) {
  return model_name(parameters.structure, parameters.rda.has_value());
}

std::string_view name_of(const GaussianOptions& options) {
  if (options.bayesian) return "bqda";
  return model_name(options.covariance, options.rda.has_value());
}

GaussianBlock::GaussianBlock(GaussianParameters parameters) : parameters_(std::move(parameters)) {
  validate(parameters_);
  density_ = std::make_shared<const detail::GaussianDensity>(parameters_);
}

std::vector<Column> GaussianBlock::features() const {
  std::vector<Column> features;
  for (const std::string& name : parameters_.columns)
    features.push_back({name, ColumnType::numeric});
  return features;
}

bool GaussianBlock::shared() const {
  return classes() > 1 &&
         (diagonal() ? parameters_.variances.rows() == 1 : parameters_.covariances.size() == 1);
}

Matrix GaussianBlock::covariance(Index k) const {
  if (!diagonal())
    return parameters_
        .covariances[parameters_.covariances.size() == 1 ? 0 : static_cast<std::size_t>(k)];
  Matrix result(dimension(), dimension());
  for (Index j = 0; j < dimension(); ++j)
    result(j, j) = parameters_.variances(parameters_.variances.rows() == 1 ? 0 : k, j);
  return result;
}

Index GaussianBlock::free_covariance_parameters() const {
  const Index d = dimension();
  const Index k = classes();
  if (parameters_.rda) return k * d * (d + 1) / 2 + 2;  // plus alpha and gamma
  switch (parameters_.structure) {
    case Covariance::full:
      return k * d * (d + 1) / 2;
    case Covariance::tied:
      return d * (d + 1) / 2;
    case Covariance::diag:
      return k * d;
    case Covariance::tied_diag:
      return d;
    case Covariance::spherical:
      return k;
    case Covariance::tied_spherical:
      return 1;
  }
  return 0;
}

std::optional<GaussianBlock::Linear> GaussianBlock::linear() const {
  const bool one =
      diagonal() ? parameters_.variances.rows() == 1 : parameters_.covariances.size() == 1;
  if (!one) return std::nullopt;
  return density_->linear(parameters_);
}

std::optional<double> GaussianBlock::degrees_of_freedom(Index k) const {
  const GaussianParameters& p = parameters_;
  if (diagonal() || was_moved(p.shrinkage)) return std::nullopt;
  if (p.counts.empty()) return std::numeric_limits<double>::infinity();
  if (p.rda && p.rda->gamma != 0) return std::nullopt;
  const bool own = p.structure == Covariance::full && (!p.rda || p.rda->alpha == 1);
  if (own) return p.counts[static_cast<std::size_t>(k)] - 1;
  if (p.rda && p.rda->alpha != 0) return std::nullopt;
  double total = 0;
  for (const double count : p.counts) total += count;
  return total - static_cast<double>(classes());
}

}  // namespace genera
