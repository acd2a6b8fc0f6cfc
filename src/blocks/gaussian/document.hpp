#pragma once

#include "blocks/documents.hpp"

/// Gaussian densities in documents, of classes or of components.
namespace genera::blocks {

[[nodiscard]] GaussianModel read_model(const Field& field);
/// The means of `count` classes or components, with their low parts, if any.
void read_means(const Field& block, Index count, GaussianParameters& parameters);
void put_means(const GaussianParameters& gaussian, Members& block);
/// The covariances of `count` classes or components, in any of the four forms.
void read_covariances(const Field& block, Index count, GaussianParameters& parameters);
/// Writes a shared covariance or shared variances under a key in the singular.
void put_covariances(const GaussianParameters& gaussian, Members& block);

/// A d x d covariance. Averages away rounding errors of its writer; refuses a larger asymmetry.
[[nodiscard]] Matrix symmetric_matrix(const Field& field, Index d);
/// One row of positive variances for each of `rows`.
[[nodiscard]] Matrix positive_rows(const std::vector<Field>& rows, Index d);

/// The block; adds the place and the name of the class to the errors of its constructor.
[[nodiscard]] GaussianBlock make_block(GaussianParameters parameters,
                                       const DocumentClasses& classes, const std::string& place);

}  // namespace genera::blocks
