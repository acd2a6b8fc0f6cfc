// Boxes in the columns of Gaussian densities: those of the law that is left when some are known.
#include "blocks/gaussian/box.hpp"

#include <algorithm>
#include <cmath>

#include "blocks/gaussian/kind.hpp"
#include "blocks/gaussian/missing/marginal.hpp"
#include "kernel/gather.hpp"
#include "kernel/index.hpp"
#include "kernel/log_sum.hpp"

namespace genera::blocks {
namespace {

using kernel::at;
using kernel::Interval;
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

/// One component: the log density of what is known, and the box given that.
class ComponentBox {
 public:
  ComponentBox(const GaussianParameters& all, const BoxQuestion& question, Index c)
      : columns_(box_columns(question)),
        question_(question),
        own_(genera::detail::marginal_of_class(all, columns_.all, c)),
        centred_(centred(own_)),
        conditional_(centred_),
        panel_(columns_.all.size() * panel_rows) {
    conditional_.observe(columns_.known, genera::detail::GaussianConditional::Need::rest);
    for (const Index column : columns_.known) {
      const double x = question.known_numbers[at(columns_.all[at(column)])];
      std::fill_n(panel_.begin() + column * panel_rows, panel_rows, less_mean(x, column));
    }
  }

  [[nodiscard]] double log_known() {
    if (columns_.known.empty()) return 0;
    alignas(64) double squares[panel_rows];
    conditional_.distances(0, panel_.data(), squares);
    return conditional_.log_constant(0) - 0.5 * squares[0];
  }

  [[nodiscard]] std::optional<kernel::NormalBox> box(const Rng& rng) {
    if (columns_.asked.empty()) return std::nullopt;
    alignas(64) double squares[panel_rows];
    if (!columns_.known.empty()) conditional_.fill(0, panel_.data(), squares);
    std::vector<Interval> intervals;
    for (const Index column : columns_.asked) {
      const Interval& own = question_.numbers[at(columns_.all[at(column)])];
      const double shift = panel_[at(column * panel_rows)];
      intervals.push_back(
          {less_mean(own.low, column) - shift, less_mean(own.high, column) - shift});
    }
    return kernel::NormalBox(intervals, covariance(), rng);
  }

 private:
  [[nodiscard]] double less_mean(double x, Index column) const {
    return (x - own_.means(0, column)) - own_.mean_low(0, column);
  }

  /// Of the columns that are asked about, given those that are known.
  [[nodiscard]] Matrix covariance() {
    if (columns_.known.empty() && own_.variances.empty()) return own_.covariances.front();
    const Index d = std::ssize(columns_.asked), all = std::ssize(columns_.all);
    Matrix scatter(all, all), found(d, d);
    conditional_.add_covariance(0, 1, scatter);
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j)
        found(i, j) = scatter(columns_.asked[at(i)], columns_.asked[at(j)]);
    }
    return found;
  }

  BoxColumns columns_;
  const BoxQuestion& question_;
  GaussianParameters own_, centred_;
  genera::detail::GaussianConditional conditional_;
  kernel::AlignedVector panel_;
};

}  // namespace

BoxTerms component_box(const ClassComponents& components, Index k, const BoxQuestion& question) {
  const Index first = components.first[at(k)], end = components.first[at(k) + 1];
  BoxTerms terms;
  Vector known;
  for (Index c = first; c < end; ++c) {
    ComponentBox one(*components.parameters, question, c);
    const double weight =
        end == first + 1 ? 0 : std::log(components.weights[at(c)]) + one.log_known();
    terms.push_back({weight, one.box(question.rng.split(static_cast<std::uint64_t>(c)))});
    known.push_back(weight);
  }
  const double log_known = kernel::log_sum(known);
  for (BoxTerm& term : terms) term.log_weight -= std::isinf(log_known) ? 0 : log_known;
  return terms;
}

BoxTerms GaussianKind::box(const Block& block, Index k, const BoxQuestion& question) {
  return component_box(components_of(block), k, question);
}

}  // namespace genera::blocks
