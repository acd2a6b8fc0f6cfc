// Probabilities of boxes under Gaussian densities, conditional on known columns.
#include "blocks/gaussian/box.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "blocks/gaussian/kind.hpp"
#include "blocks/gaussian/missing/marginal.hpp"
#include "kernel/column_bounds.hpp"
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

  [[nodiscard]] double log_known() {
    alignas(64) double squares[panel_rows];
    conditional_.distances(0, panel_.data(), squares, 1);
    return conditional_.log_constant(0) - 0.5 * squares[0];
  }

  [[nodiscard]] kernel::BoxAndCovariance box() {
    alignas(64) double squares[panel_rows];
    conditional_.fill(0, panel_.data(), squares, 1);
    std::vector<Interval> intervals;
    for (const Index column : columns_.asked) {
      const Interval& own = question_.numbers[at(columns_.all[at(column)])];
      const double shift = panel_[at(column * panel_rows)];
      intervals.push_back(
          {less_mean(own.low, column) - shift, less_mean(own.high, column) - shift});
    }
    return {std::move(intervals), covariance()};
  }

 private:
  [[nodiscard]] double less_mean(double x, Index column) const {
    return (x - own_.means(0, column)) - own_.mean_low(0, column);
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

  const BoxColumns& columns_;
  const BoxQuestion& question_;
  GaussianParameters own_, centred_;
  genera::detail::GaussianConditional conditional_;
  kernel::AlignedVector panel_;
};

/// The log density of the known columns under component c.
double log_density_of_known(const GaussianParameters& all, const BoxQuestion& question,
                            const BoxColumns& columns, Index c) {
  BoxColumns only;
  for (const Index column : columns.known) {
    only.known.push_back(std::ssize(only.all));
    only.all.push_back(columns.all[at(column)]);
  }
  return GivenBox(all, question, only, c).log_known();
}

/// The boxes of the components of a block.
class ComponentBoxes {
 public:
  ComponentBoxes(const GaussianParameters& all, const BoxQuestion& question)
      : all_(all), question_(question), columns_(box_columns(question)) {
    const Index components = all.means.rows(), d = std::ssize(columns_.all);
    conditioning_ = columns_.known.empty() ? 0 : conditioning_work(d);
    later_ = components * (5 * std::ssize(columns_.asked) + conditioning_) > max_work_at_once;
    screened_ = std::min(std::ssize(columns_.asked), std::max<Index>(max_screened / components, 1));
  }

  [[nodiscard]] const BoxColumns& columns() const { return columns_; }

  [[nodiscard]] double log_known(Index c) const {
    return log_density_of_known(all_, question_, columns_, c);
  }

  /// `self` keeps what is made later alive.
  [[nodiscard]] static BoxTerm box(const std::shared_ptr<ComponentBoxes>& self, Index c) {
    const BoxColumns& columns = self->columns_;
    if (columns.asked.empty()) return {};
    if (columns.known.empty() && !self->all_.variances.empty()) return {self->log_diagonal(c), {}};
    const Rng rng = self->question_.rng.split(static_cast<std::uint64_t>(c));
    if (!self->later_) {
      kernel::BoxAndCovariance own = self->make(c);
      return {0, kernel::NormalBox(std::move(own.box), std::move(own.covariance), rng)};
    }
    return {0, kernel::NormalBox(kernel::LaterBox{.columns = std::ssize(columns.asked),
                                                  .bound = self->bound(c),
                                                  .work = self->conditioning_,
                                                  .make = [self, c] { return self->make(c); }},
                                 rng)};
  }

 private:
  /// In evaluations of the normal distribution function: 0.1 ms.
  static constexpr Index max_work_at_once = 10'000;
  /// Columns of all components: 0.1 ms.
  static constexpr Index max_screened = 10'000;

  /// The work of a factor, of the conditional covariance, and of what is copied for them.
  static Index conditioning_work(Index columns) {
    return 300 + columns * columns / 4 + columns * columns * columns / 100;
  }

  [[nodiscard]] kernel::BoxAndCovariance make(Index c) const {
    if (!columns_.known.empty()) return GivenBox(all_, question_, columns_, c).box();
    return {centred_box(c), {covariance(c), columns_.all}};
  }

  [[nodiscard]] const Matrix& covariance(Index c) const {
    return all_.covariances[all_.covariances.size() == 1 ? 0 : at(c)];
  }

  /// Column j of the block, relative to its mean.
  [[nodiscard]] Interval centred_interval(Index c, Index j) const {
    const double mean = all_.means(c, j), low = all_.mean_low(c, j);
    const Interval& own = question_.numbers[at(j)];
    return {(own.low - mean) - low, (own.high - mean) - low};
  }

  [[nodiscard]] std::vector<Interval> centred_box(Index c) const {
    std::vector<Interval> box;
    box.reserve(columns_.all.size());
    for (const Index j : columns_.all) box.push_back(centred_interval(c, j));
    return box;
  }

  /// For independent columns.
  [[nodiscard]] double log_diagonal(Index c) const {
    const std::vector<Interval> box = centred_box(c);
    double log = 0;
    for (std::size_t i = 0; i < box.size(); ++i) {
      const Index row = all_.variances.rows() == 1 ? 0 : c;
      const double sd = std::sqrt(all_.variances(row, columns_.all[i]));
      log += kernel::log_normal_between(box[i].low / sd, box[i].high / sd);
    }
    return log;
  }

  /// By the first columns; nothing is known of a conditional box.
  [[nodiscard]] kernel::LogProbability bound(Index c) {
    if (!columns_.known.empty()) return kernel::middle_of(0, 0);
    const Matrix& own = covariance(c);
    screen_.resize(screened_);
    for (Index i = 0; i < screened_; ++i) {
      const Index j = columns_.all[at(i)];
      screen_.set(i, centred_interval(c, j), own(j, j));
    }
    const kernel::ColumnBounds found = screen_.bounds();
    if (screened_ < std::ssize(columns_.all)) return kernel::middle_of(found.log_most, 0);
    return kernel::middle_of(found.log_most, 1 - found.missed);
  }

  const GaussianParameters& all_;
  BoxQuestion question_;
  BoxColumns columns_;
  Index conditioning_ = 0;  // work
  bool later_ = false;      // whether the boxes are made when they are integrated
  Index screened_ = 0;      // columns
  kernel::ColumnScreen screen_;
};

}  // namespace

BoxTerms component_box(const ClassComponents& components, Index k, const BoxQuestion& question) {
  const Index first = components.first[at(k)], end = components.first[at(k) + 1];
  const auto boxes = std::make_shared<ComponentBoxes>(*components.parameters, question);
  const bool known = !boxes->columns().known.empty();
  BoxTerms terms;
  Vector logs;
  for (Index c = first; c < end; ++c) {
    double log_known = end == first + 1 ? 0 : std::log(components.weights[at(c)]);
    if (known && end > first + 1) log_known += boxes->log_known(c);
    terms.push_back(ComponentBoxes::box(boxes, c));
    terms.back().log_weight += log_known;
    logs.push_back(log_known);
  }
  const double log_known = kernel::log_sum(logs);
  for (BoxTerm& term : terms) term.log_weight -= std::isinf(log_known) ? 0 : log_known;
  return terms;
}

BoxTerms GaussianKind::box(const Block& block, Index k, const BoxQuestion& question) {
  return component_box(components_of(block), k, question);
}

}  // namespace genera::blocks
