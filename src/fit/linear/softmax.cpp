#include "fit/linear/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "kernel/index.hpp"
#include "kernel/panel.hpp"
#include "kernel/parallel.hpp"
#include "kernel/scatter.hpp"
#include "kernel/softmax.hpp"

namespace genera::fit_detail {
namespace {

using kernel::AlignedVector;
using kernel::at;
using kernel::panel_rows;

/// Number of panels whose numbers stay in cache while their products are added.
Index panels_at_once(Index stride) {
  constexpr Index bytes = 192 * 1024;
  return std::clamp<Index>(bytes / (stride * panel_rows * 8), 2, 32);
}

/// Both multiply_tile and the outer products take whole tiles of classes.
Index rows_of_classes(Index classes) {
  static_assert(kernel::PackedMatrix::tile_rows % kernel::left_tile == 0);
  return kernel::round_up(classes, kernel::PackedMatrix::tile_rows);
}

SoftmaxShape shape_of(const Design& design) {
  const auto end = design.weights.begin() + design.rows;
  const auto lightest = std::min_element(design.weights.begin(), end);
  return {.rows = design.rows,
          .classes = design.classes,
          .numbers = design.numbers,
          .columns = design.columns(),
          .class_weights = design.class_weights,
          .min_weight = lightest == end ? 0 : *lightest};
}

}  // namespace

double SoftmaxShape::weight() const {
  return std::accumulate(class_weights.begin(), class_weights.end(), 0.0);
}

InMemoryLoss::InMemoryLoss(const Design& design, int threads)
    : SoftmaxLoss(shape_of(design)),
      design_(design),
      threads_(threads),
      class_rows_(rows_of_classes(design.classes)),
      probabilities_(at(design.panel_count() * design.classes * panel_rows)),
      residuals_(design.sparse.columns() > 0 ? at(design.rows * design.classes) : 0) {}

Index InMemoryLoss::tasks() const {
  return (design_.panel_count() + panels_of_task - 1) / panels_of_task;
}

double* InMemoryLoss::probabilities(Index panel) const {
  return probabilities_.data() + panel * design_.classes * panel_rows;
}

/// K x stride. The centres of the sparse columns go into the coefficient of the constant.
Matrix InMemoryLoss::dense_part(const Vector& x) const {
  const Index classes = design_.classes;
  Matrix dense(classes, design_.stride);
  for (Index k = 0; k < classes; ++k) {
    for (Index j = 0; j < design_.dense; ++j) dense(k, j) = x[at(j * classes + k)];
    for (Index j = 0; j < design_.sparse.columns(); ++j)
      dense(k, 0) -= design_.sparse.centres[at(j)] * x[at((design_.dense + j) * classes + k)];
  }
  return dense;
}

void InMemoryLoss::add_entries(const Vector& x, Index panel, double* scores) const {
  const SparseDesign& sparse = design_.sparse;
  const Index classes = design_.classes;
  const double* first = x.data() + design_.dense * classes;
  Vector sum(at(classes));
  const Index end = std::min(design_.rows, (panel + 1) * panel_rows);
  for (Index row = panel * panel_rows; row < end; ++row) {
    std::ranges::fill(sum, 0.0);
    for (Index e = sparse.begins[at(row)]; e < sparse.begins[at(row + 1)]; ++e) {
      const double value = sparse.values[at(e)];
      const double* of = first + sparse.places[at(e)] * classes;
      for (Index k = 0; k < classes; ++k) sum[at(k)] += value * of[k];
    }
    for (Index k = 0; k < classes; ++k)
      scores[k * panel_rows + row - panel * panel_rows] += sum[at(k)];
  }
}

/// sums_j = sum over rows of x_j times their residuals, one thread per column.
void InMemoryLoss::add_columns(const std::vector<double>& residuals, Vector& sums) const {
  const SparseDesign& sparse = design_.sparse;
  const Index classes = design_.classes;
  const Index count = (sparse.columns() + columns_of_task - 1) / columns_of_task;
  kernel::parallel_for(count, threads_, [&](Index task) {
    const Index end = std::min(sparse.columns(), (task + 1) * columns_of_task);
    for (Index j = task * columns_of_task; j < end; ++j) {
      double* to = sums.data() + (design_.dense + j) * classes;
      for (Index k = 0; k < classes; ++k) to[k] = -sparse.centres[at(j)] * sums[at(k)];
      for (Index e = sparse.column_begins[at(j)]; e < sparse.column_begins[at(j + 1)]; ++e) {
        const double value = sparse.column_values[at(e)];
        const double* of = residuals.data() + sparse.column_rows[at(e)] * classes;
        for (Index k = 0; k < classes; ++k) to[k] += value * of[k];
      }
    }
  });
}

void InMemoryLoss::keep_residuals(Index panel, const double* residuals) const {
  const Index classes = design_.classes, begin = panel * panel_rows;
  for (Index row = begin; row < std::min(design_.rows, begin + panel_rows); ++row) {
    for (Index k = 0; k < classes; ++k)
      residuals_[at(row * classes + k)] = residuals[k * panel_rows + row - begin];
  }
}

/// The panels of one task: `of_panel` replaces their scores by residuals; adds the products of the
/// residuals with the dense columns.
template <class OfPanel>
struct InMemoryLoss::TaskPass {
  const InMemoryLoss& loss;
  const Vector& x;
  const kernel::PackedMatrix packed;
  const OfPanel& of_panel;

