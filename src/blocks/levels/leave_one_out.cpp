// Scores without one row, for naive categorical columns.
#include "blocks/levels/leave_one_out.hpp"

#include "blocks/level_reader.hpp"
#include "blocks/levels/kind.hpp"
#include "blocks/levels/tables.hpp"
#include "blocks/plan.hpp"
#include "blocks/table_left_out.hpp"
#include "blocks/table_sums.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

class LevelsLeftOut : public LeaveOneOut {
 public:
  explicit LevelsLeftOut(const LeaveOneOutInput& input)
      : block_(block_as<CategoricalBlock>(input.block)),
        sums_(sums_as<TableSums>(input.sums)),
        rows_(input.rows),
        places_(input.places) {
    for (const Matrix& table : sums_.tables) {
      Vector totals(at(table.rows())), seen(at(table.columns()));
      for (Index k = 0; k < table.rows(); ++k) {
        for (Index v = 0; v < table.columns(); ++v) {
          totals[at(k)] += table(k, v);
          seen[at(v)] += table(k, v);
        }
      }
      class_totals_.push_back(std::move(totals));
      level_totals_.push_back(std::move(seen));
    }
  }

  [[nodiscard]] std::unique_ptr<LeaveOneOutWorker> worker() const override;
  [[nodiscard]] double operations() const override {
    return static_cast<double>(block_.classes()) * static_cast<double>(sums_.tables.size());
  }

  /// Returns false if a new fit is needed.
  bool add(std::size_t j, std::int32_t level, const OneRow& one, std::span<double> scores) const {
    const double seen = level_totals_[j][at(level)];
    // A level of no other row leaves the vocabulary and counts as missing. With two levels, the
    // name of the other one may be known without the row.
    if (vanishes(seen - one.weight, seen))
      return block_.parameters().kind != CategoricalParameters::Kind::bernoulli;
    add_smoothed_left({sums_.tables[j], class_totals_[j], level}, block_.parameters().smoothing,
                      one, scores);
    return true;
  }

  [[nodiscard]] const CategoricalBlock& block() const { return block_; }
  [[nodiscard]] LevelReader reader() const { return {rows_, places_}; }

 private:
  const CategoricalBlock& block_;
  const TableSums& sums_;
  const BoundRows& rows_;
  const Places& places_;
  std::vector<Vector> class_totals_, level_totals_;  // of each column
};

class LevelsLeftOutWorker : public LeaveOneOutWorker {
 public:
  explicit LevelsLeftOutWorker(const LevelsLeftOut& of) : of_(of), level_(of.reader()) {}

  bool add(const OneRow& one, std::span<double> scores) override {
    const detail::LevelTables& tables = of_.block().density();
    for (Index j = 0; j < tables.columns(); ++j) {
      const std::int32_t level = level_(one.row, at(j), tables.levels(j));
      if (level >= 0 && !of_.add(at(j), level, one, scores)) return false;
    }
    return true;
  }

 private:
  const LevelsLeftOut& of_;
  LevelReader level_;
};

std::unique_ptr<LeaveOneOutWorker> LevelsLeftOut::worker() const {
  return std::make_unique<LevelsLeftOutWorker>(*this);
}

}  // namespace

std::unique_ptr<const LeaveOneOut> leave_level_out(const LeaveOneOutInput& input) {
  return std::make_unique<LevelsLeftOut>(input);
}

}  // namespace genera::blocks
