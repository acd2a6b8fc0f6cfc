#include "blocks/gaussian/density/normals.hpp"

#include "blocks/gaussian/kind.hpp"
#include "blocks/gaussian/missing/marginal.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

Matrix covariance_of(const GaussianParameters& p, Index c) {
  if (!p.covariances.empty()) return p.covariances[p.covariances.size() == 1 ? 0 : kernel::at(c)];
  Matrix diagonal(p.variances.columns(), p.variances.columns());
  for (Index j = 0; j < diagonal.rows(); ++j)
    diagonal(j, j) = p.variances(p.variances.rows() == 1 ? 0 : c, j);
  return diagonal;
}

}  // namespace

std::vector<Normal> normals_of(const GaussianParameters& p, std::span<const Index> columns) {
  const GaussianParameters part = detail::marginal(p, columns);
  std::vector<Normal> all;
  for (Index c = 0; c < part.means.rows(); ++c) {
    const auto mean = part.means.row(c);
    all.push_back({c, 1, Vector(mean.begin(), mean.end()), covariance_of(part, c)});
  }
  return all;
}

std::vector<Normal> GaussianKind::normals(const Block& block, std::span<const Index> columns) {
  return normals_of(block.parameters(), columns);
}

}  // namespace genera::blocks
