#include <cmath>

#include "blocks/describing.hpp"
#include "blocks/poisson/kind.hpp"

namespace genera::blocks {

std::string_view PoissonKind::name(const Block&) { return types.front(); }

BlockDescription PoissonKind::describe(const Block& block,
                                       const std::vector<std::string>& classes) {
  const PoissonParameters& p = block.parameters();
  return {.type = std::string(types.front()),
          .meaning = "columns of counts, independent within a class",
          .tables = {{.title = "mean counts",
                      .remark = fmt::format("smoothing {}", rounded(p.smoothing)),
                      .rows = p.columns,
                      .columns = classes,
                      .values = transposed(p.rates),
                      .max_rows = 60,
                      .rest = {"… ({} has them all, {} those that separate the classes most)",
                               {all_numbers(), strongest_features()}}}},
          .facts = {{"features", p.columns}, {"smoothing", p.smoothing}, {"rates", p.rates}}};
}

std::optional<BlockDescription::Moments> PoissonKind::moments(const Block& block) {
  const Matrix& rates = block.parameters().rates;
  BlockDescription::Moments moments{rates, {}};
  for (Index k = 0; k < rates.rows(); ++k)
    moments.covariances.emplace_back(Diagonal{{rates.row(k).begin(), rates.row(k).end()}});
  return moments;
}

std::optional<FeatureScores> PoissonKind::linear_scores(const Block& block, bool) {
  const PoissonParameters& p = block.parameters();
  FeatureScores scores{.names = p.columns,
                       .intercepts = Vector(static_cast<std::size_t>(p.rates.rows())),
                       .coefficients = p.rates};
  for (Index k = 0; k < p.rates.rows(); ++k) {
    for (double& rate : scores.coefficients.row(k)) {
      scores.intercepts[static_cast<std::size_t>(k)] -= rate;
      rate = std::log(rate);
    }
  }
  return scores;
}

ParameterCount PoissonKind::free_parameters(const Block& block) {
  const Matrix& rates = block.parameters().rates;
  return {.means = rates.rows() * rates.columns()};
}

}  // namespace genera::blocks
