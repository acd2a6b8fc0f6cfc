#include <cmath>

#include "blocks/poisson/kind.hpp"
#include "blocks/poisson/rate_table.hpp"
#include "blocks/row_worker.hpp"
#include "blocks/table_sums.hpp"
#include "blocks/class_evidence.hpp"
#include "kernel/index.hpp"
#include "kernel/log_factorial.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// Row by row: K additions for each observed count.
class PoissonWorker : public RowWorker {
 public:
  PoissonWorker(const PoissonBlock& block, const data::NumberColumns& columns)
      : RowWorker(block.classes()),
        block_(block),
        rates_(block.density()),
        columns_(columns),
        counts_(at(columns.count())) {}

  bool score(Mode mode, const Scores& to) noexcept override {
    bool usable = true;
    for (Index i = 0; i < count(); ++i) {
      each(row(i), [&](Index j, double x) {
        usable = usable && is_count(x);
        double* scores = to.by_row + i * classes();
        mode == Mode::relative ? rates_.add_relative(j, x, scores) : rates_.add(j, x, scores);
        if (to.common) to.common[i] += detail::RateTable::common(x);
      });
    }
    return usable;
  }

  double explain(Index place, Pair pair, std::vector<Share>& to) override {
    each(place, [&](Index j, double x) {
      Vector scores(at(classes()));
      rates_.add_relative(j, x, scores.data());
      to.push_back({j, scores[at(pair.best)] - scores[at(pair.second)]});
    });
    return 0;
  }
  [[nodiscard]] std::string feature_name(Index feature) const override {
    return PoissonKind::feature_name(block_, feature, false);
  }

  void expect(const Rows& rows, Index begin, Index end, const double* weights,
              BlockSums& sums) override {
    auto& to = sums_as<TableSums>(sums);
    const Index n = end - begin;
    for (Index i = 0; i < n; ++i) {
      double all = 0;
      for (Index k = 0; k < classes(); ++k) {
        to.weights[at(k)] += weights[k * n + i];
        all += weights[k * n + i];
      }
      if (!(all > 0)) continue;
      each(rows.row(begin + i), [&](Index j, double x) {
        to.constant -= all * log_factorial(x);
        for (Index k = 0; k < classes(); ++k) {
          to.tables[0](k, j) += weights[k * n + i] * x;
          to.tables[1](k, j) += weights[k * n + i];
        }
      });
    }
  }

 private:
  /// Fast for 0 and 1, the most common counts.
  [[nodiscard]] static double log_factorial(double x) {
    return x == 0 || x == 1 ? 0 : kernel::log_factorial(x);
  }

  /// Calls visit(column, count) for the observed counts of a row.
  template <class Visit>
  void each(Index row, Visit visit) {
    columns_.gather_rows({&row, 1}, std::ssize(counts_), counts_.data());
    for (std::size_t j = 0; j < counts_.size(); ++j) {
      if (!std::isnan(counts_[j])) visit(static_cast<Index>(j), counts_[j]);
    }
  }

  const PoissonBlock& block_;
  const detail::RateTable& rates_;
  const data::NumberColumns& columns_;
  Vector counts_;  // of the current row
};

class BoundPoisson : public BoundBlock {
 public:
  BoundPoisson(const PoissonBlock& block, const BoundRows& rows, const Places& places)
      : block_(block), columns_(rows.rows.data(), places.numbers) {}

  [[nodiscard]] bool relative_differs() const override { return true; }
  [[nodiscard]] bool nothing_latent(Index) const override {
    return true;
  }  // missing cells are skipped
  [[nodiscard]] std::unique_ptr<BlockWorker> block_worker(MissingMode) const override {
    return std::make_unique<PoissonWorker>(block_, columns_);
  }

 private:
  const PoissonBlock& block_;
  data::NumberColumns columns_;
};

}  // namespace

std::unique_ptr<const BoundBlock> PoissonKind::bind(const Block& block, const BoundRows& rows,
                                                    const Places& places) {
  return std::make_unique<BoundPoisson>(block, rows, places);
}

Places PoissonKind::locate(const Block& block, Finder& finder) {
  return finder.dense_numbers(block.parameters().columns);
}

bool PoissonKind::needs_dense(const Block&) { return true; }

void PoissonKind::class_evidence(const Block& block, const Prior& prior, Index k,
                                 std::vector<Share>& to) {
  const Matrix& rates = block.parameters().rates;
  for (Index j = 0; j < rates.columns(); ++j)
    to.push_back({j, log_ratio_to_others(prior, rates, k, j)});
}

std::string PoissonKind::feature_name(const Block& block, Index feature, bool) {
  return block.parameters().columns[at(feature)];
}

}  // namespace genera::blocks
