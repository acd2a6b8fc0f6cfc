#pragma once

#include <optional>
#include <string>
#include <vector>

#include <genera/rows.hpp>
#include <genera/stats.hpp>

/// Numbers as bins.
namespace genera::sums {

/// Whether a column is numeric, so that it must be cut before pairs are counted.
[[nodiscard]] bool has_numbers(const RowsSchema& schema);

/// The given cuts, and for the other numeric columns those of find_cuts.
[[nodiscard]] Cuts all_cuts(RowSource& rows, const CollectOptions& options, const Control& control);

/// The rows of a source with its numeric columns as categories, the bins of their cuts.
class CutRows final : public RowSource {
 public:
  /// `rows` must outlive it. Rows in memory are cut at once. Throws Error (bad_data) if a number is
  /// infinite.
  CutRows(RowSource& rows, Cuts cuts);

  [[nodiscard]] RowsSchema schema() const override;
  [[nodiscard]] const std::string& name() const override { return rows_.name(); }
  [[nodiscard]] const std::vector<Note>& notes() const override { return rows_.notes(); }
  [[nodiscard]] Passes passes() const override { return rows_.passes(); }
  [[nodiscard]] const Rows* in_memory() const override { return all_ ? &*all_ : nullptr; }
  [[nodiscard]] std::vector<std::string> fixed_types() const override;
  /// Its columns have their types from the pass that found the cuts.
  void set_types(const ColumnTypes& /*types*/) override {}

 private:
  void run(const Control& control, const Work& work,
           const std::function<void()>& start_again) override;

  RowSource& rows_;
  Cuts cuts_;
  Table table_;              // of rows in memory
  std::optional<Rows> all_;  // its rows
};

}  // namespace genera::sums
