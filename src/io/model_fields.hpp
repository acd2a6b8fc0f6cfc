#pragma once

#include "io/document.hpp"

#include <genera/blocks.hpp>
#include <genera/error.hpp>

#include <string>
#include <vector>

namespace genera::io {

struct Classes {
  std::vector<Field> fields;
  std::vector<std::string> names;
  Vector counts;  ///< empty if not told
  [[nodiscard]] Index size() const { return static_cast<Index>(fields.size()); }
};

[[nodiscard]] Classes read_classes(const Field& root);
/// Equal ones if there are none.
[[nodiscard]] Prior read_prior(const Classes& classes, const std::string& file);

/// The block of a document in the short form that people write by hand: mean and covariance stand
/// with their class, a covariance shared by all at the top.
[[nodiscard]] GaussianBlock hand_written_block(const Field& root, const Classes& classes);

/// Gaussian mixtures.
[[nodiscard]] MixtureBlock read_mixture(const Field& block, const Classes& classes);

/// Blocks of what is counted.
[[nodiscard]] CategoricalBlock read_categorical(const Field& block, const Classes& classes);
[[nodiscard]] JointBlock read_joint(const Field& block, const Classes& classes);
[[nodiscard]] CountBlock read_count_block(const Field& block, const Classes& classes);
[[nodiscard]] TextOptions read_text_options(const Field& field);

[[nodiscard]] Family read_family(const Field& field);
/// The covariances of `count` classes or components, in whichever of the four forms they are.
void read_covariances(const Field& block, Index count, GaussianParameters& parameters);

/// A covariance d x d. Rounding by whoever wrote it is averaged away; a larger asymmetry is
/// refused.
[[nodiscard]] Matrix symmetric_matrix(const Field& field, Index d);
/// One row of variances, all > 0, for each of `rows`.
[[nodiscard]] Matrix positive_rows(const std::vector<Field>& rows, Index d);

/// The block; what its constructor refuses gets the place and the name of the class.
[[nodiscard]] GaussianBlock make_block(GaussianParameters parameters, const Classes& classes,
                                       const std::string& place);

/// Calls `make`; what it refuses gets the place.
template <class Make>
auto at_place(const std::string& place, Make make) {
  try {
    return make();
  } catch (const Error& e) {
    throw Error(Errc::bad_model, place + ": " + e.what(), e.hint());
  }
}

}  // namespace genera::io
