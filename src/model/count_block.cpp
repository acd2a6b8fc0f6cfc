#include <cmath>

#include <boost/math/special_functions/gamma.hpp>
#include <fmt/format.h>

#include "model/probabilities.hpp"
#include "model/term_weights.hpp"

namespace genera {
namespace detail {

TermWeights::TermWeights(const CountParameters& p)
    : terms_(p.terms),
      presence_(p.kind == CountParameters::Kind::bernoulli),
      coefficient_(p.kind == CountParameters::Kind::multinomial),
      base_(static_cast<std::size_t>(p.probabilities.rows())) {
  const auto classes = base_.size();
  weights_.resize(p.terms.size() * classes);
  std::vector<Index> certain(classes);
  bool any = false;
  for (std::size_t k = 0; k < classes; ++k) {
    const std::span<const double> row = p.probabilities.row(static_cast<Index>(k));
    for (std::size_t j = 0; j < row.size(); ++j) {
      double& weight = weights_[j * classes + k];
      weight = std::log(row[j]);
      if (p.kind == CountParameters::Kind::complement) weight = -weight;
      if (!presence_) continue;
      if (row[j] == 1) {
        any = true;
        ++certain[k];
        continue;
      }
      weight -= std::log1p(-row[j]);
      base_[k] += std::log1p(-row[j]);
    }
  }
  if (!any) return;
  certain_ = std::move(certain);
  probabilities_ = p.probabilities;
}

namespace {

/// log x!, infinite where it overflows.
double log_factorial(double x) {
  using namespace boost::math::policies;
  const policy<overflow_error<ignore_error>, domain_error<ignore_error>, pole_error<ignore_error>>
      quiet;
  return boost::math::lgamma(x + 1, quiet);
}

}  // namespace

void LogCoefficient::add(double x) {
  total_ += x;
  if (x != 1) factorials_ += log_factorial(x);
}

double LogCoefficient::value() const {
  const double value = log_factorial(total_) - factorials_;
  return std::isfinite(value) ? value : 0;  // counts that no double can tell apart
}

}  // namespace detail

namespace {

/// Weights are -log p, and what is infinitely for two classes is for none of them.
void check_weighable(const Matrix& probabilities, const std::string& what) {
  for (Index k = 0; k < probabilities.rows(); ++k) {
    for (const double p : probabilities.row(k)) {
      if (p == 0)
        detail::refuse_model(
            fmt::format("{} has the probability 0, which complement cannot weigh", what),
            "give probabilities greater than 0");
    }
  }
}

void validate(const CountParameters& p) {
  if (p.terms.empty()) detail::refuse_model("a block of counts needs a term", "give at least one");
  const std::string what =
      p.text.empty() ? "the block of counts" : fmt::format("the text column '{}'", p.text);
  detail::check_levels(p.terms, what);
  const auto terms = static_cast<Index>(p.terms.size());
  if (p.kind == CountParameters::Kind::multinomial) {
    detail::check_probabilities(p.probabilities, terms, what);
  } else {
    detail::check_fractions(p.probabilities, terms, what);
  }
  if (p.kind == CountParameters::Kind::complement) check_weighable(p.probabilities, what);
  detail::check_counts(p.counts, p.probabilities.rows());
  detail::check_counts(p.lengths, p.probabilities.rows());
}

}  // namespace

CountBlock::CountBlock(CountParameters parameters) : parameters_(std::move(parameters)) {
  validate(parameters_);
  density_ = std::make_shared<const detail::TermWeights>(parameters_);
}

std::vector<Column> CountBlock::features() const {
  if (!parameters_.text.empty()) return {{parameters_.text, ColumnType::text}};
  const bool presence = parameters_.kind == CountParameters::Kind::bernoulli;
  std::vector<Column> features;
  for (const std::string& name : parameters_.terms)
    features.push_back({name, presence ? ColumnType::numeric : ColumnType::count});
  return features;
}

Index CountBlock::free_parameters() const {
  const Index terms = std::ssize(parameters_.terms);
  return classes() * (parameters_.kind == CountParameters::Kind::bernoulli ? terms : terms - 1);
}

std::string_view name_of(CountParameters::Kind kind) {
  switch (kind) {
    case CountParameters::Kind::multinomial:
      return "multinomial";
    case CountParameters::Kind::bernoulli:
      return "bernoulli";
    case CountParameters::Kind::complement:
      return "complement";
  }
  return "";
}

}  // namespace genera
