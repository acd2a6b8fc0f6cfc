// Second derivatives and scatters of a design in memory.
#include "fit/linear/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "kernel/index.hpp"
#include "kernel/panel.hpp"
#include "kernel/parallel.hpp"
#include "kernel/scatter.hpp"

namespace genera::fit_detail {

using kernel::AlignedVector;
using kernel::at;
using kernel::panel_rows;

namespace {

/// The columns of one row, with the zeros of sparse columns.
void lay_out(const Design& design, Index row, Vector& x) {
  const double* panel = design.panel(row / panel_rows) + row % panel_rows;
  for (Index j = 0; j < design.dense; ++j) x[at(j)] = panel[j * panel_rows];
  const SparseDesign& sparse = design.sparse;
  if (sparse.columns() == 0) return;
  for (Index j = 0; j < sparse.columns(); ++j) x[at(design.dense + j)] = -sparse.centres[at(j)];
  for (Index e = sparse.begins[at(row)]; e < sparse.begins[at(row + 1)]; ++e)
    x[at(design.dense + sparse.places[at(e)])] += sparse.values[at(e)];
}

/// Copies rows into a panel and adds their products when it is full.
class ProductSums {
 public:
  explicit ProductSums(Index columns)
      : columns_(columns),
        stride_(kernel::panel_stride(columns)),
        panel_(at(rows_at_once * stride_)),
        sums_(at(stride_ * stride_)) {}

  /// The place of the next row.
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
struct RowHessian {
  RowHessian(Index columns, Index classes) : all(columns * classes) {
    for (Index k = 0; k < classes; ++k) own.emplace_back(columns);
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
  void add(const RowHessian& other) {
    all.add(other.all);
    for (std::size_t k = 0; k < own.size(); ++k) own[k].add(other.own[k]);
  }
  /// i >= j
  [[nodiscard]] double operator()(Index i, Index j) const {
    const Index classes = std::ssize(own);
    double value = -all(i, j);
    if (i % classes == j % classes) value += own[at(i % classes)](i / classes, j / classes);
    return value;
  }
  ProductSums all;
  std::vector<ProductSums> own;
};

}  // namespace

SampledHessian InMemoryLoss::hessian(Index first, Index step) const {
  const Index classes = design_.classes, columns = design_.columns();
  const Index count = (std::max<Index>(0, design_.rows - first) + step - 1) / step;
  constexpr Index rows_of_task = 1024;
  const Index cut = std::min<Index>(8, (count + rows_of_task - 1) / rows_of_task);
  RowHessian sum(columns, classes);
  std::vector<std::unique_ptr<RowHessian>> parts(at(cut));
  kernel::parallel_for(
      cut, threads_,
      [&](Index task) {
        auto part = std::make_unique<RowHessian>(columns, classes);
        Vector x(at(columns));
        for (Index i = count * task / cut; i < count * (task + 1) / cut; ++i) {
          const Index row = first + i * step;
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
  SampledHessian found{Matrix(size(), size())};
  for (Index i = 0; i < count; ++i) found.weight += design_.weights[at(first + i * step)];
  for (Index i = 0; i < size(); ++i) {
    for (Index j = 0; j <= i; ++j) found.sums(i, j) = sum(i, j);
  }
  return found;
}

/// `diagonal` already contains the entries of the constant.
void InMemoryLoss::add_sparse_diagonal(const std::vector<double>& spread, Vector& diagonal) const {
  const SparseDesign& sparse = design_.sparse;
  const Index classes = design_.classes;
  const Index count = (sparse.columns() + columns_of_task - 1) / columns_of_task;
  kernel::parallel_for(count, threads_, [&](Index task) {
    const Index end = std::min(sparse.columns(), (task + 1) * columns_of_task);
    for (Index j = task * columns_of_task; j < end; ++j) {
      double* to = diagonal.data() + (design_.dense + j) * classes;
      const double centre = sparse.centres[at(j)];
      for (Index k = 0; k < classes; ++k) to[k] = centre * centre * diagonal[at(k)];
      for (Index e = sparse.column_begins[at(j)]; e < sparse.column_begins[at(j + 1)]; ++e) {
        const double value = sparse.column_values[at(e)];
        const double* of = spread.data() + sparse.column_rows[at(e)] * classes;
        for (Index k = 0; k < classes; ++k) to[k] += value * (value - 2 * centre) * of[k];
      }
    }
  });
}

Vector InMemoryLoss::hessian_diagonal() const {
  const Index classes = design_.classes;
  Vector diagonal(at(size()));
  std::vector<double> spread(at(design_.rows * classes));
  for (Index row = 0; row < design_.rows; ++row) {
    const double* p = probabilities(row / panel_rows) + row % panel_rows;
    for (Index k = 0; k < classes; ++k) {
      const double pk = p[k * panel_rows];
      spread[at(row * classes + k)] = design_.weights[at(row)] * pk * (1 - pk);
    }
  }
  kernel::parallel_for(design_.dense, threads_, [&](Index j) {
    double* to = diagonal.data() + j * classes;
    for (Index row = 0; row < design_.rows; ++row) {
      const double x = design_.panel(row / panel_rows)[j * panel_rows + row % panel_rows];
      for (Index k = 0; k < classes; ++k) to[k] += spread[at(row * classes + k)] * x * x;
    }
  });
  add_sparse_diagonal(spread, diagonal);
  return diagonal;
}

Matrix InMemoryLoss::number_scatter() const {
  const Index d = design_.numbers, columns = design_.columns();
  const Index entries = std::ssize(design_.sparse.values);
  // A product of two entries takes about 16 times as long as one of a panel.
  if (design_.dense == 1 && 4 * entries < design_.rows * d) return scatter_of_entries();
  std::vector<std::unique_ptr<ProductSums>> parts(at(tasks()));
  ProductSums sum(d);
  kernel::parallel_for(
      tasks(), threads_,
      [&](Index task) {
        auto part = std::make_unique<ProductSums>(d);
        Vector all(at(columns));
        const Index end = std::min(design_.rows, (task + 1) * panels_of_task * panel_rows);
        for (Index row = task * panels_of_task * panel_rows; row < end; ++row) {
          lay_out(design_, row, all);
          const double root = std::sqrt(design_.weights[at(row)]);
          double* x = part->next();
          for (Index j = 0; j < d; ++j) x[j] = root * all[at(j + 1)];
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

/// sum w (x - c)(x - c)' = sum w x x' - c s' - s c' + sum w c c', where s = sum w x
Matrix InMemoryLoss::scatter_of_entries() const {
  const SparseDesign& sparse = design_.sparse;
  const Index d = sparse.columns();
  Matrix scatter(d, d);
  Vector sums(at(d));
  for (Index row = 0; row < design_.rows; ++row) {
    const double weight = design_.weights[at(row)];
    for (Index a = sparse.begins[at(row)]; a < sparse.begins[at(row + 1)]; ++a) {
      const Index i = sparse.places[at(a)];
      const double x = weight * sparse.values[at(a)];
      sums[at(i)] += x;
      for (Index b = sparse.begins[at(row)]; b < sparse.begins[at(row + 1)]; ++b)
        scatter(i, sparse.places[at(b)]) += x * sparse.values[at(b)];
    }
  }
  const double total = design_.weight();
  for (Index i = 0; i < d; ++i) {
    const double c = sparse.centres[at(i)];
    for (Index j = 0; j < d; ++j)
      scatter(i, j) +=
          c * (total * sparse.centres[at(j)] - sums[at(j)]) - sums[at(i)] * sparse.centres[at(j)];
  }
  return scatter;
}

}  // namespace genera::fit_detail
