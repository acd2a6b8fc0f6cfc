#include <algorithm>
#include <limits>

#include "blocks/gaussian/description.hpp"
#include "blocks/student/kind.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

std::vector<std::string> how_estimated(const StudentParameters& p) {
  if (p.prior_rows == 0) return {};
  return {fmt::format("prior of each class: {} rows (nu) of the pooled covariance with gamma {}",
                      rounded(p.prior_rows), rounded(p.prior_gamma))};
}

Facts facts_of(const StudentParameters& p) {
  Facts facts{{"features", p.scales.columns},
              {"degrees", p.degrees},
              {"means", p.scales.means},
              {"scales", p.scales.covariances}};
  if (p.prior_rows > 0) {
    facts.push_back({"prior_rows", p.prior_rows});
    facts.push_back({"prior_gamma", p.prior_gamma});
  }
  return facts;
}

}  // namespace

BlockDescription StudentKind::describe(const Block& block,
                                       const std::vector<std::string>& classes) {
  const StudentParameters& p = block.parameters();
  BlockDescription description{
      .type = "student",
      .meaning =
          "a multivariate t density for each class: its mean and covariance are integrated "
          "over their posterior",
      .lines = how_estimated(p),
      .facts = facts_of(p),
      .moments = moments(block)};
  description.tables.push_back({.corner = "class",
                                .rows = classes,
                                .columns = {"degrees of freedom"},
                                .values = Matrix(block.classes(), 1, p.degrees),
                                .max_rows = block.classes()});
  add_density_tables(block.scales(), {classes, "classes"}, description.tables);
  for (NumberTable& table : description.tables) {
    if (table.title == "standard deviations") table.title = "square roots of the diagonal scales";
    constexpr std::string_view covariance = "covariance";
    if (table.title.starts_with(covariance))
      table.title = "scale" + table.title.substr(covariance.size());
  }
  return description;
}

/// The covariance of a t density is its scale times nu / (nu - 2).
std::optional<BlockDescription::Moments> StudentKind::moments(const Block& block) {
  const StudentParameters& p = block.parameters();
  if (!(*std::ranges::min_element(p.degrees) > 2)) return std::nullopt;
  BlockDescription::Moments moments{p.scales.means, {}};
  for (std::size_t k = 0; k < p.degrees.size(); ++k) {
    Matrix covariance = p.scales.covariances[k];
    for (Index i = 0; i < covariance.rows(); ++i) {
      for (double& value : covariance.row(i)) value *= p.degrees[k] / (p.degrees[k] - 2);
    }
    moments.covariances.emplace_back(std::move(covariance));
  }
  return moments;
}

/// Without a covariance, the scales take its place.
std::vector<Normal> StudentKind::normals(const Block& block, std::span<const Index> columns) {
  const GaussianParameters& scales = block.parameters().scales;
  return normals_with(moments(block).value_or(BlockDescription::Moments{
                          scales.means, {scales.covariances.begin(), scales.covariances.end()}}),
                      columns);
}

ParameterCount StudentKind::free_parameters(const Block& block) {
  const Index k = block.classes(), d = block.dimension();
  return {.means = k * d, .covariances = k * d * (d + 1) / 2};
}

}  // namespace genera::blocks
