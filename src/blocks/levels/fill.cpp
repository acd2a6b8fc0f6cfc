// Draws and expectations of naive categorical columns.
#include <algorithm>

#include "blocks/dirichlet.hpp"
#include "blocks/fill.hpp"
#include "blocks/levels/kind.hpp"
#include "kernel/choice.hpp"

namespace genera::blocks {
namespace {

class LevelsFiller : public Filler {
 public:
  explicit LevelsFiller(const CategoricalBlock& block) : tables(block.parameters().probabilities) {
    for (const Matrix& table : tables)
      choices.push_back(kernel::for_each_row<kernel::Choice>(table));
  }
  [[nodiscard]] std::unique_ptr<FillWorker> worker() const override;

  const std::vector<Matrix>& tables;
  std::vector<std::vector<kernel::Choice>> choices;  // by column, by class
};

class LevelsFillWorker : public FillWorker {
 public:
  explicit LevelsFillWorker(const LevelsFiller& filler) : filler_(filler) {}

  void expect(const Cells& cells, std::span<const Index> rows, const double* classes) override {
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      for (std::size_t j = 0; j < filler_.tables.size(); ++j) {
        std::int32_t& cell = cells.at_code(rows[lane], static_cast<Index>(j));
        if (cell < 0) cell = most_probable(filler_.tables[j], classes, lane);
      }
    }
  }

  void draw(const Cells& cells, std::span<const Index> rows, Index k,
            std::span<Rng> streams) override {
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      for (std::size_t j = 0; j < filler_.choices.size(); ++j) {
        std::int32_t& cell = cells.at_code(rows[lane], static_cast<Index>(j));
        const kernel::Choice& choice = filler_.choices[j][static_cast<std::size_t>(k)];
        if (cell < 0) cell = static_cast<std::int32_t>(choice.draw(streams[lane]));
      }
    }
  }

 private:
  static std::int32_t most_probable(const Matrix& table, const double* classes, std::size_t lane) {
    Vector shares(static_cast<std::size_t>(table.columns()));
    for (Index k = 0; k < table.rows(); ++k) {
      for (Index v = 0; v < table.columns(); ++v)
        shares[static_cast<std::size_t>(v)] += class_weight(classes, k, lane) * table(k, v);
    }
    return static_cast<std::int32_t>(std::ranges::max_element(shares) - shares.begin());
  }

  const LevelsFiller& filler_;
};

std::unique_ptr<FillWorker> LevelsFiller::worker() const {
  return std::make_unique<LevelsFillWorker>(*this);
}

}  // namespace

Layout LevelsKind::layout(const Block& block) { return {.levels = block.parameters().levels}; }

std::unique_ptr<const Filler> LevelsKind::filler(const Block& block, const FillRules&) {
  return std::make_unique<LevelsFiller>(block);
}

CategoricalBlock LevelsKind::drawn(const Block& block, Rng& rng) {
  CategoricalParameters p = block.parameters();
  for (Matrix& table : p.probabilities) draw_rows(table, p.counts, p.smoothing, rng);
  return CategoricalBlock(std::move(p));
}

}  // namespace genera::blocks
