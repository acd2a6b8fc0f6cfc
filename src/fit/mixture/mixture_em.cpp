#include "fit/mixture/mixture_em.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fit/mixture/component_step.hpp"
#include "kernel/aligned.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "blocks/gaussian/density.hpp"
#include "sums/row_moments.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

using kernel::panel_rows;
constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr Index rows_of_a_part = 4096;  // parts are merged in order, whoever did them
constexpr double negligible = 1e-16;    // a responsibility below this moves no digit of a sum

/// What a part of the rows says.
struct Expected {
  std::vector<Moments> moments;  // of each component
  double log_likelihood = 0;
};

/// The rows, and what does not change while EM goes on.
class Rows {
 public:
  Rows(const Table& table, const Components& components, const EmOptions& em, Scatter kind)
      : numbers_(table.numbers),
        components_(components),
        kind_(kind),
        threads_(em.threads),
        classes_(at(table.rows()), -1),
        weights_(at(table.rows()), 1.0) {
    std::vector<Index> known;
    for (const std::string& name : table.classes)
      known.push_back(find_label(components.classes, name).value_or(-1));
    for (Index i = 0; i < table.rows(); ++i) {
      if (!table.weights.empty()) weights_[at(i)] = table.weights[at(i)];
      if (!table.labels.empty() && table.labels[at(i)] >= 0)
        classes_[at(i)] = known[static_cast<std::size_t>(table.labels[at(i)])];
      else if (!table.labels.empty())
        weights_[at(i)] *= em.unlabelled_weight;
    }
  }

  [[nodiscard]] double weight() const {
    return std::accumulate(weights_.begin(), weights_.end(), 0.0);
  }
  [[nodiscard]] Index count() const { return numbers_.rows(); }

  /// Moments under given responsibilities, n x C.
  [[nodiscard]] std::vector<Moments> moments(const Matrix& responsibilities) const {
    return in_order([&](Index begin, Index end) {
             Matrix columns(responsibilities.columns(), end - begin);
             for (Index i = begin; i < end; ++i) {
               for (Index c = 0; c < columns.rows(); ++c)
                 columns(c, i - begin) = weights_[at(i)] * responsibilities(i, c);
             }
             return Expected{moments_of(begin, columns), 0};
           })
        .moments;
  }

  /// Log-likelihood of a state, and the moments that it expects.
  [[nodiscard]] Expected expect(const detail::GaussianDensity& density,
                                const Vector& shares) const {
    Vector offsets = density.log_constants();
    for (std::size_t c = 0; c < offsets.size(); ++c)
      offsets[c] += shares[c] > 0 ? std::log(shares[c]) : -infinity;
    return in_order([&](Index begin, Index end) {
      Matrix columns(density.classes(), end - begin);
      const double sum = responsibilities(density, offsets, begin, columns);
      return Expected{moments_of(begin, columns), sum};
    });
  }

 private:
  template <class Part>
  [[nodiscard]] Expected in_order(const Part& part) const {
    const Index parts = (count() + rows_of_a_part - 1) / rows_of_a_part;
    std::vector<Expected> each(at(parts));
    kernel::parallel_for(parts, threads_, [&](Index p) {
      each[at(p)] = part(p * rows_of_a_part, std::min(count(), (p + 1) * rows_of_a_part));
    });
    Expected all = std::move(each.front());
    for (std::size_t p = 1; p < each.size(); ++p) {
      all.log_likelihood += each[p].log_likelihood;
      for (std::size_t c = 0; c < all.moments.size(); ++c) all.moments[c].merge(each[p].moments[c]);
    }
    return all;
  }

  /// `columns` are the weighted responsibilities of each component.
  [[nodiscard]] std::vector<Moments> moments_of(Index begin, const Matrix& columns) const {
    const Index rows = columns.columns();
    Vector weights(at(rows));
    sums::RowMoments sums(data::NumberColumns(numbers_.rows_between(begin, begin + rows)), weights,
                          kind_);
    std::vector<Moments> result;
    std::vector<Index> taken;
    for (Index c = 0; c < columns.rows(); ++c) {
      std::copy(columns.row(c).begin(), columns.row(c).end(), weights.begin());
      taken.clear();
      for (Index i = 0; i < rows; ++i) {
        if (weights[at(i)] > negligible) taken.push_back(i);
      }
      result.push_back(taken.empty() ? Moments(numbers_.columns(), kind_) : sums.of(taken));
    }
    return result;
  }

  /// Fills the columns; returns the log-likelihood.
  double responsibilities(const detail::GaussianDensity& density, const Vector& offsets,
                          Index begin, Matrix& columns) const {
    const kernel::PanelLayout layout(density.order());
    const Index group = density.panels_per_group();
    const Index size = density.dimension() * panel_rows;
    kernel::AlignedVector panels(at(group * size)), scratch(at(density.scratch_size())),
        scores(at(group * density.result_size()));
    double sum = 0;
    for (Index first = 0; first < columns.columns(); first += group * panel_rows) {
      const Index rows = std::min(group * panel_rows, columns.columns() - first);
      const Index count = (rows + panel_rows - 1) / panel_rows;
      const auto lanes = [&](Index p) { return std::min(panel_rows, rows - p * panel_rows); };
      for (Index p = 0; p < count; ++p)
        kernel::gather_panel(numbers_, layout, begin + first + p * panel_rows, lanes(p),
                             panels.data() + p * size);
      density.distances({panels.data(), count, lanes(count - 1)}, scratch.data(), scores.data());
      for (Index p = 0; p < count; ++p)
        sum += settle(scores.data() + p * density.result_size(), offsets,
                      {begin + first + p * panel_rows, lanes(p), first + p * panel_rows}, columns);
    }
    return sum;
  }

