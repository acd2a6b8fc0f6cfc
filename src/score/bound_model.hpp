#pragma once

#include <memory>
#include <span>
#include <vector>

#include <genera/classifier.hpp>

#include "blocks/worker.hpp"

namespace genera::score {

/// The same rows, with numeric columns that are categories in the model as codes.
[[nodiscard]] Rows with_codes(ClassifierRef model, const Rows& rows);

/// For rows without column names. Throws Error (bad_argument) unless they have one column for each
/// feature of the model, or if a feature is text.
void check_positions(ClassifierRef model, const DataView& data);

/// A classifier whose columns have been located in some rows; immutable, shared by all threads. The
/// parts of a linear model are treated as the blocks of a joint distribution.
class BoundModel {
 public:
  /// Not for a committee, see BoundClassifier. The model and the viewed data must outlive it.
  /// Throws Error: bad_data if a feature is missing from the rows, bad_argument if rows without
  /// names have a wrong number of columns or the model reads text.
  BoundModel(ClassifierRef model, const Rows& rows);
  /// For another model with the same features as `like`.
  BoundModel(const Model& model, const BoundModel& like);
  BoundModel(const BoundModel&) = delete;
  BoundModel& operator=(const BoundModel&) = delete;

  [[nodiscard]] ClassifierRef model() const { return model_; }
  [[nodiscard]] const Rows& rows() const { return rows_.rows; }
  [[nodiscard]] const blocks::BoundRows& bound_rows() const { return rows_; }
  [[nodiscard]] Index classes() const { return static_cast<Index>(model_.classes().size()); }

  /// Initial scores of every row: log priors or intercepts.
  [[nodiscard]] const Vector& start() const;

  [[nodiscard]] std::size_t size() const { return parts_.size(); }
  [[nodiscard]] const blocks::BoundPart& part(std::size_t b) const { return *parts_[b]; }
  /// For a joint distribution.
  [[nodiscard]] const blocks::BoundBlock& block(std::size_t b) const {
    return static_cast<const blocks::BoundBlock&>(*parts_[b]);
  }
  [[nodiscard]] const blocks::Places& places(std::size_t b) const { return places_[b]; }
  /// The columns read by a block.
  [[nodiscard]] std::vector<Column> columns(std::size_t b) const;

  /// Pattern columns of all blocks, as indices among the numbers. Block b has the elements
  /// [first_pattern_column(b), first_pattern_column(b + 1)).
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
