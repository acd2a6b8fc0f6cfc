#include "blocks/normals.hpp"

#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

/// Not all of the parameters are copied: they may be many, and the columns few.
Matrix covariance_of(const GaussianParameters& p, Index c, std::span<const Index> columns) {
  Matrix part(std::ssize(columns), std::ssize(columns));
  for (Index i = 0; i < part.rows(); ++i) {
    const Index row = columns[kernel::at(i)];
    if (p.covariances.empty()) part(i, i) = p.variances(p.variances.rows() == 1 ? 0 : c, row);
    for (Index j = 0; j < part.columns() && !p.covariances.empty(); ++j)
      part(i, j) =
          p.covariances[p.covariances.size() == 1 ? 0 : kernel::at(c)](row, columns[kernel::at(j)]);
  }
  return part;
}

std::vector<Normal> normals_of(const GaussianParameters& p, std::span<const Index> columns) {
  std::vector<Normal> all;
  for (Index c = 0; c < p.means.rows(); ++c) {
    Vector mean;
    for (const Index j : columns) mean.push_back(p.means(c, j));
    all.push_back({c, 1, std::move(mean), covariance_of(p, c, columns)});
  }
  return all;
}

std::vector<Normal> normals_of(const GaussianBlock& block, std::span<const Index> columns) {
  return normals_of(block.parameters(), columns);
}

std::vector<Normal> normals_of(const MixtureBlock& block, std::span<const Index> columns) {
  const MixtureParameters& p = block.parameters();
  std::vector<Normal> all = normals_of(p.components, columns);
  for (std::size_t c = 0; c < all.size(); ++c) {
    all[c].of_class = p.component_class[c];
    all[c].weight = p.weights[c];
  }
  return all;
}

template <class Other>
std::vector<Normal> normals_of(const Other&, std::span<const Index>) {
  return {};
}

}  // namespace

std::vector<Normal> normals(const Block& block, std::span<const Index> columns) {
  return std::visit([&](const auto& known) { return normals_of(known, columns); }, block);
}

Block block_of(const std::vector<Normal>& normals, const std::vector<std::string>& columns) {
  const Index d = std::ssize(columns);
  MixtureParameters p;
  p.components.columns = columns;
  p.components.means = Matrix(std::ssize(normals), d);
  for (std::size_t c = 0; c < normals.size(); ++c) {
    for (Index j = 0; j < d; ++j)
      p.components.means(static_cast<Index>(c), j) = normals[c].mean[kernel::at(j)];
    p.components.covariances.push_back(normals[c].covariance);
    p.component_class.push_back(normals[c].of_class);
    p.weights.push_back(normals[c].weight);
  }
  return MixtureBlock(std::move(p));
}

}  // namespace genera::blocks
