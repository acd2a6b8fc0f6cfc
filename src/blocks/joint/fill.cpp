// Draws and expectations of combinations of levels, given the known ones.
#include <algorithm>

#include "blocks/dirichlet.hpp"
#include "blocks/fill.hpp"
#include "blocks/joint/cells.hpp"
#include "blocks/joint/kind.hpp"
#include "kernel/choice.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

class JointFiller : public Filler {
 public:
  explicit JointFiller(const JointBlock& block)
      : parameters(block.parameters()),
        choices(kernel::for_each_row<kernel::Choice>(parameters.probabilities)) {}
  [[nodiscard]] std::unique_ptr<FillWorker> worker() const override;

  const JointParameters& parameters;
  std::vector<kernel::Choice> choices;  // by class
};

class JointFillWorker : public FillWorker {
 public:
  explicit JointFillWorker(const JointFiller& filler)
      : filler_(filler), p_(filler.parameters), levels_(p_.levels.size()) {}

  void expect(const Cells& cells, std::span<const Index> rows, const double* classes) override {
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      if (!read(cells, rows[lane])) continue;
      find_cells();
      const Vector shares = mixed_shares(classes, lane);
      const auto best = std::ranges::max_element(shares) - shares.begin();
      write(cells, rows[lane], found_[at(best)]);
    }
  }

  void draw(const Cells& cells, std::span<const Index> rows, Index k,
            std::span<Rng> streams) override {
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      if (!read(cells, rows[lane])) continue;
      write(cells, rows[lane], drawn_cell(k, streams[lane]));
    }
  }

 private:
  /// Whether a level of the row is missing.
  bool read(const Cells& cells, Index row) {
    for (std::size_t j = 0; j < levels_.size(); ++j)
      levels_[j] = cells.at_code(row, static_cast<Index>(j));
    return std::ranges::any_of(levels_, [](std::int32_t level) { return level < 0; });
  }

  void find_cells() {
    found_.clear();
    genera::detail::for_each_cell(p_, levels_, [&](Index cell) { found_.push_back(cell); });
  }

  Index drawn_cell(Index k, Rng& rng) {
    const bool any_known =
        std::ranges::any_of(levels_, [](std::int32_t level) { return level >= 0; });
    Vector probabilities;
    if (any_known) {
      find_cells();
      for (const Index cell : found_) probabilities.push_back(p_.probabilities(k, cell));
    }
    // If the known levels are impossible in this class, the rest is drawn without them.
    const bool possible = std::ranges::any_of(probabilities, [](double q) { return q > 0; });
    return possible ? found_[at(kernel::Choice(probabilities).draw(rng))]
                    : filler_.choices[at(k)].draw(rng);
  }

  /// p(cell | known levels), averaged over the classes, for the cells that agree with these.
  [[nodiscard]] Vector mixed_shares(const double* classes, std::size_t lane) const {
    Vector shares(found_.size());
    for (Index k = 0; k < p_.probabilities.rows(); ++k) {
      double sum = 0;
      for (const Index cell : found_) sum += p_.probabilities(k, cell);
      if (sum == 0) continue;  // impossible in this class
      for (std::size_t i = 0; i < found_.size(); ++i)
        shares[i] += class_weight(classes, k, lane) * p_.probabilities(k, found_[i]) / sum;
    }
    return shares;
  }

  void write(const Cells& cells, Index row, Index cell) {
    genera::detail::take_apart(p_, cell, levels_);
    for (std::size_t j = 0; j < levels_.size(); ++j) {
      std::int32_t& code = cells.at_code(row, static_cast<Index>(j));
      if (code < 0) code = levels_[j];
    }
  }

  const JointFiller& filler_;
  const JointParameters& p_;
  std::vector<std::int32_t> levels_;  // of the current row; -1: missing
  std::vector<Index> found_;          // cells that agree with it
};

std::unique_ptr<FillWorker> JointFiller::worker() const {
  return std::make_unique<JointFillWorker>(*this);
}

}  // namespace

Layout JointKind::layout(const Block& block) { return {.levels = block.parameters().levels}; }

std::unique_ptr<const Filler> JointKind::filler(const Block& block, const FillRules&) {
  return std::make_unique<JointFiller>(block);
}

JointBlock JointKind::drawn(const Block& block, Rng& rng) {
  JointParameters p = block.parameters();
  draw_rows(p.probabilities, p.counts, p.smoothing, rng);
  return JointBlock(std::move(p));
}

}  // namespace genera::blocks
