#pragma once

#include "io/document.hpp"

#include <genera/blocks.hpp>

#include <span>
#include <string>

/// Each kind of block as a member of a document, without the counts of the classes.
namespace genera::io {

[[nodiscard]] Members block_document(const GaussianBlock& block);
[[nodiscard]] Members block_document(const MixtureBlock& block);
[[nodiscard]] Members block_document(const CategoricalBlock& block);
[[nodiscard]] Members block_document(const JointBlock& block);
[[nodiscard]] Members block_document(const CountBlock& block);

/// One covariance or one row of variances is shared; the key is then in the singular.
void put_covariances(const GaussianParameters& gaussian, Members& block);
[[nodiscard]] Value text_document(const TextOptions& options);

[[nodiscard]] Value texts(std::span<const std::string> names);
[[nodiscard]] Value rows_of(const Matrix& matrix);

}  // namespace genera::io
