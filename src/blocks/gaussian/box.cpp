// Probabilities of boxes under Gaussian densities, conditional on known columns.
#include "blocks/gaussian/box.hpp"

#include <algorithm>
#include <cmath>

#include "blocks/gaussian/kind.hpp"
#include "blocks/gaussian/missing/marginal.hpp"
#include "kernel/gather.hpp"
#include "kernel/index.hpp"
#include "kernel/log_sum.hpp"
#include "kernel/normal.hpp"

namespace genera::blocks {
namespace {

using kernel::at;
using kernel::Interval;
using kernel::panel_rows;

/// The columns that matter: in the box, or known.
struct BoxColumns {
  std::vector<Index> all{};    // among the columns of the block
  std::vector<Index> asked{};  // indices in `all`
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

/// Sets the means to 0: rows are passed relative to the mean, which preserves its digits.
GaussianParameters centred(GaussianParameters parameters) {
  parameters.means = Matrix(parameters.means.rows(), parameters.means.columns());
  parameters.means_low = {};
  return parameters;
}

/// One component: the log density of the known columns, and the box conditional on them.
class GivenBox {
 public:
  GivenBox(const GaussianParameters& all, const BoxQuestion& question, const BoxColumns& columns,
           Index c)
      : columns_(columns),
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

  [[nodiscard]] double log_known() { return conditional_.log_constant(0) - 0.5 * square(); }

  /// Squared distance of the known columns.
  [[nodiscard]] double square() {
    alignas(64) double squares[panel_rows];
    conditional_.distances(0, panel_.data(), squares);
    return squares[0];
  }

  [[nodiscard]] std::optional<kernel::NormalBox> box(const Rng& rng) {
    if (columns_.asked.empty()) return std::nullopt;
    return kernel::NormalBox(intervals(), covariance(), rng);
  }

  /// Relative to the conditional mean.
  [[nodiscard]] std::vector<Interval> intervals() {
    alignas(64) double squares[panel_rows];
    conditional_.fill(0, panel_.data(), squares);
    std::vector<Interval> intervals;
    for (const Index column : columns_.asked) {
      const Interval& own = question_.numbers[at(columns_.all[at(column)])];
      const double shift = panel_[at(column * panel_rows)];
      intervals.push_back(
          {less_mean(own.low, column) - shift, less_mean(own.high, column) - shift});
    }
    return intervals;
  }

  /// Of the columns in the box, conditional on the known columns.
  [[nodiscard]] Matrix covariance() {
    const Index d = std::ssize(columns_.asked), all = std::ssize(columns_.all);
    Matrix scatter(all, all), found(d, d);
    conditional_.add_covariance(0, 1, scatter);
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j)
        found(i, j) = scatter(columns_.asked[at(i)], columns_.asked[at(j)]);
    }
    return found;
  }

 private:
  [[nodiscard]] double less_mean(double x, Index column) const {
    return (x - own_.means(0, column)) - own_.mean_low(0, column);
  }

  const BoxColumns& columns_;
  const BoxQuestion& question_;
  GaussianParameters own_, centred_;
  genera::detail::GaussianConditional conditional_;
  kernel::AlignedVector panel_;
};

/// The box relative to the mean of component c.
std::vector<Interval> centred_box(const GaussianParameters& all, const BoxQuestion& question,
                                  std::span<const Index> asked, Index c) {
  std::vector<Interval> box;
  for (const Index j : asked) {
    const double mean = all.means(c, j), low = all.mean_low(c, j);
    const Interval& own = question.numbers[at(j)];
    box.push_back({(own.low - mean) - low, (own.high - mean) - low});
  }
  return box;
}

/// For independent columns.
double log_diagonal_box(const GaussianParameters& all, const BoxQuestion& question,
                        std::span<const Index> asked, Index c) {
  const std::vector<Interval> box = centred_box(all, question, asked, c);
  double log = 0;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const double sd = std::sqrt(all.variances(all.variances.rows() == 1 ? 0 : c, asked[i]));
    log += kernel::log_normal_between(box[i].low / sd, box[i].high / sd);
  }
  return log;
}

/// The box of component c without known columns.
BoxTerm free_box(const GaussianParameters& all, const BoxQuestion& question,
                 const BoxColumns& columns, Index c) {
  if (columns.asked.empty()) return {};
  if (!all.variances.empty()) return {log_diagonal_box(all, question, columns.all, c), {}};
  const Matrix& covariance = all.covariances[all.covariances.size() == 1 ? 0 : at(c)];
  return {0,
          kernel::NormalBox(centred_box(all, question, columns.all, c), {covariance, columns.all},
                            question.rng.split(static_cast<std::uint64_t>(c)))};
}

}  // namespace

BoxTerms component_box(const ClassComponents& components, Index k, const BoxQuestion& question) {
  const Index first = components.first[at(k)], end = components.first[at(k) + 1];
  const BoxColumns columns = box_columns(question);
  BoxTerms terms;
  Vector known;
  for (Index c = first; c < end; ++c) {
    double log_known = end == first + 1 ? 0 : std::log(components.weights[at(c)]);
    if (columns.known.empty()) {
      terms.push_back(free_box(*components.parameters, question, columns, c));
    } else {
      GivenBox given(*components.parameters, question, columns, c);
      if (end > first + 1) log_known += given.log_known();
      terms.push_back({0, given.box(question.rng.split(static_cast<std::uint64_t>(c)))});
    }
    terms.back().log_weight += log_known;
    known.push_back(log_known);
  }
  const double log_known = kernel::log_sum(known);
  for (BoxTerm& term : terms) term.log_weight -= std::isinf(log_known) ? 0 : log_known;
  return terms;
}

ConditionalBox conditional_box(const GaussianParameters& parameters, const BoxQuestion& question,
                               Index c) {
  const BoxColumns columns = box_columns(question);
  if (columns.known.empty())
    return {centred_box(parameters, question, columns.all, c),
            {parameters.covariances[at(c)], columns.all}};
  GivenBox given(parameters, question, columns, c);
  if (columns.asked.empty()) return {{}, Matrix(), given.square(), std::ssize(columns.known)};
  return {given.intervals(), given.covariance(), given.square(), std::ssize(columns.known)};
}

BoxTerms GaussianKind::box(const Block& block, Index k, const BoxQuestion& question) {
  return component_box(components_of(block), k, question);
}

}  // namespace genera::blocks
