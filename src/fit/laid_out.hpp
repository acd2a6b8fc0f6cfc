#pragma once

#include <optional>
#include <string>
#include <vector>

#include <genera/rows.hpp>
#include <genera/stats.hpp>

namespace genera::fit_detail {

/// The columns to expand for full covariances, from the statistics of a sparse matrix. Throws Error
/// (bad_data) if there are too many; `source` is its name in errors.
[[nodiscard]] std::vector<std::string> columns_to_lay_out(const Statistics& sparse,
                                                          const std::string& source);

/// The rows of a source with the columns `names` of its sparse matrix as numeric columns, zeros
/// included.
class LaidOutRows final : public RowSource {
 public:
  /// `sparse` must outlive it. Rows in memory are expanded at once.
  LaidOutRows(RowSource& sparse, std::vector<std::string> names);

  [[nodiscard]] RowsSchema schema() const override;
  [[nodiscard]] const std::string& name() const override { return sparse_.name(); }
  [[nodiscard]] const std::vector<Note>& notes() const override { return sparse_.notes(); }
  [[nodiscard]] Passes passes() const override { return sparse_.passes(); }
  [[nodiscard]] const Rows* in_memory() const override { return all_ ? &*all_ : nullptr; }
  [[nodiscard]] std::vector<std::string> fixed_types() const override { return names_; }
  void set_types(const ColumnTypes& /*types*/) override {}

 private:
  void run(const Control& control, const Work& work,
           const std::function<void()>& start_again) override;

  RowSource& sparse_;
  std::vector<std::string> names_;
  Table table_;              // of rows in memory
  std::optional<Rows> all_;  // its rows
};

/// The same rows with the sparse matrix as numeric columns, zeros included.
[[nodiscard]] Table laid_out(const Rows& rows);

}  // namespace genera::fit_detail
