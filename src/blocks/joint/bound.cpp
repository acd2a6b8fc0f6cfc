#include "blocks/joint/kind.hpp"

#include <algorithm>

#include "blocks/joint/cells.hpp"
#include "blocks/joint/features.hpp"
#include "blocks/joint/table.hpp"
#include "blocks/level_reader.hpp"
#include "blocks/telling.hpp"

namespace genera::blocks {
namespace {

/// Row by row: the table is marginalised over what is missing or was never seen.
class JointWorker : public ScoreWorker {
 public:
  JointWorker(const JointBlock& block, const BoundRows& rows, const Places& places)
      : block_(block),
        table_(block.density()),
        level_(rows, places),
        quiet_(rows, places),
        cells_(block.parameters().columns.size()) {}

  bool begin(const Rows& rows, Index begin, Index end) noexcept override {
    rows_ = rows;
    begin_ = begin;
    count_ = end - begin;
    return true;
  }

  bool score(Mode, const Scores& to) noexcept override {
    const Index classes = block_.classes();
    for (Index i = 0; i < count_; ++i) {
      read(level_, rows_.row(begin_ + i));
      for (Index k = 0; k < classes; ++k)
        to.by_row[i * classes + k] += table_.log_probability(k, cells_);
    }
    return true;
  }

  [[nodiscard]] Index unseen() const override { return level_.unseen(); }

  double explain(Index row, Pair pair, std::vector<Share>& to) override {
    read(quiet_, row);
    if (std::ranges::all_of(cells_, [](std::int32_t cell) { return cell < 0; })) return 0;
    to.push_back(
        {joint_feature(block_.parameters(), cells_),
         table_.log_probability(pair.best, cells_) - table_.log_probability(pair.second, cells_)});
    return 0;
  }
  [[nodiscard]] std::string feature_name(Index feature) const override {
    return JointKind::feature_name(block_, feature, false);
  }

 private:
  void read(LevelReader& level, Index row) {
    for (std::size_t j = 0; j < cells_.size(); ++j)
      cells_[j] = level(row, j, table_.levels(static_cast<Index>(j)));
  }

  const JointBlock& block_;
  const detail::JointTable& table_;
  LevelReader level_;
  LevelReader quiet_;                // for explanations, in which nothing is counted
  std::vector<std::int32_t> cells_;  // of the row at hand
  Rows rows_;
  Index begin_ = 0, count_ = 0;
};

class BoundJoint : public BoundBlock {
 public:
  BoundJoint(const JointBlock& block, const BoundRows& rows, const Places& places)
      : block_(block), rows_(rows), places_(places) {}

  [[nodiscard]] std::unique_ptr<ScoreWorker> worker(Holes) const override {
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

bool JointKind::needs_dense(const Block&) { return false; }

void JointKind::tell(const Block& block, const Prior& prior, Index k, std::vector<Share>& to) {
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
