#pragma once

#include <memory>
#include <span>
#include <vector>

#include <genera/model.hpp>

#include "blocks/worker.hpp"

namespace genera::score {

/// A model whose columns have been found in some rows: immutable, shared by all threads.
class BoundModel {
 public:
  /// The model must outlive it, and so must what the rows view. Throws Error: bad_data if a feature
  /// is not there, bad_argument if the number of columns without names is another or the model
  /// reads text.
  BoundModel(const Model& model, const Rows& rows);
  /// A model with the same features as another one, in its place.
  BoundModel(const Model& model, const BoundModel& like);
  BoundModel(const BoundModel&) = delete;
  BoundModel& operator=(const BoundModel&) = delete;

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const Rows& rows() const { return rows_.rows; }
  [[nodiscard]] const blocks::BoundRows& bound_rows() const { return rows_; }
  [[nodiscard]] Index classes() const { return static_cast<Index>(model_.classes().size()); }

  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  [[nodiscard]] const blocks::BoundBlock& block(std::size_t b) const { return *blocks_[b]; }
  [[nodiscard]] const blocks::Places& places(std::size_t b) const { return places_[b]; }

  /// The pattern columns of all blocks, one after the other: places among the numbers. Those of
  /// block b are [first_pattern_column(b), first_pattern_column(b + 1)) of them.
  [[nodiscard]] std::span<const Index> pattern_columns() const { return pattern_columns_; }
  [[nodiscard]] Index first_pattern_column(std::size_t b) const { return first_[b]; }

 private:
  void bind_blocks();

  const Model& model_;
  blocks::BoundRows rows_;
  std::vector<blocks::Places> places_;
  std::vector<std::unique_ptr<const blocks::BoundBlock>> blocks_;
  std::vector<Index> pattern_columns_;
  std::vector<Index> first_;
};

}  // namespace genera::score
