#include <algorithm>

#include "blocks/gaussian/description.hpp"
#include "blocks/gaussian/kind.hpp"
#include "blocks/gaussian/density/normals.hpp"
#include "blocks/mixture/kind.hpp"
#include "blocks/total_moments.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// The components of all classes: "a 1", "a 2", "b 1", ...
std::vector<std::string> component_names(const MixtureBlock& block,
                                         const std::vector<std::string>& classes) {
  std::vector<std::string> names;
  for (Index k = 0; k < block.classes(); ++k) {
    for (Index c = block.first(k); c < block.first(k + 1); ++c)
      names.push_back(fmt::format("{} {}", classes[at(k)], c - block.first(k) + 1));
  }
  return names;
}

Fact::Value as_fact(const CovarianceMatrix& covariance) {
  return std::visit([](const auto& known) { return Fact::Value(known); }, covariance);
}

std::vector<Facts> components_of(const MixtureParameters& p,
                                 const std::vector<std::string>& classes) {
  const std::vector<CovarianceMatrix> covariances = covariances_of(p.components);
  std::vector<Facts> components;
  for (std::size_t c = 0; c < p.weights.size(); ++c) {
    const std::span<const double> mean = p.components.means.row(static_cast<Index>(c));
    components.push_back({{"class", classes[at(p.component_class[c])]},
                          {"weight", p.weights[c]},
                          {"mean", Vector(mean.begin(), mean.end())},
                          {"covariance", as_fact(covariances[covariances.size() == 1 ? 0 : c])}});
  }
  return components;
}

Facts facts_of(const MixtureBlock& block, const std::vector<std::string>& classes) {
  const MixtureParameters& p = block.parameters();
  Facts facts{{"structure", std::string(name_of(p.components))},
              {"features", p.components.columns},
              {"shared", block.components().shared()},
              {"diagonal", block.components().diagonal()},
              {"components", components_of(p, classes)}};
  if (p.components.raw_units) facts.push_back({"raw_units", true});
  return facts;
}

Facts facts_of_kernels(const MixtureParameters& p) {
  return {{"features", p.components.columns},
          {"bandwidth", p.kernel->bandwidth},
          {"gamma", p.kernel->gamma},
          {"rows", static_cast<double>(p.weights.size())},
          {"keeps_rows", true},
          {"covariance", p.components.covariances.front()}};
}

BlockDescription describe_kernels(const MixtureBlock& block,
                                  const std::vector<std::string>& classes) {
  const MixtureParameters& p = block.parameters();
  BlockDescription description{
      .type = "mixture",
      .meaning =
          "kernel densities: each class is a mixture of normal densities centred on its rows, "
          "with one covariance",
      .lines = {fmt::format("bandwidth {}, gamma {}", rounded(p.kernel->bandwidth),
                            rounded(p.kernel->gamma)),
                fmt::format("contains {} training rows", p.weights.size())},
      .facts = facts_of_kernels(p)};
  Matrix rows(block.classes(), 1);
  for (Index k = 0; k < block.classes(); ++k)
    rows(k, 0) = static_cast<double>(block.first(k + 1) - block.first(k));
  description.tables.push_back({.corner = "class",
                                .rows = classes,
                                .columns = {"rows"},
                                .values = std::move(rows),
                                .max_rows = block.classes()});
  constexpr Index max_columns = 12;
  if (block.dimension() <= max_columns)
    description.tables.push_back({.title = "covariance of the kernels",
                                  .rows = p.components.columns,
                                  .columns = p.components.columns,
                                  .values = p.components.covariances.front()});
  return description;
}

}  // namespace

std::string_view MixtureKind::name(const Block& block) {
  return block.parameters().kernel ? "kernel" : "mda";
}

BlockDescription MixtureKind::describe(const Block& block,
                                       const std::vector<std::string>& classes) {
  if (block.parameters().kernel) return describe_kernels(block, classes);
  const MixtureParameters& p = block.parameters();
  const DensityOwners owners{component_names(block, classes), "components"};
  const Index count = std::ssize(p.weights);
  BlockDescription description{
      .type = "mixture",
      .meaning = fmt::format("{} in total, {}", counted(count, "component"),
                             meaning_of_components(p.components.structure)),
      .facts = facts_of(block, classes)};
  if (p.components.raw_units) description.lines = {"raw units: columns are not scaled"};
  description.tables.push_back({.corner = "component",
                                .rows = owners.names,
                                .columns = {"weight"},
                                .values = Matrix(count, 1, p.weights),
                                .max_rows = count});
  add_density_tables(block.components(), owners, description.tables);
  return description;
}

/// Over the components of each class.
std::optional<BlockDescription::Moments> MixtureKind::moments(const Block& block) {
  const MixtureParameters& p = block.parameters();
  const std::vector<CovarianceMatrix> covariances = covariances_of(p.components);
  BlockDescription::Moments moments{Matrix(block.classes(), block.dimension()), {}};
  for (Index k = 0; k < block.classes(); ++k) {
    const Index first = block.first(k), count = block.first(k + 1) - first;
    BlockDescription::Moments own{Matrix(count, block.dimension()), {}};
    for (Index c = 0; c < count; ++c) {
      std::ranges::copy(p.components.means.row(first + c), own.means.row(c).begin());
      own.covariances.push_back(covariances[covariances.size() == 1 ? 0 : at(first + c)]);
    }
    TotalMoments total =
        total_moments(std::span(p.weights).subspan(at(first), at(count)), std::span(&own, 1));
    std::ranges::copy(total.mean, moments.means.row(k).begin());
    moments.covariances.emplace_back(std::move(total.covariance));
  }
  return moments;
}

std::optional<FeatureScores> MixtureKind::linear_scores(const Block& block, bool several_texts) {
  if (block.parameters().kernel || block.components().classes() > block.classes())
    return std::nullopt;
  return GaussianKind::linear_scores(block.components(), several_texts);
}

ParameterCount MixtureKind::free_parameters(const Block& block) {
  ParameterCount count = GaussianKind::free_parameters(block.components());
  count.weights = block.components().classes() - block.classes();
  return count;
}

std::vector<Normal> MixtureKind::normals(const Block& block, std::span<const Index> columns) {
  const MixtureParameters& p = block.parameters();
  if (p.kernel) return normals_with(*moments(block), columns);  // its rows are too many to draw
  std::vector<Normal> all = normals_of(p.components, columns);
  for (std::size_t c = 0; c < all.size(); ++c) {
    all[c].of_class = p.component_class[c];
    all[c].weight = p.weights[c];
  }
  return all;
}

}  // namespace genera::blocks
