// Draws and expectations of missing cells, given the known ones.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "blocks/aode/kind.hpp"
#include "blocks/aode/table.hpp"
#include "blocks/dirichlet.hpp"
#include "blocks/fill.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

Index drawn_from(std::span<const double> weights, Rng& rng) {
  double total = 0;
  for (const double weight : weights) total += weight;
  double left = rng.uniform() * total;
  Index last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    last = static_cast<Index>(i);
    left -= weights[i];
    if (left < 0) break;
  }
  return last;
}

class AodeFillWorker : public FillWorker {
 public:
  explicit AodeFillWorker(const AodeBlock& block)
      : parameters_(block.parameters()),
        table_(block.density()),
        cells_(table_.columns()),
        logs_(at(table_.classes())) {}

  void expect(const Cells& cells, std::span<const Index> rows, const double* classes) override {
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      if (!read(cells, rows[lane])) continue;
      Vector shares(at(table_.places()));
      for (Index k = 0; k < table_.classes(); ++k)
        add_shares(k, class_weight(classes, k, lane), shares);
      each_missing([&](std::size_t j) {
        const auto own = std::span(shares).subspan(at(table_.place(j, 0)), at(table_.levels(j)));
        if (const std::optional<Cut>& cut = parameters_.columns[j].cut)
          number(cells, rows[lane], j) = mean(*cut, own);
        else
          code(cells, rows[lane], j) =
              static_cast<std::int32_t>(std::ranges::max_element(own) - own.begin());
      });
    }
  }

  /// Draws a state, then the columns given it.
  void draw(const Cells& cells, std::span<const Index> rows, Index k,
            std::span<Rng> streams) override {
    Vector weights;
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      if (!read(cells, rows[lane])) continue;
      find_states(k);
      const State& state = states_[at(drawn_from(state_weights_, streams[lane]))];
      each_missing([&](std::size_t j) {
        Index level = state.place - table_.place(j, 0);
        if (j != state.parent) {
          weights.clear();
          for (Index v = 0; v < table_.levels(j); ++v)
            weights.push_back(std::exp(table_.log_child(state.place, table_.place(j, v))[k]));
          level = drawn_from(weights, streams[lane]);
        }
        if (const std::optional<Cut>& cut = parameters_.columns[j].cut)
          number(cells, rows[lane], j) =
              genera::detail::quantile_of_bin(*cut, level, streams[lane].uniform());
        else
          code(cells, rows[lane], j) = static_cast<std::int32_t>(level);
      });
    }
  }

 private:
  struct State {
    std::size_t parent;
    Index place;
  };

  /// Whether a cell is missing.
  bool read(const Cells& cells, Index row) {
    numbers_ = codes_ = 0;
    positions_.clear();
    bool missing = false;
    for (std::size_t j = 0; j < cells_.size(); ++j) {
      if (const std::optional<Cut>& cut = parameters_.columns[j].cut) {
        positions_.push_back(numbers_);
        const double x = cells.at_number(row, numbers_++);
        cells_[j] = std::isnan(x) ? -1 : static_cast<std::int32_t>(cut->bin(x));
      } else {
        positions_.push_back(codes_);
        cells_[j] = cells.at_code(row, codes_++);
      }
      missing = missing || cells_[j] < 0;
    }
    return missing;
  }

  template <class Visit>
  void each_missing(Visit visit) const {
    for (std::size_t j = 0; j < cells_.size(); ++j)
      if (cells_[j] < 0) visit(j);
  }
  [[nodiscard]] double& number(const Cells& cells, Index row, std::size_t j) const {
    return cells.at_number(row, positions_[j]);
  }
  [[nodiscard]] std::int32_t& code(const Cells& cells, Index row, std::size_t j) const {
    return cells.at_code(row, positions_[j]);
  }

  /// The states and their posterior weights in class k; in a class in which the known cells are
  /// impossible, those without known cells.
  void find_states(Index k) {
    list_states(cells_, k);
    if (std::ranges::any_of(state_weights_, [](double weight) { return weight > 0; })) return;
    list_states(std::vector<std::int32_t>(cells_.size(), -1), k);
  }
  void list_states(std::span<const std::int32_t> cells, Index k) {
    states_.clear();
    state_weights_.clear();
    double max = -kernel::infinity;
    table_.each_state(cells, [&](std::size_t i, Index place) {
      std::ranges::fill(logs_, 0.0);
      table_.add_state(i, place, cells, logs_.data());
      states_.push_back({i, place});
      state_weights_.push_back(logs_[at(k)]);
      max = std::max(max, logs_[at(k)]);
    });
    for (double& weight : state_weights_)
      weight = max == -kernel::infinity ? 0 : std::exp(weight - max);
  }

  /// Adds the probabilities of the levels of missing cells in class k.
  void add_shares(Index k, double weight, Vector& shares) {
    if (!(weight > 0)) return;
    find_states(k);
    double total = 0;
    for (const double state_weight : state_weights_) total += state_weight;
    for (std::size_t s = 0; s < states_.size(); ++s) {
      const double share = weight * state_weights_[s] / total;
      if (!(share > 0)) continue;
      each_missing([&](std::size_t j) {
        if (j == states_[s].parent) {
          shares[at(states_[s].place)] += share;
          return;
        }
        for (Index v = 0; v < table_.levels(j); ++v)
          shares[at(table_.place(j, v))] +=
              share * std::exp(table_.log_child(states_[s].place, table_.place(j, v))[k]);
      });
    }
  }

  static double mean(const Cut& cut, std::span<const double> shares) {
    double sum = 0, total = 0;
    for (std::size_t b = 0; b < shares.size(); ++b) {
      sum += shares[b] * genera::detail::mean_of_bin(cut, static_cast<Index>(b));
      total += shares[b];
    }
    return sum / total;
  }

  const AodeParameters& parameters_;
  const genera::detail::AodeTable& table_;
  std::vector<std::int32_t> cells_;  // of the current row; -1: missing
  std::vector<Index> positions_;     // of each column among the numbers or codes
  Index numbers_ = 0, codes_ = 0;
  std::vector<State> states_;
  Vector state_weights_, logs_;
};

