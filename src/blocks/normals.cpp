#include "blocks/normals.hpp"

#include "blocks/kinds.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {

std::vector<Normal> normals(const Block& block, std::span<const Index> columns) {
  return visit(block, [&](auto kind, const auto& known) { return kind.normals(known, columns); });
}

std::vector<Normal> normals_with(const BlockDescription::Moments& moments,
                                 std::span<const Index> columns) {
  const auto d = std::ssize(columns);
  std::vector<Normal> all;
  for (Index k = 0; k < moments.means.rows(); ++k) {
    Normal one{k, 1, {}, Matrix(d, d), true};
    const Matrix& covariance = std::get<Matrix>(moments.covariances[kernel::at(k)]);
    for (Index i = 0; i < d; ++i) {
      one.mean.push_back(moments.means(k, columns[kernel::at(i)]));
      for (Index j = 0; j < d; ++j)
        one.covariance(i, j) = covariance(columns[kernel::at(i)], columns[kernel::at(j)]);
    }
    all.push_back(std::move(one));
  }
  return all;
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
