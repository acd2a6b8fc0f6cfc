#include <algorithm>
#include <cmath>

#include "blocks/aode/features.hpp"
#include "blocks/aode/kind.hpp"
#include "blocks/aode/reader.hpp"
#include "blocks/aode/table.hpp"
#include "blocks/class_evidence.hpp"
#include "blocks/row_worker.hpp"
#include "blocks/table_sums.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"

namespace genera::blocks {
namespace {

using genera::detail::AodeTable;
using kernel::at;
using kernel::infinity;

/// What each feature adds to the score of a class: log p is the mean of the logs of the states by
/// their posterior probabilities, plus the entropy of these, which belongs to no feature.
class Parts {
 public:
  Parts(const AodeTable& table, std::span<const std::int32_t> cells, Index k)
      : by_column_(cells.size()) {
    Vector logs(at(table.classes())), scratch;
    table.log_probabilities(cells, logs, scratch);
    total = logs[at(k)];
    if (total == -infinity) return;
    const double log_count = std::log(static_cast<double>(table.columns()));
    table.each_state(cells, [&](std::size_t i, Index state) {
      std::ranges::fill(logs, 0.0);
      table.add_state(i, state, cells, logs.data());
      const double share = std::exp(logs[at(k)] - log_count - total);
      if (!(share > 0)) return;
      if (cells[i] >= 0) by_column_[i] += share * table.log_parent(state)[k];
      for (std::size_t j = 0; j < cells.size(); ++j)
        if (j != i && cells[j] >= 0)
          by_column_[j] += share * table.log_child(state, table.place(j, cells[j]))[k];
    });
  }

  [[nodiscard]] double of_column(std::size_t j) const { return by_column_[j]; }
  double total = 0;  // log p

 private:
  Vector by_column_;
};

class AodeWorker : public RowWorker {
 public:
  AodeWorker(const AodeBlock& block, const BoundRows& rows, const Places& places)
      : RowWorker(block.classes()),
        block_(block),
        table_(block.density()),
        reader_(block, rows, places),
        other_reader_(block, rows, places),
        logs_(at(block.classes())),
        scratch_(2 * at(block.classes())) {}

  bool score(Mode, const Scores& to) noexcept override {
    bool usable = true;
    for (Index i = 0; i < count(); ++i) {
      usable = reader_.read(row(i)) && usable;
      table_.log_probabilities(reader_.cells(), logs_, scratch_);
      for (Index k = 0; k < classes(); ++k) to.by_row[i * classes() + k] += logs_[at(k)];
      if (to.common) to.common[i] += reader_.log_density();
    }
    return usable;
  }

  [[nodiscard]] Index unseen() const override { return reader_.unseen(); }

  double explain(Index place, Pair pair, std::vector<Share>& to) override {
    (void)other_reader_.read(place);
    const std::span<const std::int32_t> cells = other_reader_.cells();
    const Parts best(table_, cells, pair.best), second(table_, cells, pair.second);
    double rest = best.total - second.total;
    if (!std::isfinite(rest)) return rest;
    for (std::size_t j = 0; j < cells.size(); ++j) {
      if (cells[j] < 0) continue;
      to.push_back({table_.place(j, cells[j]), best.of_column(j) - second.of_column(j)});
      rest -= to.back().log_odds;
    }
    return rest;
  }
  [[nodiscard]] std::string feature_name(Index feature) const override {
    return AodeKind::feature_name(block_, feature, false);
  }

  /// Counts each row in every class with its weight; missing cells are left out.
  void expect(const Rows& rows, Index begin, Index end, const double* weights,
              BlockSums& sums) override {
    auto& to = sums_as<TableSums>(sums);
    const Index n = end - begin;
    for (Index i = 0; i < n; ++i) {
      (void)other_reader_.read(rows.row(begin + i));
      for (Index k = 0; k < classes(); ++k) count(weights[k * n + i], k, to);
    }
  }

 private:
  void count(double weight, Index k, TableSums& to) const {
    to.weights[at(k)] += weight;
    const std::span<const std::int32_t> cells = other_reader_.cells();
    std::size_t pair = cells.size();  // the tables of pairs follow those of columns
    for (std::size_t a = 0; a < cells.size(); ++a) {
      if (cells[a] >= 0) to.tables[a](k, cells[a]) += weight;
      for (std::size_t b = a + 1; b < cells.size(); ++b, ++pair)
        if (cells[a] >= 0 && cells[b] >= 0)
          to.tables[pair](k, cells[a] * table_.levels(b) + cells[b]) += weight;
    }
  }
  using RowWorker::count;

  const AodeBlock& block_;
  const AodeTable& table_;
  AodeReader reader_;
  AodeReader other_reader_;  // not for scoring: does not count unseen levels
  Vector logs_, scratch_;    // of the classes
};

class BoundAode : public BoundBlock {
 public:
  BoundAode(const AodeBlock& block, const BoundRows& rows, const Places& places)
      : block_(block), rows_(rows), places_(places) {}

  /// Missing cells are left out.
  [[nodiscard]] bool nothing_latent(Index) const override { return true; }
  [[nodiscard]] std::unique_ptr<BlockWorker> block_worker(MissingMode) const override {
    return std::make_unique<AodeWorker>(block_, rows_, places_);
  }

 private:
  const AodeBlock& block_;
  const BoundRows& rows_;
  const Places& places_;
};

}  // namespace

std::unique_ptr<const BoundBlock> AodeKind::bind(const Block& block, const BoundRows& rows,
                                                 const Places& places) {
  return std::make_unique<BoundAode>(block, rows, places);
}

/// One column after the other, because columns without names are in the order of the model.
Places AodeKind::locate(const Block& block, Finder& finder) {
  Places all;
  for (std::size_t j = 0; j < block.parameters().columns.size(); ++j) {
    const Column& column = block.parameters().columns[j];
    const Places found = column.cut
                             ? finder.dense_numbers({column.name})
                             : finder.categories({column.name}, {block.density().names()[j]});
    all.numbers.insert(all.numbers.end(), found.numbers.begin(), found.numbers.end());
    all.codes.insert(all.codes.end(), found.codes.begin(), found.codes.end());
    all.levels.insert(all.levels.end(), found.levels.begin(), found.levels.end());
  }
  return all;
}

bool AodeKind::needs_dense(const Block& block) {
  return std::ranges::any_of(block.parameters().columns,
                             [](const Column& column) { return column.cut.has_value(); });
}

void AodeKind::class_evidence(const Block& block, const Prior& prior, Index k,
                              std::vector<Share>& to) {
  const AodeTable& table = block.density();
  Matrix marginals(table.classes(), table.places());
  Vector logs(at(table.classes())), scratch;
  std::vector<std::int32_t> cells(table.columns(), -1);
  for (std::size_t j = 0; j < cells.size(); ++j) {
    for (Index v = 0; v < table.levels(j); ++v) {
      cells[j] = static_cast<std::int32_t>(v);
      table.log_probabilities(cells, logs, scratch);
      for (Index l = 0; l < table.classes(); ++l)
        marginals(l, table.place(j, v)) = std::exp(logs[at(l)]);
    }
    cells[j] = -1;
  }
  for (Index place = 0; place < table.places(); ++place)
    to.push_back({place, log_ratio_to_others(prior, marginals, k, place)});
}

std::string AodeKind::feature_name(const Block& block, Index feature, bool) {
  return aode_feature(block.parameters(), feature);
}

}  // namespace genera::blocks
