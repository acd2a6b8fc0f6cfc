#pragma once

#include "blocks/describing.hpp"

namespace genera::blocks {

/// The owners of the densities: classes or components.
struct DensityOwners {
  std::vector<std::string> names;
  const char* kind;  ///< in the plural
};

/// Means, standard deviations and covariances.
void add_density_tables(const GaussianBlock& block, const DensityOwners& owners,
                        std::vector<NumberTable>& tables);

/// The covariances; a single one if it is shared.
[[nodiscard]] std::vector<CovarianceMatrix> covariances_of(const GaussianParameters& parameters);

}  // namespace genera::blocks