class AodeFiller : public Filler {
 public:
  explicit AodeFiller(const AodeBlock& block) : block_(block) {}
  [[nodiscard]] std::unique_ptr<FillWorker> worker() const override {
    return std::make_unique<AodeFillWorker>(block_);
  }

 private:
  const AodeBlock& block_;
};

}  // namespace

Layout AodeKind::layout(const Block& block) {
  Layout layout;
  for (std::size_t j = 0; j < block.parameters().columns.size(); ++j) {
    if (block.parameters().columns[j].cut)
      ++layout.numbers;
    else
      layout.levels.push_back(block.parameters().levels[j]);
  }
  return layout;
}

std::unique_ptr<const Filler> AodeKind::filler(const Block& block, const FillRules&) {
  return std::make_unique<AodeFiller>(block);
}

/// Each table of weights as a Dirichlet distribution around itself.
AodeBlock AodeKind::drawn(const Block& block, Rng& rng) {
  AodeParameters p = block.parameters();
  const auto draw = [&](Matrix& weights) {
    for (Index k = 0; k < weights.rows(); ++k) {
      const auto row = weights.row(k);
      const double total = std::accumulate(row.begin(), row.end(), 0.0);
      if (!(total > 0)) continue;
      for (double& weight : row) weight /= total;
      draw_shares(row, total, rng);
      for (double& weight : row) weight *= total;
    }
  };
  for (Matrix& weights : p.weights) draw(weights);
  for (Matrix& weights : p.pairs) draw(weights);
  return AodeBlock(std::move(p));
}

}  // namespace genera::blocks
