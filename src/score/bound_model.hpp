#pragma once

#include <memory>
#include <span>
#include <vector>

#include <genera/classifier.hpp>

#include "blocks/worker.hpp"

namespace genera::score {

/// The same rows, in which columns of numbers that are categories of the model are codes.
[[nodiscard]] Rows with_codes(ClassifierRef model, const Rows& rows);

/// Of rows without names. Throws Error (bad_argument) unless they have a column for each feature of
/// the model, or if one of these is text.
void check_positions(ClassifierRef model, const DataView& data);

/// A classifier whose columns have been found in some rows: immutable, shared by all threads. The
/// parts of a linear model are asked as the blocks of a joint distribution are.
class BoundModel {
 public:
  /// The model must outlive it, and so must what the rows view. Throws Error: bad_data if a feature
  /// is not there, bad_argument if the number of columns without names is another or the model
  /// reads text.
  BoundModel(ClassifierRef model, const Rows& rows);
  /// A model with the same features as another one, in its place.
  BoundModel(const Model& model, const BoundModel& like);
  BoundModel(const BoundModel&) = delete;
  BoundModel& operator=(const BoundModel&) = delete;

  [[nodiscard]] ClassifierRef model() const { return model_; }
  [[nodiscard]] const Rows& rows() const { return rows_.rows; }
  [[nodiscard]] const blocks::BoundRows& bound_rows() const { return rows_; }
  [[nodiscard]] Index classes() const { return static_cast<Index>(model_.classes().size()); }

  /// What the scores of every row begin with: the log prior, or the intercepts.
  [[nodiscard]] const Vector& start() const;

  [[nodiscard]] std::size_t size() const { return parts_.size(); }
  [[nodiscard]] const blocks::BoundPart& part(std::size_t b) const { return *parts_[b]; }
  /// Of a joint distribution.
  [[nodiscard]] const blocks::BoundBlock& block(std::size_t b) const {
    return static_cast<const blocks::BoundBlock&>(*parts_[b]);
  }
  [[nodiscard]] const blocks::Places& places(std::size_t b) const { return places_[b]; }
  /// The columns that a block reads.
  [[nodiscard]] std::vector<Column> columns(std::size_t b) const;

  /// The pattern columns of all blocks, one after the other: places among the numbers. Those of
  /// block b are [first_pattern_column(b), first_pattern_column(b + 1)) of them.
  [[nodiscard]] std::span<const Index> pattern_columns() const { return pattern_columns_; }
  [[nodiscard]] Index first_pattern_column(std::size_t b) const { return first_[b]; }

 private:
  void find(const Model& model, blocks::Finder& finder);
  void find(const LinearModel& model, blocks::Finder& finder);
  void bind(const Model& model);
  void bind(const LinearModel& model);
  void list_pattern_columns();

  ClassifierRef model_;
  blocks::BoundRows rows_;
  std::vector<blocks::Places> places_;
  std::vector<std::unique_ptr<const blocks::BoundPart>> parts_;
  std::vector<Index> pattern_columns_;
  std::vector<Index> first_;
};

}  // namespace genera::score
