#include <algorithm>

#include <fmt/format.h>

#include <genera/decisions.hpp>
#include <genera/error.hpp>

namespace genera {
namespace {

/// Expected cost of a decision, given its cost for each true class.
template <class Cost>
double expected(std::span<const double> posterior, Cost cost) {
  double sum = 0;
  for (std::size_t k = 0; k < posterior.size(); ++k)
    sum += posterior[k] * cost(static_cast<Index>(k));
  return sum;
}

double expected_cost(std::span<const double> posterior, const Costs& costs, Index decision) {
  return expected(posterior, [&](Index truth) { return costs(truth, decision); });
}

std::int32_t cheapest(std::span<const double> posterior, const Costs& costs) {
  std::int32_t best = 0;
  double min = expected_cost(posterior, costs, 0);
  for (std::int32_t a = 1; a < static_cast<std::int32_t>(posterior.size()); ++a) {
    const double cost = expected_cost(posterior, costs, a);
    if (!(cost < min)) continue;
    best = a;
    min = cost;
  }
  const auto price = [&](Index truth) { return costs.review(truth); };
  return costs.offers_review() && expected(posterior, price) < min ? -1 : best;
}

std::int32_t most_probable(std::span<const double> posterior) {
  return static_cast<std::int32_t>(std::ranges::max_element(posterior) - posterior.begin());
}

void reject(const Matrix& posterior, const DecisionRule& rule, std::vector<std::int32_t>& labels) {
  if (!rule.reject) return;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (std::ranges::max(posterior.row(static_cast<Index>(i))) < *rule.reject) labels[i] = -1;
}

void require_same_size(const Matrix& posterior, const DecisionRule& rule) {
  const auto classes = static_cast<Index>(rule.costs ? rule.costs->classes().size() : 0);
  if (!rule.costs || posterior.columns() == classes) return;
  throw Error(Errc::bad_argument,
              fmt::format("there are costs of {}, but posteriors of {}",
                          counted(classes, "class", "classes"), posterior.columns()),
              "give the costs of the model's classes");
}

}  // namespace

bool may_reject(const DecisionRule& rule) {
  return rule.reject || (rule.costs && rule.costs->offers_review());
}

void validate(const DecisionRule& rule, const std::vector<std::string>& classes) {
  if (rule.reject && !(*rule.reject >= 0 && *rule.reject <= 1))
    throw Error(Errc::bad_argument,
                fmt::format("reject is {}, expected a probability", *rule.reject),
                "give a number in [0, 1]");
  if (rule.costs && rule.costs->classes() != classes)
    throw Error(Errc::bad_argument, "the costs are those of other classes, or in another order",
                "bring them into the order of the model with costs_for");
}

std::vector<std::int32_t> decide(const Matrix& posterior, const DecisionRule& rule) {
  require_same_size(posterior, rule);
  std::vector<std::int32_t> labels;
  for (Index i = 0; i < posterior.rows(); ++i)
    labels.push_back(rule.costs ? cheapest(posterior.row(i), *rule.costs)
                                : most_probable(posterior.row(i)));
  reject(posterior, rule, labels);
  return labels;
}

std::vector<std::int32_t> decide(const Answers& answers, const DecisionRule& rule) {
  if (rule.costs) return decide(answers.posterior, rule);
  if (rule.reject && answers.posterior.rows() != std::ssize(answers.labels))
    throw Error(Errc::bad_argument, "the answers do not hold a posterior for each label",
                "ask for posteriors and labels, of the same rows");
  std::vector<std::int32_t> labels = answers.labels;
  reject(answers.posterior, rule, labels);
  return labels;
}

}  // namespace genera
