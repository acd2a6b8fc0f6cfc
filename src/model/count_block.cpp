#include <cmath>

#include <boost/math/special_functions/gamma.hpp>
#include <fmt/format.h>

#include "model/probabilities.hpp"
#include "model/term_weights.hpp"

namespace genera {
namespace detail {

namespace {

struct Logs {
  double of = -1, log = 0, log_of_rest = 0;
};

}  // namespace

TermWeights::TermWeights(const CountParameters& p)
    : terms_(p.terms),
      presence_(p.kind == CountParameters::Kind::bernoulli),
      coefficient_(p.kind == CountParameters::Kind::multinomial),
      base_(static_cast<std::size_t>(p.probabilities.rows())) {
  const auto classes = base_.size();
  weights_.reserve(p.terms.size() * classes);
  std::vector<Index> certain(classes);
  bool any = false;
  std::vector<Logs> logs(
      classes);  // of the last probability: most terms are missing in most classes
  for (std::size_t j = 0; j < p.terms.size(); ++j) {
    for (std::size_t k = 0; k < classes; ++k) {
      Logs& last = logs[k];
      const double probability = p.probabilities(static_cast<Index>(k), static_cast<Index>(j));
      if (probability != last.of)
        last = {probability, std::log(probability), presence_ ? std::log1p(-probability) : 0};
      weights_.push_back(p.kind == CountParameters::Kind::complement ? -last.log : last.log);
      if (!presence_) continue;
      if (probability == 1) {
        any = true;
        ++certain[k];
        continue;
      }
      weights_.back() -= last.log_of_rest;
      base_[k] += last.log_of_rest;
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

std::string block_name(const CountParameters& p) {
  return p.text.empty() ? "the block of counts" : fmt::format("the text column '{}'", p.text);
}

void validate(const CountParameters& p) {
  if (p.terms.empty()) detail::refuse_model("a block of counts needs a term", "give at least one");
  const std::string what = block_name(p);
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
  if (density_->terms().size() != std::ssize(parameters_.terms))  // some name came twice
    detail::check_levels(parameters_.terms, block_name(parameters_));
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
