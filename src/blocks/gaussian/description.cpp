#include "blocks/gaussian/description.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "blocks/gaussian/kind.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"

namespace genera {

std::string_view meaning_of_components(Covariance covariance) {
  switch (covariance) {
    case Covariance::full:
      return "a full covariance for each";
    case Covariance::tied:
      return "one full covariance shared by all";
    case Covariance::diag:
      return "a diagonal covariance for each";
    case Covariance::tied_diag:
      return "one diagonal covariance shared by all";
    case Covariance::spherical:
      return "a multiple of the identity for each";
    case Covariance::tied_spherical:
      return "one multiple of the identity shared by all";
  }
  return "";
}

namespace blocks {
namespace {

using kernel::at;

const char* meaning_of(const GaussianParameters& parameters) {
  if (parameters.rda) return "full covariances between each class's own and the pooled one";
  switch (parameters.structure) {
    case Covariance::full:
      return "a full covariance of its own for each class";
    case Covariance::tied:
      return "one full covariance shared by all classes";
    case Covariance::diag:
      return "a diagonal covariance of its own for each class";
    case Covariance::tied_diag:
      return "one diagonal covariance shared by all classes";
    case Covariance::spherical:
      return "a multiple of the identity for each class";
    case Covariance::tied_spherical:
      return "one multiple of the identity shared by all classes";
  }
  return "";
}

std::string list_of(const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) text += (i > 0 ? ", " : "") + rounded(values[i]);
  return text;
}

std::vector<std::string> how_estimated(const GaussianParameters& parameters) {
  std::vector<std::string> lines;
  if (const auto& rda = parameters.rda)
    lines.push_back(fmt::format("alpha {}, gamma {}", rounded(rda->alpha), rounded(rda->gamma)));
  if (!parameters.shrinkage.empty()) lines.push_back("shrinkage: " + list_of(parameters.shrinkage));
  if (parameters.variance_prior > 0)
    lines.push_back(fmt::format("variance prior: {} {} of the pooled variances in each class",
                                rounded(parameters.variance_prior),
                                parameters.variance_prior == 1 ? "row" : "rows"));
  if (parameters.raw_units) lines.emplace_back("raw units: columns are not scaled");
  if (!parameters.counts.empty())
    lines.emplace_back(parameters.unbiased ? "divisor: unbiased (n - 1 per class, n - K pooled)"
                                           : "divisor: mle (n)");
  return lines;
}

Facts facts_of(const GaussianBlock& block) {
  const GaussianParameters& p = block.parameters();
  Facts facts{{"features", p.columns},
              {"shared", block.shared()},
              {"diagonal", block.diagonal()},
              {"divisor", p.unbiased ? "unbiased" : "mle"}};
  if (p.rda) {
    facts.push_back({"alpha", p.rda->alpha});
    facts.push_back({"gamma", p.rda->gamma});
  }
  if (!p.shrinkage.empty()) facts.push_back({"shrinkage", p.shrinkage});
  if (p.variance_prior > 0) facts.push_back({"variance_prior", p.variance_prior});
  if (p.raw_units) facts.push_back({"raw_units", true});
  return facts;
}

NumberTable deviation_table(const GaussianBlock& block, const DensityOwners& owners) {
  const GaussianParameters& parameters = block.parameters();
  NumberTable table{.title = "standard deviations", .rows = parameters.columns};
  table.columns = block.shared() ? std::vector{fmt::format("all {}", owners.kind)} : owners.names;
  table.values = Matrix(block.dimension(), std::ssize(table.columns));
  for (Index k = 0; k < table.values.columns(); ++k) {
    for (Index j = 0; j < block.dimension(); ++j)
      table.values(j, k) = std::sqrt(block.diagonal() ? parameters.variances(k, j)
                                                      : parameters.covariances[at(k)](j, j));
  }
  return table;
}

void add_covariance_tables(const GaussianBlock& block, const DensityOwners& owners,
                           std::vector<NumberTable>& tables) {
  constexpr Index max_columns = 12;
  if (block.diagonal()) return;
  if (block.dimension() > max_columns) {
    tables.push_back(
        {.title = fmt::format("covariances: not shown for more than {} features", max_columns),
         .remark = {"{} has them", {all_numbers()}}});
    return;
  }
  const std::vector<std::string>& columns = block.parameters().columns;
  for (Index k = 0; k < (block.shared() ? 1 : block.classes()); ++k)
    tables.push_back({.title = block.shared()
                                   ? fmt::format("covariance, shared by all {}", owners.kind)
                                   : "covariance of " + owners.names[at(k)],
                      .rows = columns,
                      .columns = columns,
                      .values = block.covariance(k)});
}

}  // namespace

std::vector<CovarianceMatrix> covariances_of(const GaussianParameters& parameters) {
  std::vector<CovarianceMatrix> covariances(parameters.covariances.begin(),
                                            parameters.covariances.end());
  for (Index k = 0; k < parameters.variances.rows(); ++k) {
    const std::span<const double> row = parameters.variances.row(k);
    covariances.emplace_back(Diagonal{{row.begin(), row.end()}});
  }
  return covariances;
}

void add_density_tables(const GaussianBlock& block, const DensityOwners& owners,
                        std::vector<NumberTable>& tables) {
  tables.push_back({.title = "means",
                    .rows = block.parameters().columns,
                    .columns = owners.names,
                    .values = transposed(block.parameters().means)});
  tables.push_back(deviation_table(block, owners));
  add_covariance_tables(block, owners, tables);
}

std::string_view GaussianKind::name(const Block& block) { return name_of(block.parameters()); }

BlockDescription GaussianKind::describe(const Block& block,
                                        const std::vector<std::string>& classes) {
  const GaussianParameters& p = block.parameters();
  BlockDescription description{.type = "gaussian",
                               .meaning = meaning_of(p),
                               .lines = how_estimated(p),
                               .facts = facts_of(block),
                               .moments = moments(block)};
  add_density_tables(block, {classes, "classes"}, description.tables);
  if (auto linear = block.linear())
    description.linear = {std::move(linear->intercepts), std::move(linear->coefficients)};
  return description;
}

std::optional<BlockDescription::Moments> GaussianKind::moments(const Block& block) {
  return {{block.parameters().means, covariances_of(block.parameters())}};
}

std::optional<FeatureScores> GaussianKind::linear_scores(const Block& block, bool) {
  const GaussianParameters& p = block.parameters();
  const bool shared = block.diagonal() ? p.variances.rows() == 1 : p.covariances.size() == 1;
  if (!shared) return std::nullopt;
  FeatureScores scores{.names = p.columns,
                       .centres = Vector(p.means.row(0).begin(), p.means.row(0).end()),
                       .intercepts = Vector(static_cast<std::size_t>(block.classes())),
                       .coefficients = Matrix(block.classes(), block.dimension())};
  const auto solver = block.diagonal() ? std::nullopt : kernel::Solver::of(p.covariances.front());
  for (Index k = 0; k < block.classes(); ++k) {
    Vector off;  // mean minus centre
    for (Index j = 0; j < block.dimension(); ++j)
      off.push_back((p.means(k, j) - p.means(0, j)) + p.mean_low(k, j));
    Vector solved = off;
    if (solver) solver->solve(solved);
    for (Index j = 0; !solver && j < block.dimension(); ++j) solved[at(j)] /= p.variances(0, j);
    std::ranges::copy(solved, scores.coefficients.row(k).begin());
    for (std::size_t j = 0; j < off.size(); ++j) scores.intercepts[at(k)] -= off[j] * solved[j] / 2;
  }
  return scores;
}

ParameterCount GaussianKind::free_parameters(const Block& block) {
  return {.means = block.classes() * block.dimension(),
          .covariances = block.free_covariance_parameters()};
}

}  // namespace blocks
}  // namespace genera
