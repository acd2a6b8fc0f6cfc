#pragma once

#include <memory>
#include <vector>

#include "score/scorer.hpp"

namespace genera::score {

/// A classifier whose columns have been located in some rows: itself, or each member of a
/// committee. The classifier and the viewed data must outlive it.
class BoundClassifier {
 public:
  /// Throws Error as BoundModel does.
  BoundClassifier(ClassifierRef classifier, const Rows& rows);

  [[nodiscard]] ClassifierRef classifier() const { return classifier_; }
  /// As they were given.
  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] Index classes() const { return std::ssize(classifier_.classes()); }
  /// One for a classifier that is not a committee.
  [[nodiscard]] const std::vector<std::unique_ptr<const BoundModel>>& members() const {
    return members_;
  }

 private:
  ClassifierRef classifier_;
  Rows rows_;
  std::vector<std::unique_ptr<const BoundModel>> members_;
};

/// Scores all rows. A committee pools the posteriors of its members; its log joints and densities
/// are those of the mixture of the members that have a density, its distances are 0, and a row is
/// impossible if it is so for every member.
Tally run_all(const BoundClassifier& bound, const Wanted& wanted, const Control& control);

/// The labels of all rows.
[[nodiscard]] std::vector<std::int32_t> run_labels(const BoundClassifier& bound,
                                                   const Control& control);

/// Missing cells of the scored rows in columns that a member reads; each cell counts once.
[[nodiscard]] MissingCells missing_cells(const BoundClassifier& bound, const Tally& tally);

/// Throws Error (bad_data) if the classes cannot be compared for some row.
void refuse_far_rows(const BoundClassifier& bound);

/// Throws Error (bad_model): a committee has no such thing ("boundaries").
[[noreturn]] void refuse_committee(const std::string& what);

}  // namespace genera::score
