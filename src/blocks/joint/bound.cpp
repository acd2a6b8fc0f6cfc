#include "blocks/joint/kind.hpp"

#include <algorithm>

#include "blocks/joint/cells.hpp"
#include "blocks/joint/features.hpp"
#include "blocks/joint/table.hpp"
#include "blocks/level_reader.hpp"
#include "blocks/row_worker.hpp"
#include "blocks/table_sums.hpp"
#include "blocks/class_evidence.hpp"

namespace genera::blocks {
namespace {

/// Row by row: marginalises the table over missing and unseen levels.
class JointWorker : public RowWorker {
 public:
  JointWorker(const JointBlock& block, const BoundRows& rows, const Places& places)
      : RowWorker(block.classes()),
        block_(block),
        table_(block.density()),
        level_(rows, places),
        reader_(rows, places),
        cells_(block.parameters().columns.size()) {}

  bool score(Mode, const Scores& to) noexcept override {
    for (Index i = 0; i < count(); ++i) {
      read(level_, row(i));
      for (Index k = 0; k < classes(); ++k)
        to.by_row[i * classes() + k] += table_.log_probability(k, cells_);
    }
    return true;
  }

  [[nodiscard]] Index unseen() const override { return level_.unseen(); }

  double explain(Index at, Pair pair, std::vector<Share>& to) override {
    read(reader_, at);
    if (std::ranges::all_of(cells_, [](std::int32_t cell) { return cell < 0; })) return 0;
    to.push_back(
        {joint_feature(block_.parameters(), cells_),
         table_.log_probability(pair.best, cells_) - table_.log_probability(pair.second, cells_)});
    return 0;
  }
  [[nodiscard]] std::string feature_name(Index feature) const override {
    return JointKind::feature_name(block_, feature, false);
  }

  /// Spreads an incomplete row over the cells that agree with its known levels; ignores a row with
  /// an unseen level.
  void expect(const Rows& rows, Index begin, Index end, const double* weights,
              BlockSums& sums) override {
    const JointParameters& p = block_.parameters();
    auto& to = sums_as<TableSums>(sums);
    const Index n = end - begin;
    for (Index i = 0; i < n; ++i) {
      const Index unseen = reader_.unseen();
      read(reader_, rows.row(begin + i));
      const bool known = reader_.unseen() == unseen;
      for (Index k = 0; k < classes(); ++k) {
        const double weight = weights[k * n + i];
        to.weights[static_cast<std::size_t>(k)] += weight;
        if (!known || !(weight > 0)) continue;
        double total = 0;
        genera::detail::for_each_cell(p, cells_,
                                      [&](Index cell) { total += p.probabilities(k, cell); });
        const bool whole = std::ranges::none_of(cells_, [](std::int32_t c) { return c < 0; });
        genera::detail::for_each_cell(p, cells_, [&](Index cell) {
          const double share = whole ? 1 : total > 0 ? p.probabilities(k, cell) / total : 0;
          to.tables.front()(k, cell) += weight * share;
        });
      }
    }
  }

 private:
  void read(LevelReader& level, Index row) {
    for (std::size_t j = 0; j < cells_.size(); ++j)
      cells_[j] = level(row, j, table_.levels(static_cast<Index>(j)));
  }

  const JointBlock& block_;
  const detail::JointTable& table_;
  LevelReader level_;
  LevelReader reader_;               // not for scoring: does not count unseen levels
  std::vector<std::int32_t> cells_;  // of the current row
};

class BoundJoint : public BoundBlock {
 public:
  BoundJoint(const JointBlock& block, const BoundRows& rows, const Places& places)
      : block_(block), rows_(rows), places_(places) {}

  [[nodiscard]] bool nothing_latent(Index row) const override {
    LevelReader level(rows_, places_);
    for (std::size_t j = 0; j < block_.parameters().columns.size(); ++j) {
      if (level(row, j, block_.density().levels(static_cast<Index>(j))) < 0) return false;
    }
    return true;
  }
  [[nodiscard]] std::unique_ptr<BlockWorker> block_worker(MissingMode) const override {
    return std::make_unique<JointWorker>(block_, rows_, places_);
  }

 private:
  const JointBlock& block_;
  const BoundRows& rows_;
  const Places& places_;
};

}  // namespace

std::unique_ptr<const BoundBlock> JointKind::bind(const Block& block, const BoundRows& rows,
                                                  const Places& places) {
  return std::make_unique<BoundJoint>(block, rows, places);
}

Places JointKind::locate(const Block& block, Finder& finder) {
  return finder.categories(block.parameters().columns, block.density().names());
}

void JointKind::class_evidence(const Block& block, const Prior& prior, Index k,
                               std::vector<Share>& to) {
  const JointParameters& p = block.parameters();
  std::vector<std::int32_t> levels(p.levels.size());
  for (Index cell = 0; cell < p.probabilities.columns(); ++cell) {
    genera::detail::take_apart(p, cell, levels);
    to.push_back({joint_feature(p, levels), log_ratio_to_others(prior, p.probabilities, k, cell)});
  }
}

std::string JointKind::feature_name(const Block& block, Index feature, bool) {
  return joint_name(block.parameters(), feature);
}

}  // namespace genera::blocks
