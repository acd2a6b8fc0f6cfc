#pragma once

#include "blocks/documents.hpp"

/// Gaussian densities in documents, of classes or of components.
namespace genera::blocks {

[[nodiscard]] GaussianModel read_model(const Field& field);
/// The means of `count` classes or components, with their low parts if there are any.
void read_means(const Field& block, Index count, GaussianParameters& parameters);
void put_means(const GaussianParameters& gaussian, Members& block);
/// The covariances of `count` classes or components, in whichever of the four forms they are.
void read_covariances(const Field& block, Index count, GaussianParameters& parameters);
/// One covariance or one row of variances is shared; the key is then in the singular.
void put_covariances(const GaussianParameters& gaussian, Members& block);

/// A covariance d x d. Rounding by its writer is averaged away; a larger asymmetry is
/// refused.
[[nodiscard]] Matrix symmetric_matrix(const Field& field, Index d);
/// One row of variances, all > 0, for each of `rows`.
[[nodiscard]] Matrix positive_rows(const std::vector<Field>& rows, Index d);

/// The block; what its constructor refuses gets the place and the name of the class.
[[nodiscard]] GaussianBlock make_block(GaussianParameters parameters,
                                       const DocumentClasses& classes, const std::string& place);

}  // namespace genera::blocks
