#pragma once

#include <memory>
#include <vector>

#include <genera/model.hpp>

#include "blocks/fill.hpp"

namespace genera::query {

/// Where the columns of a block begin in a table that is laid out as the model is.
struct FirstColumns {
  Index number = 0;
  Index code = 0;
};

/// Rows laid out as the model is: columns in the order of its features, codes into its levels. What
/// is missing (NaN, -1) is to be filled.
struct ModelRows {
  Table table;
  std::vector<FirstColumns> places;      ///< of each block
  std::vector<Index> pattern_columns{};  ///< numbers whose holes call for another density
  std::vector<Index> patterned{0};       ///< of each block: how many of them are before it; and all
};

/// `rows` of them, nothing known.
[[nodiscard]] ModelRows unknown_rows(const Model& model, Index rows);

/// Rows of one task, at most.
inline constexpr Index rows_completed_at_once = 1024;

/// The blocks of a model made ready for completing rows; shared by all threads.
class Fillers {
 public:
  /// The model must outlive it.
  explicit Fillers(const Model& model, const blocks::FillRules& rules = {});
  [[nodiscard]] const std::vector<std::unique_ptr<const blocks::Filler>>& all() const {
    return fillers_;
  }

 private:
  std::vector<std::unique_ptr<const blocks::Filler>> fillers_;
};

/// Completes rows of one table; one per thread.
class RowFiller {
 public:
  RowFiller(const Fillers& fillers, ModelRows& rows);

  /// Which of the pattern columns of the rows to come are observed.
  void observe(std::span<const Index> columns);
  /// Up to sixteen rows: see blocks::FillWorker.
  void expect(std::span<const Index> some, const double* classes);
  void draw(std::span<const Index> some, Index k, std::span<Rng> streams,
            std::vector<std::vector<blocks::TermCounts>>& texts);

 private:
  [[nodiscard]] blocks::Cells cells(std::size_t b) const;

  ModelRows& rows_;
  std::vector<std::unique_ptr<blocks::FillWorker>> workers_;
  std::vector<Index> own_;
};

}  // namespace genera::query
