// Scores without one row, for joint tables.
#include "blocks/joint/leave_one_out.hpp"

#include "blocks/joint/cells.hpp"
#include "blocks/joint/kind.hpp"
#include "blocks/joint/table.hpp"
#include "blocks/level_reader.hpp"
#include "blocks/plan.hpp"
#include "blocks/table_left_out.hpp"
#include "blocks/table_sums.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

class JointLeftOut : public LeaveOneOut {
 public:
  explicit JointLeftOut(const LeaveOneOutInput& input)
      : block_(block_as<JointBlock>(input.block)),
        table_(sums_as<TableSums>(input.sums).tables.front()),
        rows_(input.rows),
        places_(input.places),
        totals_(at(table_.rows())) {
    const JointParameters& p = block_.parameters();
    std::vector<std::int32_t> levels(p.levels.size());
    for (const auto& of_column : p.levels) seen_.emplace_back(of_column.size());
    for (Index cell = 0; cell < table_.columns(); ++cell) {
      genera::detail::take_apart(p, cell, levels);
      for (Index k = 0; k < table_.rows(); ++k) {
        totals_[at(k)] += table_(k, cell);
        for (std::size_t j = 0; j < levels.size(); ++j) seen_[j][at(levels[j])] += table_(k, cell);
      }
    }
  }

  [[nodiscard]] std::unique_ptr<LeaveOneOutWorker> worker() const override;
  [[nodiscard]] double operations() const override { return static_cast<double>(table_.rows()); }

  /// Returns false for incomplete rows and rows with a unique level, which change the table itself.
  bool add(const OneRow& one, LevelReader& reader, std::span<double> scores) const {
    const JointParameters& p = block_.parameters();
    Index cell = 0;
    for (std::size_t j = 0; j < p.levels.size(); ++j) {
      const Index count = std::ssize(p.levels[j]);
      const std::int32_t level = reader(one.row, j, count);
      if (level < 0 || vanishes(seen_[j][at(level)] - one.weight, seen_[j][at(level)]))
        return false;
      cell = cell * count + level;
    }
    add_smoothed_left({table_, totals_, cell}, p.smoothing, one, scores);
    return true;
  }
  [[nodiscard]] LevelReader reader() const { return {rows_, places_}; }

 private:
  const JointBlock& block_;
  const Matrix& table_;
  const BoundRows& rows_;
  const Places& places_;
  Vector totals_;             // K
  std::vector<Vector> seen_;  // by column and level
};

class JointLeftOutWorker : public LeaveOneOutWorker {
 public:
  explicit JointLeftOutWorker(const JointLeftOut& of) : of_(of), reader_(of.reader()) {}
  bool add(const OneRow& one, std::span<double> scores) override {
    return of_.add(one, reader_, scores);
  }

 private:
  const JointLeftOut& of_;
  LevelReader reader_;
};

std::unique_ptr<LeaveOneOutWorker> JointLeftOut::worker() const {
  return std::make_unique<JointLeftOutWorker>(*this);
}

}  // namespace

std::unique_ptr<const LeaveOneOut> leave_cell_out(const LeaveOneOutInput& input) {
  return std::make_unique<JointLeftOut>(input);
}

}  // namespace genera::blocks
