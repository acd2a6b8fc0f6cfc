#include <cmath>

#include <genera/explain.hpp>

#include "query/explain/evidence.hpp"

namespace genera {
namespace {

/// The mean of the others' probabilities, by their priors.
double of_others(const Model& model, const Matrix& table, Index k, Index column) {
  double sum = 0, weight = 0, plain = 0;
  const Vector& prior = model.prior().probabilities();
  for (Index l = 0; l < table.rows(); ++l) {
    if (l == k) continue;
    sum += prior[static_cast<std::size_t>(l)] * table(l, column);
    weight += prior[static_cast<std::size_t>(l)];
    plain += table(l, column) / static_cast<double>(table.rows() - 1);
  }
  return weight > 0 ? sum / weight : plain;
}

/// log p - log q, 0 where both are impossible.
double log_ratio(double p, double q) { return p == q ? 0 : std::log(p) - std::log(q); }

/// How far the complement weight of a class, -log theta, is above the mean over classes.
double excess_weight(const Matrix& table, Index k, Index column) {
  double mean = 0;
  for (Index l = 0; l < table.rows(); ++l)
    mean -= std::log(table(l, column)) / static_cast<double>(table.rows());
  return -std::log(table(k, column)) - mean;
}

void add_evidence(const Model& model, const Block& block, Index k, std::vector<Evidence>& to) {
  if (const auto* categorical = std::get_if<CategoricalBlock>(&block)) {
    const CategoricalParameters& p = categorical->parameters();
    for (std::size_t j = 0; j < p.columns.size(); ++j) {
      for (std::size_t v = 0; v < p.levels[j].size(); ++v) {
        const auto level = static_cast<Index>(v);
        to.push_back({query::level_name(p.columns[j], p.levels[j][v]),
                      log_ratio(p.probabilities[j](k, level),
                                of_others(model, p.probabilities[j], k, level))});
      }
    }
  }
  if (const auto* joint = std::get_if<JointBlock>(&block)) {
    const JointParameters& p = joint->parameters();
    for (Index cell = 0; cell < p.probabilities.columns(); ++cell)
      to.push_back(
          {query::cell_name(p, cell),
           log_ratio(p.probabilities(k, cell), of_others(model, p.probabilities, k, cell))});
  }
  if (const auto* counts = std::get_if<CountBlock>(&block)) {
    const CountParameters& p = counts->parameters();
    for (Index term = 0; term < p.probabilities.columns(); ++term)
      to.push_back({query::term_name(model, p, term),
                    counts->is_density() ? log_ratio(p.probabilities(k, term),
                                                     of_others(model, p.probabilities, k, term))
                                         : excess_weight(p.probabilities, k, term)});
  }
}

}  // namespace

std::vector<std::vector<Evidence>> strongest_evidence(const Model& model, Index most) {
  std::vector<std::vector<Evidence>> strongest;
  for (Index k = 0; k < std::ssize(model.classes()) && model.classes().size() > 1; ++k) {
    std::vector<Evidence> all;
    for (const Block& block : model.blocks()) add_evidence(model, block, k, all);
    if (all.empty()) return {};
    query::keep_largest(all, most, false);
    strongest.push_back(std::move(all));
  }
  return strongest;
}

}  // namespace genera
