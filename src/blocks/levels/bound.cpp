#include "blocks/levels/kind.hpp"

#include "blocks/level_reader.hpp"
#include "blocks/levels/features.hpp"
#include "blocks/levels/tables.hpp"
#include "blocks/row_worker.hpp"
#include "blocks/table_sums.hpp"
#include "blocks/class_evidence.hpp"

namespace genera::blocks {
namespace {

/// Row by row: one look-up and K additions for each observed column.
class LevelsWorker : public RowWorker {
 public:
  LevelsWorker(const CategoricalBlock& block, const BoundRows& rows, const Places& places)
      : RowWorker(block.classes()),
        block_(block),
        tables_(block.density()),
        level_(rows, places),
        reader_(rows, places) {}

  bool score(Mode, const Scores& to) noexcept override {
    for (Index i = 0; i < count(); ++i) {
      double* scores = to.by_row + i * classes();
      for (Index j = 0; j < tables_.columns(); ++j) {
        const std::int32_t found = level_(row(i), static_cast<std::size_t>(j), tables_.levels(j));
        if (found < 0) continue;
        const double* logs = tables_.logs(j, found).data();
        for (Index k = 0; k < classes(); ++k) scores[k] += logs[k];
      }
    }
    return true;
  }

  [[nodiscard]] Index unseen() const override { return level_.unseen(); }

  double explain(Index at, Pair pair, std::vector<Share>& to) override {
    for (Index j = 0; j < tables_.columns(); ++j) {
      const std::int32_t found = reader_(at, static_cast<std::size_t>(j), tables_.levels(j));
      if (found < 0) continue;
      const auto logs = tables_.logs(j, found);
      to.push_back({level_feature(block_.parameters(), j, found),
                    logs[static_cast<std::size_t>(pair.best)] -
                        logs[static_cast<std::size_t>(pair.second)]});
    }
    return 0;
  }
  [[nodiscard]] std::string feature_name(Index feature) const override {
    return LevelsKind::feature_name(block_, feature, false);
  }

  void expect(const Rows& rows, Index begin, Index end, const double* weights,
              BlockSums& sums) override {
    auto& to = sums_as<TableSums>(sums);
    const Index n = end - begin;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < tables_.columns(); ++j) {
        const std::int32_t found =
            reader_(rows.row(begin + i), static_cast<std::size_t>(j), tables_.levels(j));
        for (Index k = 0; found >= 0 && k < classes(); ++k)
          to.tables[static_cast<std::size_t>(j)](k, found) += weights[k * n + i];
      }
      for (Index k = 0; k < classes(); ++k)
        to.weights[static_cast<std::size_t>(k)] += weights[k * n + i];
    }
  }

 private:
  const CategoricalBlock& block_;
  const detail::LevelTables& tables_;
  LevelReader level_;
  LevelReader reader_;  // not for scoring: does not count unseen levels
};

class BoundLevels : public BoundBlock {
 public:
  BoundLevels(const CategoricalBlock& block, const BoundRows& rows, const Places& places)
      : block_(block), rows_(rows), places_(places) {}

  [[nodiscard]] bool nothing_latent(Index) const override {
    return true;
  }  // missing cells are skipped
  [[nodiscard]] std::unique_ptr<BlockWorker> block_worker(MissingMode) const override {
    return std::make_unique<LevelsWorker>(block_, rows_, places_);
  }

 private:
  const CategoricalBlock& block_;
  const BoundRows& rows_;
  const Places& places_;
};

}  // namespace

std::unique_ptr<const BoundBlock> LevelsKind::bind(const Block& block, const BoundRows& rows,
                                                   const Places& places) {
  return std::make_unique<BoundLevels>(block, rows, places);
}

Places LevelsKind::locate(const Block& block, Finder& finder) {
  return finder.categories(block.parameters().columns, block.density().names());
}

void LevelsKind::class_evidence(const Block& block, const Prior& prior, Index k,
                                std::vector<Share>& to) {
  Index feature = 0;
  for (const Matrix& table : block.parameters().probabilities) {
    for (Index level = 0; level < table.columns(); ++level)
      to.push_back({feature++, log_ratio_to_others(prior, table, k, level)});
  }
}

std::string LevelsKind::feature_name(const Block& block, Index feature, bool) {
  return level_name(block.parameters(), feature);
}

}  // namespace genera::blocks
