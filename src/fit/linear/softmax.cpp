#include "fit/linear/softmax.hpp"

#include <algorithm>
#include <cmath>

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

constexpr Index panels_of_task = 64;
constexpr Index columns_of_task = 512;

/// Panels whose numbers stay in cache while their products are added up.
Index panels_at_once(Index stride) {
  constexpr Index bytes = 192 * 1024;
  return std::clamp<Index>(bytes / (stride * panel_rows * 8), 2, 32);
}

/// Both multiply_tile and the outer products take whole tiles of classes.
Index rows_of_classes(Index classes) {
  static_assert(kernel::PackedMatrix::tile_rows % kernel::left_tile == 0);
  return kernel::round_up(classes, kernel::PackedMatrix::tile_rows);
}

}  // namespace

SoftmaxLoss::SoftmaxLoss(const Design& design, double ridge, int threads)
    : design_(design),
      ridge_(ridge),
      threads_(threads),
      class_rows_(rows_of_classes(design.classes)),
      probabilities_(at(design.panel_count() * design.classes * panel_rows)),
      residuals_(design.sparse.columns() > 0 ? at(design.rows * design.classes) : 0) {}

Index SoftmaxLoss::tasks() const {
  return (design_.panel_count() + panels_of_task - 1) / panels_of_task;
}

double* SoftmaxLoss::probabilities(Index panel) const {
  return probabilities_.data() + panel * design_.classes * panel_rows;
}

/// K x stride; what centres the sparse columns goes to the constant.
Matrix SoftmaxLoss::dense_part(const Vector& x) const {
  const Index classes = design_.classes;
  Matrix dense(classes, design_.stride);
  for (Index k = 0; k < classes; ++k) {
    for (Index j = 0; j < design_.dense; ++j) dense(k, j) = x[at(j * classes + k)];
    for (Index j = 0; j < design_.sparse.columns(); ++j)
      dense(k, 0) -= design_.sparse.centres[at(j)] * x[at((design_.dense + j) * classes + k)];
  }
  return dense;
}

