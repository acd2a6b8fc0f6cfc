#pragma once

#include <vector>

#include "kernel/aligned.hpp"
#include "model/gaussian_density.hpp"
#include "query/pruned.hpp"
#include "query/rows.hpp"

namespace genera::query {

/// The log densities of the mixtures of a model, for groups of panels. Nothing is allocated after
/// birth.
class MixtureScores {
 public:
  MixtureScores(const Model& model, const Rows& rows);

  [[nodiscard]] bool empty() const { return parts_.empty(); }
  /// At most so many panels at once.
  [[nodiscard]] Index panels_per_group() const { return panels_per_group_; }

  /// Takes the rows of a group, which counts rows or, if there is one, places in a list of rows;
  /// false if a number is missing or infinite.
  bool gather(const MatrixView& numbers, RowRange group, const Index* list);
  /// Adds log p(x | k) of the group to K x 16 sums for each panel, which begin `size` apart.
  void add(Index size, double* sums);
  /// Adds the squared distance to the nearest component of each class.
  void add_nearest(Index size, double* distances);

 private:
  struct Part {
    const MixtureBlock* block;
    kernel::PanelLayout layout;
    Vector offsets;                 // C: log weight + log constant
    kernel::AlignedVector panels;   // of the group
    kernel::AlignedVector squares;  // of the group: C x 16 each
    [[nodiscard]] const detail::GaussianDensity& density() const {
      return block->components().density();
    }
  };

  std::vector<Part> parts_;
  Index panels_per_group_;
  Index count_ = 0;  // panels in the group
  kernel::AlignedVector scratch_, scores_;
};

}  // namespace genera::query
