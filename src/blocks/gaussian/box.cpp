// Boxes in the columns of Gaussian densities: those of the law that is left when some are known.
#include "blocks/gaussian/box.hpp"

#include <algorithm>
#include <cmath>

#include "blocks/gaussian/kind.hpp"
#include "blocks/gaussian/marginal.hpp"
#include "kernel/gather.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using kernel::at;
using kernel::Interval;
using kernel::LogProbability;
using kernel::panel_rows;

/// The columns that matter: those asked about, and those known.
struct BoxColumns {
  std::vector<Index> all{};    // among the columns of the block
  std::vector<Index> asked{};  // among `all`
  std::vector<Index> known{};
};

BoxColumns box_columns(const BoxQuestion& question) {
  BoxColumns columns;
  for (Index j = 0; j < std::ssize(question.numbers); ++j) {
    const bool known = !std::isnan(question.known_numbers[at(j)]);
    if (!known && !is_bounded(question.numbers[at(j)])) continue;
    (known ? columns.known : columns.asked).push_back(std::ssize(columns.all));
    columns.all.push_back(j);
  }
  return columns;
}

/// Means at zero: rows are less their mean, so that no digit of it is lost.
GaussianParameters centred(GaussianParameters parameters) {
  parameters.means = Matrix(parameters.means.rows(), parameters.means.columns());
  parameters.means_low = {};
  return parameters;
}

/// One component: how probable what is known is, and the box given that.
class ComponentBox {
 public:
  ComponentBox(const GaussianParameters& all, const BoxQuestion& question)
      : columns_(box_columns(question)),
        question_(question),
        own_(genera::detail::marginal(all, columns_.all)),
        centred_(centred(own_)),
        conditional_(centred_) {
    conditional_.observe(columns_.known, genera::detail::GaussianConditional::Need::rest);
  }

  [[nodiscard]] double log_known(Index c) {
    if (columns_.known.empty()) return 0;
    kernel::AlignedVector panel = known_cells(c);
    alignas(64) double squares[panel_rows];
    conditional_.distances(c, panel.data(), squares);
    return conditional_.log_constant(c) - 0.5 * squares[0];
  }

  [[nodiscard]] LogProbability box(Index c) {
    if (columns_.asked.empty()) return {};
    kernel::AlignedVector panel = known_cells(c);
    alignas(64) double squares[panel_rows];
    conditional_.fill(c, panel.data(), squares);
    const Index d = std::ssize(columns_.asked), all = std::ssize(columns_.all);
    Matrix scatter(all, all), covariance(d, d);
    conditional_.add_covariance(c, 1, scatter);
    std::vector<Interval> intervals;
    for (Index i = 0; i < d; ++i) {
      const Index column = columns_.asked[at(i)];
      const Interval& own = question_.numbers[at(columns_.all[at(column)])];
      const double shift = panel[at(column * panel_rows)];
      intervals.push_back(
          {less_mean(own.low, c, column) - shift, less_mean(own.high, c, column) - shift});
      for (Index j = 0; j < d; ++j) covariance(i, j) = scatter(column, columns_.asked[at(j)]);
    }
    return kernel::normal_box(intervals, covariance,
                              question_.rng.split(static_cast<std::uint64_t>(c)),
                              question_.threads);
  }

 private:
  [[nodiscard]] double less_mean(double x, Index c, Index column) const {
    return (x - own_.means(c, column)) - own_.mean_low(c, column);
  }

  [[nodiscard]] kernel::AlignedVector known_cells(Index c) const {
    kernel::AlignedVector panel(columns_.all.size() * panel_rows);
    for (const Index column : columns_.known) {
      const double x = question_.known_numbers[at(columns_.all[at(column)])];
      std::fill_n(panel.begin() + column * panel_rows, panel_rows, less_mean(x, c, column));
    }
    return panel;
  }

  BoxColumns columns_;
  const BoxQuestion& question_;
  GaussianParameters own_, centred_;
  genera::detail::GaussianConditional conditional_;
};

}  // namespace

LogProbability component_box(const ClassComponents& components, Index k,
                             const BoxQuestion& question) {
  ComponentBox one(*components.parameters, question);
  const Index first = components.first[at(k)], end = components.first[at(k) + 1];
  if (end == first + 1) return one.box(first);
  std::vector<LogProbability> known, both;
  for (Index c = first; c < end; ++c) {
    known.push_back({std::log(components.weights[at(c)]) + one.log_known(c), 0});
    both.push_back(one.box(c));
    both.back().log += known.back().log;
  }
  LogProbability found = sum_of(both);
  found.log -= sum_of(known).log;
  return found;
}

LogProbability GaussianKind::box(const Block& block, Index k, const BoxQuestion& question) {
  return component_box(components_of(block), k, question);
}

}  // namespace genera::blocks
