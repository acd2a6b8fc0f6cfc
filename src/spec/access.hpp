#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "spec/draft.hpp"

/// How a draft stores the value of each option.
namespace genera::spec {

inline double number(const OptionValue& value) { return std::get<double>(value); }
inline const std::string& text(const OptionValue& value) { return std::get<std::string>(value); }
inline OptionValue given(const std::optional<double>& value) {
  return value ? OptionValue(*value) : OptionValue();
}

/// Enumerators in the order of the choices.
template <class Enum, std::size_t n>
Enum enumerator(const std::array<const char*, n>& names, const OptionValue& value) {
  return static_cast<Enum>(std::ranges::find(names, text(value)) - names.begin());
}
template <class Enum, std::size_t n>
OptionValue name_of(const std::array<const char*, n>& names, Enum value) {
  return std::string(names[static_cast<std::size_t>(value)]);
}
template <std::size_t n>
std::vector<std::string> list_of(const std::array<const char*, n>& names) {
  return {names.begin(), names.end()};
}

inline constexpr std::array divisors{"mle", "unbiased"};
inline constexpr std::array targets{"diagonal", "identity"};
inline constexpr std::array singular{"error", "shrink"};
inline constexpr std::array logistic_terms{"linear", "squares", "quadratic"};
inline constexpr std::array missing{"refuse", "drop", "em"};
inline constexpr std::array shrinkages{"none", "oas", "lw"};
inline constexpr std::array priors{"empirical", "uniform"};
inline std::vector<std::string> structures() {
  std::vector<std::string> names;
  for (const Covariance covariance : all_covariances) names.emplace_back(name_of(covariance));
  return names;
}
inline std::vector<std::pair<std::string, std::string>> structure_aliases() {
  std::vector<std::pair<std::string, std::string>> aliases{
      {"pooled", "tied"}, {"shared", "tied"}, {"diagonal", "diag"}};
  for (const GaussianModel& model : all_gaussian_models)
    if (!model.rda) aliases.emplace_back(model.name, name_of(model.covariance));
  return aliases;
}

inline void set_shrinkage(Draft& to, const OptionValue& value) {
  to.gaussian.shrinkage = {};
  if (const double* amount = std::get_if<double>(&value))
    to.gaussian.shrinkage = {.kind = Shrinkage::Kind::fixed, .amount = *amount};
  else
    to.gaussian.shrinkage.kind = enumerator<Shrinkage::Kind>(shrinkages, value);
}

inline OptionValue shrinkage_of(const Draft& from) {
  const Shrinkage& shrinkage = from.gaussian.shrinkage;
  if (shrinkage.kind == Shrinkage::Kind::fixed) return shrinkage.amount;
  return name_of(shrinkages, shrinkage.kind);
}

inline void set_priors(Draft& to, const OptionValue& value) {
  to.priors = {};
  if (const auto* list = std::get_if<ClassProbabilities>(&value))
    to.priors = {.kind = PriorChoice::Kind::given, .given = *list};
  else
    to.priors.kind = enumerator<PriorChoice::Kind>(priors, value);
}

inline OptionValue priors_of(const Draft& from) {
  if (from.priors.kind == PriorChoice::Kind::given) return from.priors.given;
  return name_of(priors, from.priors.kind);
}

inline void set_components(Draft& to, const OptionValue& value) {
  to.mixture.components = std::get<MixtureOptions::Range>(value);
}
inline OptionValue components_of(const Draft& from) { return from.mixture.components; }

inline void set_covariances(Draft& to, const OptionValue& value) {
  to.covariances.clear();
  for (const std::string& name : std::get<std::vector<std::string>>(value))
    to.covariances.push_back(*covariance_named(name));
}

inline OptionValue covariances_of(const Draft& from) {
  std::vector<std::string> names;
  for (const Covariance covariance : from.covariances) names.emplace_back(name_of(covariance));
  return names;
}

inline void set_starts(Draft& to, const OptionValue& value) {
  to.mixture.starts = static_cast<int>(number(value));
}
inline OptionValue starts_of(const Draft& from) {
  return from.mixture.starts ? OptionValue(double(*from.mixture.starts)) : OptionValue();
}

inline void set_max_bins(Draft& to, const OptionValue& value) {
  to.discrete.max_bins = static_cast<Index>(number(value));
}
inline OptionValue max_bins_of(const Draft& from) {
  return from.discrete.max_bins ? OptionValue(double(*from.discrete.max_bins)) : OptionValue();
}

/// Terms are in lower case.
inline void set_stop_words(Draft& to, const OptionValue& value) {
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  to.discrete.stop_words = list ? *list : english_stop_words();
  for (std::string& word : to.discrete.stop_words)
    for (char& c : word)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
}

inline void set_prior_rows(Draft& to, const OptionValue& value) {
  to.bayesian.prior_rows = number(value);
}
inline OptionValue prior_rows_of(const Draft& from) { return given(from.bayesian.prior_rows); }

inline void set_prior_gamma(Draft& to, const OptionValue& value) {
  to.bayesian.prior_gamma = number(value);
}
inline OptionValue prior_gamma_of(const Draft& from) { return given(from.bayesian.prior_gamma); }

inline void set_bandwidth(Draft& to, const OptionValue& value) {
  to.kernel.bandwidth = number(value);
}
inline OptionValue bandwidth_of(const Draft& from) { return given(from.kernel.bandwidth); }

inline void set_kernel_gamma(Draft& to, const OptionValue& value) {
  to.kernel.gamma = number(value);
}
inline OptionValue kernel_gamma_of(const Draft& from) { return given(from.kernel.gamma); }

inline void set_calibrate(Draft& to, const OptionValue& value) {
  to.calibrate = text(value) == "temperature";
}
inline OptionValue calibrate_of(const Draft& from) {
  if (!from.calibrate) return {};
  return std::string(*from.calibrate ? "temperature" : "none");
}

/// The value is one member of a part of the draft.
template <auto part, auto member>
constexpr Access at_number{
    [](Draft& to, const OptionValue& value) {
      auto& own = to.*part.*member;
      own = static_cast<std::decay_t<decltype(own)>>(number(value));
    },
    [](const Draft& from) -> OptionValue { return static_cast<double>(from.*part.*member); }};

template <const auto& names, auto part, auto member>
constexpr Access at_choice{[](Draft& to, const OptionValue& value) {
                             auto& own = to.*part.*member;
                             own = enumerator<std::decay_t<decltype(own)>>(names, value);
                           },
                           [](const Draft& from) { return name_of(names, from.*part.*member); }};

/// The value is a flag of the draft.
template <auto member>
constexpr Access at_flag{
    [](Draft& to, const OptionValue& value) { to.*member = std::get<bool>(value); },
    [](const Draft& from) -> OptionValue { return from.*member; }};

inline constexpr Access at_raw_units{
    [](Draft& to, const OptionValue& value) { to.gaussian.raw_units = std::get<bool>(value); },
    [](const Draft& from) -> OptionValue { return from.gaussian.raw_units; }};
inline constexpr Access at_covariance{
    [](Draft& to, const OptionValue& value) { to.covariance = *covariance_named(text(value)); },
    [](const Draft& from) -> OptionValue { return std::string(name_of(from.covariance)); }};
inline constexpr Access at_max_iterations{
    [](Draft& to, const OptionValue& value) { to.max_iterations = number(value); },
    [](const Draft& from) { return given(from.max_iterations); }};
inline constexpr Access at_stop_words{
    set_stop_words, [](const Draft& from) -> OptionValue { return from.discrete.stop_words; }};
inline constexpr Access at_unlabelled_weight{
    [](Draft& to, const OptionValue& value) { to.fit.unlabelled_weight = number(value); },
    [](const Draft& from) { return given(from.fit.unlabelled_weight); }};
inline constexpr Access at_folds{
    [](Draft& to, const OptionValue& value) { to.folds = static_cast<Index>(number(value)); },
    [](const Draft& from) -> OptionValue { return static_cast<double>(from.folds); }};

}  // namespace genera::spec