  struct Place {
    Index row, lanes, column;
  };
  /// Squared distances of a panel -> weighted responsibilities.
  double settle(double* scores, const Vector& offsets, const Place& place, Matrix& columns) const {
    alignas(64) double log_sums[panel_rows];
    for (std::size_t c = 0; c < offsets.size(); ++c) {
      double* score = scores + static_cast<Index>(c) * panel_rows;
      for (Index lane = 0; lane < panel_rows; ++lane) score[lane] = offsets[c] - 0.5 * score[lane];
      for (Index lane = 0; lane < place.lanes; ++lane) {
        const Index k = classes_[at(place.row + lane)];
        if (k >= 0 && components_.owner[c] != k) score[lane] = -infinity;
      }
    }
    kernel::softmax(scores, columns.rows(), log_sums, scores);
    double sum = 0;
    for (Index lane = 0; lane < place.lanes; ++lane) {
      const double w = weights_[at(place.row + lane)];
      for (Index c = 0; c < columns.rows(); ++c)
        columns(c, place.column + lane) = w * scores[c * panel_rows + lane];
      sum += w * log_sums[lane];
    }
    return sum;
  }

  MatrixView numbers_;
  const Components& components_;
  Scatter kind_;
  int threads_;
  std::vector<Index> classes_;
  Vector weights_;
};

/// The spread around the means of the classes (rows without one around the mean of all), and around
/// the grand mean.
EmScale scale_of(const std::vector<Moments>& moments, const Components& components) {
  std::vector<Moments> classes(components.classes.size());
  Moments all;
  for (std::size_t c = 0; c < moments.size(); ++c) {
    classes[at(components.owner[c])].merge(moments[c]);
    all.merge(moments[c]);
  }
  const auto d = static_cast<Index>(all.mean.size());
  const bool full = all.scatter.rows() > 1 || d == 1;
  EmScale scale{Matrix(d, d), Vector(at(d))};
  for (const Moments& m : classes) {
    for (Index i = 0; m.weight > 0 && i < d; ++i) {
      for (Index j = 0; j < d; ++j) {
        if (full) scale.reference(i, j) += m.scatter(i, j) / all.weight;
        if (!full && i == j) scale.reference(i, j) += m.scatter(0, j) / all.weight;
      }
    }
  }
  for (Index j = 0; j < d; ++j) {
    scale.unit[at(j)] = all.scatter(full ? j : 0, j) / all.weight;
    if (!(scale.unit[at(j)] > 0)) scale.unit[at(j)] = 1;
    if (!(scale.reference(j, j) > 0)) scale.reference(j, j) = scale.unit[at(j)];
  }
  constexpr double rescue = 1e-6;
  if (full && !kernel::is_regular(scale.reference)) {
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j) scale.reference(i, j) *= i == j ? 1 : 1 - rescue;
    }
  }
  return scale;
}

}  // namespace

Outcome outcome_of(const EmResult& em) {
  if (em.on_floor) return Outcome::degenerate;
  return em.converged ? Outcome::converged : Outcome::iteration_limit;
}

void add_outcome(const EmResult& em, Report& report) {
  report.outcome = std::max(report.outcome, outcome_of(em));
  report.iterations = std::max(report.iterations, static_cast<int>(em.log_likelihood.size()));
  report.log_likelihood_first += em.log_likelihood.front();
  report.log_likelihood += em.log_likelihood.back();
}

EmResult run_em(const Table& table, const GaussianOptions& options, const Components& components,
                const Matrix& start, const EmOptions& em) {
  const Rows rows(table, components, em,
                  is_full(options.family) ? Scatter::full : Scatter::diagonal);
  std::vector<Moments> moments = rows.moments(start);
  const ComponentStep step(table.number_names(), options,
                           em.scale ? *em.scale : scale_of(moments, components));
  const double total = rows.weight();
  const double one_row = total / static_cast<double>(rows.count());
  const ComponentStep::Limits limits{
      std::min(one_row, 0.5 * total / static_cast<double>(start.columns())),
      one_row * static_cast<double>(table.numbers.columns() + 1)};
  ComponentStep::Result state = step(moments, limits, {});
  EmResult result;
  for (int iteration = 0; iteration < em.most_iterations; ++iteration) {
    const detail::GaussianDensity density(state.gaussian);
    Expected expected = rows.expect(density, state.weights);
    const double before = result.log_likelihood.empty() ? -infinity : result.log_likelihood.back();
    result.log_likelihood.push_back(expected.log_likelihood);
    result.converged = expected.log_likelihood - before <= em.tolerance * total;
    if (em.after_iteration) em.after_iteration();
    if (result.converged || iteration + 1 == em.most_iterations) break;
    state = step(expected.moments, limits, state.gaussian.means);
  }
  result.gaussian = std::move(state.gaussian);
  result.weights = std::move(state.weights);
  result.on_floor = state.on_floor;
  return result;
}

}  // namespace genera::fit_detail
