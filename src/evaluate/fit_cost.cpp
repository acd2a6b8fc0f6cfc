#include "evaluate/fit_cost.hpp"

#include <algorithm>
#include <variant>

namespace genera::select_detail {
namespace {

/// Shape of rows.
struct Shape {
  double classes = 0;
  double numbers = 0;  ///< numeric columns
  double others = 0;   ///< other cells of a row, including entries of sparse columns
  double terms = 0;    ///< levels and sparse columns: features of a linear model
};

Shape shape_of(const Rows& rows) {
  const DataView& data = rows.data();
  Shape shape{.classes = static_cast<double>(std::max<std::size_t>(1, data.labels.names.size()))};
  for (const Column& column : data.columns) {
    if (column.type == ColumnType::numeric)
      ++shape.numbers;
    else if (column.type != ColumnType::text)
      ++shape.others;
  }
  for (const CodesView& codes : data.codes) shape.terms += static_cast<double>(codes.names.size());
  for (const SparseView& sparse : data.sparse) {
    const auto entries = static_cast<double>(sparse.begin(data.rows) - sparse.begin(0));
    shape.others += entries / static_cast<double>(std::max<Index>(1, data.rows));
    shape.terms += static_cast<double>(sparse.terms.size());
  }
  return shape;
}

/// Cost of scoring a row, including posteriors.
double asking(const Shape& shape, Covariance covariance) {
  constexpr double probability = 10;
  const double d = shape.numbers;
  const double distance = covariance == Covariance::full ? d * (d + 1) / 2 : d;
  const double once = covariance == Covariance::tied ? d * (d + 1) / 2 : 0;
  return once + shape.classes * (distance + shape.others + probability);
}

double cost_of(const Shape& shape, const Recipe& recipe, const FitSize& size) {
  constexpr double steps = 50;          // of EM
  constexpr double search_steps = 500;  // of all starts, each twice as expensive as scoring
  const Covariance covariance = recipe.gaussian.covariance;
  const double d = shape.numbers, n = static_cast<double>(size.training);
  const double row = asking(shape, covariance);
  const double matrices = is_tied(covariance) ? 1 : shape.classes;
  const double estimate = is_full(covariance) ? 2 * matrices * d * d * d : shape.classes * d;
  double components = 1, searched = 0;
  if (recipe.mixture) {  // a search in each class over numbers of components and starts
    const auto [min, max] = recipe.mixture->components;
    const auto tried = static_cast<double>(max - min + 1);
    components = static_cast<double>(min + max) / 2;
    searched = n * search_steps * tried * components * row / shape.classes;
  }
  if (recipe.kernel) {  // rows held out against all others, for each bandwidth and gamma
    constexpr double held_out = 2000, choices = 10;
    components = n / shape.classes;
    searched = std::min(n, held_out) * n * choices * (d + 10);
  }
  const double learning =
      size.by_sums ? 0 : n * row * (recipe.mixture || recipe.kernel ? 1 : steps);
  return estimate + searched + learning + static_cast<double>(size.asked) * components * row;
}

double cost_of(const Shape& shape, const LinearRecipe& recipe, const FitSize& size) {
  const double n = static_cast<double>(size.training);
  const double asked = static_cast<double>(size.asked) * asking(shape, Covariance::diag);
  const auto* softmax = std::get_if<LogisticOptions>(&recipe.options);
  if (!softmax) return asked + n * shape.others;
  constexpr double passes = 300;  // over all rows, each a step of conjugate gradients or a gradient
  constexpr double max_factored = 1500;
  const double d = shape.numbers;
  const double products = softmax->terms == LogisticTerms::quadratic ? d * (d + 1) / 2
                          : softmax->terms == LogisticTerms::squares ? d
                                                                     : 0;
  const double row = shape.classes * (1 + d + products + shape.others);
  const double coefficients = shape.classes * (1 + d + products + shape.terms);
  const double factors =
      coefficients <= max_factored ? coefficients * coefficients * (n / 2 + coefficients / 3) : 0;
  return asked + n * row * passes + factors;
}

}  // namespace

double expected_cost(const Rows& rows, const AnyRecipe& recipe, const FitSize& size) {
  const Shape shape = shape_of(rows);
  return std::visit([&](const auto& one) { return cost_of(shape, one, size); }, recipe);
}

}  // namespace genera::select_detail
