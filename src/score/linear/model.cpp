#include <genera/linear.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "blocks/probabilities.hpp"
#include "kernel/index.hpp"
#include "score/distinct.hpp"
#include "score/linear/features.hpp"
#include "score/linear/weights.hpp"
#include "score/temperature.hpp"

namespace genera {
namespace {

using detail::parts_of;
using detail::refuse_model;
using kernel::at;
using score::require_finite;

const Vector& counts_of(const LinearModel::Parameters& parameters) {
  return std::visit([](const auto& p) -> const Vector& { return p.counts; }, parameters);
}

/// Coefficients are -log p, so zero probabilities would make scores infinite for several classes.
void check_weighable(const Matrix& probabilities, const std::string& what) {
  for (Index k = 0; k < probabilities.rows(); ++k) {
    for (const double p : probabilities.row(k)) {
      if (p == 0)
        refuse_model(fmt::format("{} has the probability 0, which complement cannot weigh", what),
                     "give probabilities greater than 0");
    }
  }
}

void expect_classes(Index found, std::size_t classes, const char* what) {
  if (found != static_cast<Index>(classes))
    refuse_model(fmt::format("{}, but the {} has {}",
                             counted(static_cast<Index>(classes), "class", "classes"), what, found),
                 "give every class its prior and its coefficients");
}

void check(const ComplementParameters& p, std::size_t classes) {
  const std::vector<std::string>& terms = names_of(p.features);
  const std::string what = score::title_of(p.features);
  if (!score::are_counts(p.features))
    refuse_model("complement is given features that are not counts",
                 "give columns of counts, or the terms of a text");
  if (terms.empty()) refuse_model("a block of counts needs a term", "give at least one");
  score::check(p.features, {&p.features, 1});
  detail::check_fractions(p.probabilities, std::ssize(terms), what);
  check_weighable(p.probabilities, what);
  detail::check_counts(p.counts, p.probabilities.rows());
  detail::check_counts(p.lengths, p.probabilities.rows());
  expect_classes(p.probabilities.rows(), classes, "block");
}

void check(const LogisticParameters& p, std::size_t classes) {
  Index features = 0;
  for (const LinearFeatures& part : p.features) {
    score::check(part, p.features);
    if (names_of(part).empty())
      refuse_model("a part of a linear model has no feature", "give at least one");
    features += std::ssize(names_of(part));
  }
  if (features == 0) refuse_model("a linear model needs a feature", "give at least one");
  expect_classes(std::ssize(p.intercepts), classes, "list of intercepts");
  expect_classes(p.coefficients.rows(), classes, "matrix of coefficients");
  if (p.coefficients.columns() != features)
    refuse_model(fmt::format("{}, but {} for each class", counted(features, "feature"),
                             counted(p.coefficients.columns(), "coefficient")),
                 "give one for each");
  require_finite(p.intercepts, "an intercept");
  require_finite({p.coefficients.data(), at(p.coefficients.rows() * p.coefficients.columns())},
                 "a coefficient");
  if (!p.means.empty() && std::ssize(p.means) != features)
    refuse_model(counted(std::ssize(p.means), "mean") + " for " + counted(features, "feature"),
                 "give one for each, or none");
  require_finite(p.means, "a mean");
  if (p.ridge && !(*p.ridge >= 0 && std::isfinite(*p.ridge)))
    refuse_model(fmt::format("the ridge of a linear model is {}", *p.ridge),
                 "give a number of at least 0");
  detail::check_counts(p.counts, std::ssize(p.intercepts));
}

}  // namespace

LinearModel::LinearModel(const LinearModel&) = default;
LinearModel::LinearModel(LinearModel&&) noexcept = default;
LinearModel& LinearModel::operator=(const LinearModel&) = default;
LinearModel& LinearModel::operator=(LinearModel&&) noexcept = default;
LinearModel::~LinearModel() = default;

LinearModel::LinearModel(std::vector<std::string> classes, Prior prior, Parameters parameters,
                         std::string target, std::vector<std::string> notes, int threads)
    : classes_(std::move(classes)),
      prior_(std::move(prior)),
      parameters_(std::move(parameters)),
      target_(std::move(target)),
      notes_(std::move(notes)) {
  if (classes_.empty())
    refuse_model("a model needs at least one class", "give classes with their coefficients");
  expect_classes(std::ssize(prior_.probabilities()), classes_.size(), "prior");
  std::visit([&](const auto& p) { check(p, classes_.size()); }, parameters_);
  weights_ = std::make_shared<const detail::LinearWeights>(parameters_, classes_.size(), threads);
  for (const LinearFeatures& part : parts()) {
    if (score::are_products(part)) continue;  // its columns belong to another part
    for (Column& column : score::columns_of(part)) features_.push_back(std::move(column));
  }
  score::require_distinct(classes_, features_);
}

std::span<const LinearFeatures> LinearModel::parts() const { return parts_of(parameters_); }

Vector LinearModel::intercepts() const {
  Vector intercepts = weights_->intercepts();
  for (std::size_t i = 0; i < parts().size(); ++i) {
    const auto numbers = score::numeric_features(parts()[i]);
    if (!numbers || numbers->are_products()) continue;
    for (std::size_t j = 0; j < numbers->centres.size(); ++j) {
      const auto weights = weights_->of(weights_->first(i) + static_cast<Index>(j));
      for (std::size_t k = 0; k < intercepts.size(); ++k)
        intercepts[k] -= weights[k] * numbers->centres[j];
    }
  }
  return intercepts;
}

Matrix LinearModel::coefficients() const {
  Matrix coefficients(weights_->classes(), weights_->features());
  for (Index j = 0; j < coefficients.columns(); ++j) {
    for (Index k = 0; k < coefficients.rows(); ++k) coefficients(k, j) = weights_->of(j)[at(k)];
  }
  return coefficients;
}

TextOptions LinearModel::text_options() const {
  for (const LinearFeatures& part : parts()) {
    if (const TextOptions* options = score::text_options(part)) return *options;
  }
  return {};
}

const Vector& LinearModel::counts() const { return counts_of(parameters_); }

Index LinearModel::free_parameters() const {
  const Index classes = weights_->classes(), features = weights_->features();
  return kind() == Kind::complement ? classes * (features - 1) : (classes - 1) * (features + 1);
}

LinearModel LinearModel::with_temperature(double temperature) const& {
  return LinearModel(*this).with_temperature(temperature);
}

LinearModel LinearModel::with_temperature(double temperature) && {
  score::require_temperature(temperature);
  temperature_ = temperature;
  return std::move(*this);
}

LinearModel LinearModel::with_notes(std::vector<std::string> notes) const& {
  return LinearModel(*this).with_notes(std::move(notes));
}

LinearModel LinearModel::with_notes(std::vector<std::string> notes) && {
  notes_ = std::move(notes);
  return std::move(*this);
}

LinearModel LinearModel::with_label_type(LabelType type) const {
  LinearModel model(*this);
  model.label_type_ = type;
  return model;
}

LinearModel LinearModel::with_origin(Origin origin) const {
  LinearModel model(*this);
  model.origin_ = std::move(origin);
  return model;
}

std::string_view name_of(LinearModel::Kind kind) {
  return kind == LinearModel::Kind::complement ? "complement" : "logistic";
}

std::string_view generative_counterpart(LinearModel::Kind kind) {
  return kind == LinearModel::Kind::complement ? "multinomial" : "lda";
}

}  // namespace genera
