// Draws and expectations of Poisson counts.
#include <cmath>

#include <boost/random/poisson_distribution.hpp>

#include "blocks/dirichlet.hpp"
#include "blocks/fill.hpp"
#include "blocks/poisson/kind.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

class PoissonFillWorker : public FillWorker {
 public:
  explicit PoissonFillWorker(const Matrix& rates) : rates_(rates) {}

  void expect(const Cells& cells, std::span<const Index> rows, const double* classes) override {
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      each_missing_cell(cells, rows[lane], [&](Index j, double& cell) {
        cell = 0;
        for (Index k = 0; k < rates_.rows(); ++k)
          cell += class_weight(classes, k, lane) * rates_(k, j);
      });
    }
  }

  void draw(const Cells& cells, std::span<const Index> rows, Index k,
            std::span<Rng> streams) override {
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      each_missing_cell(cells, rows[lane], [&](Index j, double& cell) {
        const double rate = rates_(k, j);
        cell = rate > 0 ? static_cast<double>(boost::random::poisson_distribution<Index, double>(
                              rate)(streams[lane]))
                        : 0;
      });
    }
  }

 private:
  template <class Visit>
  void each_missing_cell(const Cells& cells, Index row, Visit visit) const {
    for (Index j = 0; j < rates_.columns(); ++j) {
      double& cell = cells.at_number(row, j);
      if (std::isnan(cell)) visit(j, cell);
    }
  }

  const Matrix& rates_;
};

class PoissonFiller : public Filler {
 public:
  explicit PoissonFiller(const PoissonBlock& block) : rates_(block.parameters().rates) {}
  [[nodiscard]] std::unique_ptr<FillWorker> worker() const override {
    return std::make_unique<PoissonFillWorker>(rates_);
  }

 private:
  const Matrix& rates_;
};

}  // namespace

Layout PoissonKind::layout(const Block& block) {
  return {.numbers = std::ssize(block.parameters().columns)};
}

std::unique_ptr<const Filler> PoissonKind::filler(const Block& block, const FillRules&) {
  return std::make_unique<PoissonFiller>(block);
}

/// Gamma(S + s m, N + s); its mean is the rate.
PoissonBlock PoissonKind::drawn(const Block& block, Rng& rng) {
  PoissonParameters p = block.parameters();
  for (Index k = 0; k < p.rates.rows(); ++k) {
    const double weight = p.counts[kernel::at(k)] + p.smoothing;
    for (double& rate : p.rates.row(k)) {
      if (weight > 0) rate = gamma_draw(rate * weight, rng) / weight;
    }
  }
  return PoissonBlock(std::move(p));
}

}  // namespace genera::blocks