  double run(Index task, Vector& sums) const {
    const Design& design = loss.design_;
    const Index class_rows = loss.class_rows_, at_once = panels_at_once(design.stride);
    const bool entries = design.sparse.columns() > 0;
    AlignedVector lanes(at(class_rows * design.stride * kernel::sum_lanes));
    AlignedVector scores(at(at_once * class_rows * panel_rows));
    double value = 0;
    const Index end = std::min(design.panel_count(), (task + 1) * panels_of_task);
    for (Index first = task * panels_of_task; first < end; first += at_once) {
      const Index some = std::min(at_once, end - first);
      for (Index p = 0; p < some; ++p) {
        double* out = scores.data() + p * class_rows * panel_rows;
        kernel::products(packed, design.panel(first + p), panel_rows, out);
        if (entries) loss.add_entries(x, first + p, out);
        value += of_panel(first + p, out);
        if (entries) loss.keep_residuals(first + p, out);
      }
      kernel::add_outer_products({scores.data(), class_rows}, {design.panel(first), design.stride},
                                 some, lanes.data());
    }
    sums.resize(at(design.dense * design.classes));
    for (Index j = 0; j < design.dense; ++j) {
      for (Index k = 0; k < design.classes; ++k)
        sums[at(j * design.classes + k)] =
            kernel::added_up(lanes.data() + (k * design.stride + j) * kernel::sum_lanes);
    }
    return value;
  }
};

/// `of_panel` maps scores to residuals. Adds x times residual over all rows, and returns the sum of
/// the values that `of_panel` returns.
template <class OfPanel>
double InMemoryLoss::pass(const Vector& x, Vector& sums, const OfPanel& of_panel) const {
  const TaskPass<OfPanel> pass_of{*this, x, kernel::PackedMatrix::dense(dense_part(x)), of_panel};
  struct Part {
    Vector sums;
    double value = 0;
  };
  std::vector<Part> parts(at(tasks()));
  const auto work = [&](Index task) {
    Part& part = parts[at(task)];
    part.value = pass_of.run(task, part.sums);
  };
  sums.assign(at(size()), 0.0);
  double value = 0;
  kernel::parallel_for(tasks(), threads_, work, [&](Index task) {
    Part part = std::move(parts[at(task)]);
    for (std::size_t i = 0; i < part.sums.size(); ++i) sums[i] += part.sums[i];
    value += part.value;
  });
  if (design_.sparse.columns() > 0) add_columns(residuals_, sums);
  return value;
}

double InMemoryLoss::evaluate(const Vector& x, Vector& gradient) {
  const Index classes = design_.classes;
  return pass(x, gradient, [&](Index panel, double* scores) {
    alignas(64) double log_sums[panel_rows];
    const double* weights = design_.weights.data() + panel * panel_rows;
    const std::int32_t* labels = design_.labels.data() + panel * panel_rows;
    double* p = probabilities(panel);
    kernel::softmax(scores, classes, log_sums, p);
    double loss = 0;
    for (Index lane = 0; lane < panel_rows; ++lane)
      loss += weights[lane] * (log_sums[lane] - scores[labels[lane] * panel_rows + lane]);
    kernel::weigh(p, classes, weights, scores);
    for (Index lane = 0; lane < panel_rows; ++lane)
      scores[labels[lane] * panel_rows + lane] -= weights[lane];
    return loss;
  });
}

void InMemoryLoss::hessian_product(const Vector& along, Vector& out) const {
  const Index classes = design_.classes;
  (void)pass(along, out, [&](Index panel, double* scores) {
    kernel::weigh_along(probabilities(panel), scores, classes,
                        design_.weights.data() + panel * panel_rows, scores);
    return 0.0;
  });
}

double InMemoryLoss::largest_change(const Vector& along) const {
  const kernel::PackedMatrix packed = kernel::PackedMatrix::dense(dense_part(along));
  AlignedVector scores(at(class_rows_ * panel_rows));
  double max = 0;
  for (Index panel = 0; panel < design_.panel_count(); ++panel) {
    kernel::products(packed, design_.panel(panel), panel_rows, scores.data());
    if (design_.sparse.columns() > 0) add_entries(along, panel, scores.data());
    const Index lanes = std::min(panel_rows, design_.rows - panel * panel_rows);
    for (Index lane = 0; lane < lanes; ++lane) {
      double low = scores[at(lane)], high = low;
      for (Index k = 1; k < design_.classes; ++k) {
        low = std::min(low, scores[at(k * panel_rows + lane)]);
        high = std::max(high, scores[at(k * panel_rows + lane)]);
      }
      max = std::max(max, high - low);
    }
  }
  return max;
}

}  // namespace genera::fit_detail
