#pragma once

#include <vector>

#include <genera/explain.hpp>

#include "query/rows.hpp"

namespace genera::query {

/// Two classes that are compared.
struct Pair {
  Index best, second;
};

/// What the columns of a Gaussian block say, and what none of them does.
class GaussianEvidence {
 public:
  explicit GaussianEvidence(const GaussianBlock& block);
  [[nodiscard]] double base(Pair pair) const;
  void add(const Vector& x, Pair pair, std::vector<Evidence>& to) const;

 private:
  [[nodiscard]] Vector solve(Index k, const Vector& y) const;

  const GaussianBlock* block_;
  std::vector<Matrix> inverse_factors_;  // of full covariances
};

/// Names of the features of a model as evidence shows them.
/// All columns of a mixture together: a sum of densities has no share for each column.
[[nodiscard]] std::string mixture_name(const MixtureBlock& block);
[[nodiscard]] std::string level_name(const std::string& column, const std::string& level);
[[nodiscard]] std::string cell_name(const JointParameters& p, Index cell);
/// The words of a text, marked by their column if the model has several.
[[nodiscard]] std::string term_name(const Model& model, const CountParameters& p, Index term);

/// Leaves the `most` largest (by absolute value if told), largest first; returns the sum of the
/// rest.
double keep_largest(std::vector<Evidence>& evidence, Index most, bool absolute);

}  // namespace genera::query