void SoftmaxLoss::add_entries(const Vector& x, Index panel, double* scores) const {
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

/// sums_j = sum over rows of x_j times their residuals: column by column, each by one thread.
void SoftmaxLoss::add_columns(const std::vector<double>& residuals, Vector& sums) const {
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

/// Scores of every panel, what `of_panel` makes of them, and the sums over rows of x times that.
/// Returns the sum of what `of_panel` returns.
template <class OfPanel>
double SoftmaxLoss::pass(const Vector& x, Vector& sums, const OfPanel& of_panel) const {
  const Index classes = design_.classes, stride = design_.stride;
  const kernel::PackedMatrix packed = kernel::PackedMatrix::dense(dense_part(x));
  const Index at_once = panels_at_once(stride);
  struct Part {
    Vector sums;
    double value = 0;
  };
  std::vector<Part> parts(at(tasks()));
  const bool entries = design_.sparse.columns() > 0;
  const auto work = [&](Index task) {
    AlignedVector lanes(at(class_rows_ * stride * kernel::sum_lanes));
    AlignedVector scores(at(at_once * class_rows_ * panel_rows));
    Part& part = parts[at(task)];
    const Index end = std::min(design_.panel_count(), (task + 1) * panels_of_task);
    for (Index first = task * panels_of_task; first < end; first += at_once) {
      const Index some = std::min(at_once, end - first);
      for (Index p = 0; p < some; ++p) {
        double* out = scores.data() + p * class_rows_ * panel_rows;
        kernel::products(packed, design_.panel(first + p), panel_rows, out);
        if (entries) add_entries(x, first + p, out);
        part.value += of_panel(first + p, out);
        if (!entries) continue;
        const Index begin = (first + p) * panel_rows;
        for (Index row = begin; row < std::min(design_.rows, begin + panel_rows); ++row) {
          for (Index k = 0; k < classes; ++k)
            residuals_[at(row * classes + k)] = out[k * panel_rows + row - begin];
        }
      }
      kernel::add_outer_products({scores.data(), class_rows_}, {design_.panel(first), stride}, some,
                                 lanes.data());
    }
    part.sums.resize(at(design_.dense * classes));
    for (Index j = 0; j < design_.dense; ++j) {
      for (Index k = 0; k < classes; ++k)
        part.sums[at(j * classes + k)] =
            kernel::added_up(lanes.data() + (k * stride + j) * kernel::sum_lanes);
    }
  };
  sums.assign(at(size()), 0.0);
  double value = 0;
  kernel::parallel_for(tasks(), threads_, work, [&](Index task) {
    Part part = std::move(parts[at(task)]);
    for (std::size_t i = 0; i < part.sums.size(); ++i) sums[i] += part.sums[i];
    value += part.value;
  });
  if (entries) add_columns(residuals_, sums);
  return value;
}

double SoftmaxLoss::evaluate(const Vector& x, Vector& gradient) {
  const Index classes = design_.classes;
  double value = pass(x, gradient, [&](Index panel, double* scores) {
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
  for (std::size_t i = at(classes); i < x.size(); ++i) {
    value += 0.5 * ridge_ * x[i] * x[i];
    gradient[i] += ridge_ * x[i];
  }
  return value;
}

void SoftmaxLoss::curvature(const Vector& along, Vector& out) const {
  const Index classes = design_.classes;
  (void)pass(along, out, [&](Index panel, double* scores) {
    kernel::weigh_along(probabilities(panel), scores, classes,
                        design_.weights.data() + panel * panel_rows, scores);
    return 0.0;
  });
  for (std::size_t i = at(classes); i < along.size(); ++i) out[i] += ridge_ * along[i];
}

double SoftmaxLoss::largest_change(const Vector& along) const {
  const kernel::PackedMatrix packed = kernel::PackedMatrix::dense(dense_part(along));
  AlignedVector scores(at(class_rows_ * panel_rows));
  double most = 0;
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
      most = std::max(most, high - low);
    }
  }
  return most;
}

namespace {

/// The features of one row, sparse ones laid out.
void lay_out(const Design& design, Index row, Vector& x) {
  const double* panel = design.panel(row / panel_rows) + row % panel_rows;
  for (Index j = 0; j < design.dense; ++j) x[at(j)] = panel[j * panel_rows];
  const SparseDesign& sparse = design.sparse;
  if (sparse.columns() == 0) return;
  for (Index j = 0; j < sparse.columns(); ++j) x[at(design.dense + j)] = -sparse.centres[at(j)];
  for (Index e = sparse.begins[at(row)]; e < sparse.begins[at(row + 1)]; ++e)
    x[at(design.dense + sparse.places[at(e)])] += sparse.values[at(e)];
}

/// Rows copied one after the other into a panel, whose products are added up when it is full.
class ProductSums {
 public:
  explicit ProductSums(Index columns)
      : columns_(columns),
        stride_(kernel::panel_stride(columns)),
        panel_(at(rows_at_once * stride_)),
        sums_(at(stride_ * stride_)) {}

  /// Where the next row goes.
  double* next() {
    if (rows_ == rows_at_once) flush();
    return panel_.data() + stride_ * rows_++;
  }
  void flush() {
    kernel::add_products({panel_.data(), rows_, columns_, stride_}, sums_.data());
    rows_ = 0;
  }
  /// i >= j
  [[nodiscard]] double operator()(Index i, Index j) const { return sums_[at(i * stride_ + j)]; }
  void add(const ProductSums& other) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
  }

 private:
  static constexpr Index rows_at_once = 64;
  Index columns_, stride_, rows_ = 0;
  AlignedVector panel_, sums_;
};

/// sum w (diag(p) - p p') x xx' = sum over classes of w p_k xx' - (w^1/2 p x)(w^1/2 p x)'
struct RowCurvature {
  RowCurvature(Index features, Index classes) : all(features * classes) {
    for (Index k = 0; k < classes; ++k) own.emplace_back(features);
  }
  void add_row(const Vector& x, const double* p, double weight) {
    const auto classes = own.size();
    const double root = std::sqrt(weight);
    double* together = all.next();
    for (std::size_t k = 0; k < classes; ++k) {
      const double pk = p[k * panel_rows];
      double* alone = own[k].next();
      const double share = std::sqrt(weight * pk);
      for (std::size_t j = 0; j < x.size(); ++j) {
        alone[j] = share * x[j];
        together[j * classes + k] = root * pk * x[j];
      }
    }
  }
  void flush() {
    all.flush();
    for (ProductSums& one : own) one.flush();
  }
  void add(const RowCurvature& other) {
    all.add(other.all);
    for (std::size_t k = 0; k < own.size(); ++k) own[k].add(other.own[k]);
  }
  ProductSums all;
  std::vector<ProductSums> own;
};

}  // namespace

Matrix SoftmaxLoss::curvature_of_some(Index most_rows) const {
  const Index classes = design_.classes, features = design_.features();
  const Index step = std::max<Index>(1, (design_.rows + most_rows - 1) / most_rows);
  const Index count = (design_.rows + step - 1) / step;
  constexpr Index rows_of_task = 1024;
  const Index cut = std::min<Index>(8, (count + rows_of_task - 1) / rows_of_task);
  RowCurvature sum(features, classes);
  double seen = 0;
  std::vector<std::unique_ptr<RowCurvature>> parts(at(cut));
  kernel::parallel_for(
      cut, threads_,
      [&](Index task) {
        auto part = std::make_unique<RowCurvature>(features, classes);
        Vector x(at(features));
        for (Index i = count * task / cut; i < count * (task + 1) / cut; ++i) {
          const Index row = i * step;
          lay_out(design_, row, x);
          part->add_row(x, probabilities(row / panel_rows) + row % panel_rows,
                        design_.weights[at(row)]);
        }
        part->flush();
        parts[at(task)] = std::move(part);
      },
      [&](Index task) {
        sum.add(*parts[at(task)]);
        parts[at(task)].reset();
      });
  for (Index i = 0; i < count; ++i) seen += design_.weights[at(i * step)];
  const double scale = seen > 0 ? design_.weight() / seen : 0;
  Matrix all(size(), size());
  for (Index i = 0; i < size(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      double value = -sum.all(i, j);
      if (i % classes == j % classes) value += sum.own[at(i % classes)](i / classes, j / classes);
      all(i, j) = scale * value + (i == j && i >= classes ? ridge_ : 0);
    }
  }
  for (Index j = 0; j < features; ++j) {
    double mean = 0;
    for (Index k = 0; k < classes; ++k) mean += all(j * classes + k, j * classes + k);
    mean = mean > 0 ? mean / static_cast<double>(classes) : 1;
    for (Index k = 0; k < classes; ++k) {
      for (Index l = 0; l <= k; ++l)
        all(j * classes + k, j * classes + l) += mean / static_cast<double>(classes);
    }
  }
  return all;
}

Vector SoftmaxLoss::curvature_diagonal() const {
  const Index classes = design_.classes;
  Vector diagonal(at(size()));
  Vector constant(at(classes));
  std::vector<double> spread(at(design_.rows * classes));
  for (Index row = 0; row < design_.rows; ++row) {
    const double* p = probabilities(row / panel_rows) + row % panel_rows;
    for (Index k = 0; k < classes; ++k) {
      const double pk = p[k * panel_rows];
      spread[at(row * classes + k)] = design_.weights[at(row)] * pk * (1 - pk);
      constant[at(k)] += spread[at(row * classes + k)];
    }
  }
  kernel::parallel_for(design_.dense, threads_, [&](Index j) {
    double* to = diagonal.data() + j * classes;
    for (Index row = 0; row < design_.rows; ++row) {
      const double x = design_.panel(row / panel_rows)[j * panel_rows + row % panel_rows];
      for (Index k = 0; k < classes; ++k) to[k] += spread[at(row * classes + k)] * x * x;
    }
  });
  const SparseDesign& sparse = design_.sparse;
  const Index count = (sparse.columns() + columns_of_task - 1) / columns_of_task;
  kernel::parallel_for(count, threads_, [&](Index task) {
    const Index end = std::min(sparse.columns(), (task + 1) * columns_of_task);
    for (Index j = task * columns_of_task; j < end; ++j) {
      double* to = diagonal.data() + (design_.dense + j) * classes;
      const double centre = sparse.centres[at(j)];
      for (Index k = 0; k < classes; ++k) to[k] = centre * centre * constant[at(k)];
      for (Index e = sparse.column_begins[at(j)]; e < sparse.column_begins[at(j + 1)]; ++e) {
        const double value = sparse.column_values[at(e)];
        const double* of = spread.data() + sparse.column_rows[at(e)] * classes;
        for (Index k = 0; k < classes; ++k) to[k] += value * (value - 2 * centre) * of[k];
      }
    }
  });
  for (std::size_t i = at(classes); i < diagonal.size(); ++i) diagonal[i] += ridge_;
  return diagonal;
}

Matrix SoftmaxLoss::dense_scatter() const {
  const Index d = design_.dense - 1;
  std::vector<std::unique_ptr<ProductSums>> parts(at(tasks()));
  ProductSums sum(d);
  kernel::parallel_for(
      tasks(), threads_,
      [&](Index task) {
        auto part = std::make_unique<ProductSums>(d);
        const Index end = std::min(design_.rows, (task + 1) * panels_of_task * panel_rows);
        for (Index row = task * panels_of_task * panel_rows; row < end; ++row) {
          const double* panel = design_.panel(row / panel_rows) + panel_rows + row % panel_rows;
          const double root = std::sqrt(design_.weights[at(row)]);
          double* x = part->next();
          for (Index j = 0; j < d; ++j) x[j] = root * panel[j * panel_rows];
        }
        part->flush();
        parts[at(task)] = std::move(part);
      },
      [&](Index task) {
        sum.add(*parts[at(task)]);
        parts[at(task)].reset();
      });
  Matrix scatter(d, d);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j <= i; ++j) scatter(i, j) = scatter(j, i) = sum(i, j);
  }
  return scatter;
}

}  // namespace genera::fit_detail
