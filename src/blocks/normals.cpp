#include "blocks/normals.hpp"

#include "blocks/kinds.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {

std::vector<Normal> normals(const Block& block, std::span<const Index> columns) {
  return visit(block, [&](auto kind, const auto& known) { return kind.normals(known, columns); });
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
