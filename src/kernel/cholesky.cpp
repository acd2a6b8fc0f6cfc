#include "kernel/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "kernel/large_factor.hpp"

namespace genera::kernel {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMap = Eigen::Map<const RowMajor>;

/// With a larger estimate of the reciprocal condition number, no pivot can be near
/// `singular_pivot`.
constexpr double plainly_regular = 1e-7;

struct Correlations {
  Eigen::VectorXd sd;
  Eigen::MatrixXd r;  // only the lower triangle is used
};

std::optional<Correlations> correlations(const Matrix& s, std::span<const Index> order) {
  const auto d = static_cast<Index>(order.size());
  Correlations c{Eigen::VectorXd(d), Eigen::MatrixXd(d, d)};
  for (Index i = 0; i < d; ++i) {
    const Index at = order[static_cast<std::size_t>(i)];
    if (!(s(at, at) > 0) || !std::isfinite(s(at, at))) return std::nullopt;
    c.sd(i) = std::sqrt(s(at, at));
  }
  for (Index j = 0; j < d; ++j) {
    for (Index i = 0; i < d; ++i)
      c.r(i, j) = s(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]) /
                  c.sd(i) / c.sd(j);
  }
  return c;
}

std::vector<Index> natural_order(Index d) {
  std::vector<Index> order(static_cast<std::size_t>(d));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

/// L^-1, column block by column block: only the lower half is computed.
Eigen::MatrixXd inverse_of_lower(const Eigen::MatrixXd& l) {
  constexpr Index width = 64;
  const Index d = l.rows();
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(d, d);
  for (Index j = 0; j < d; j += width) {
    const Index columns = std::min(width, d - j);
    auto block = inverse.block(j, j, d - j, columns);
    block.topRows(columns).setIdentity();
    l.bottomRightCorner(d - j, d - j).triangularView<Eigen::Lower>().solveInPlace(block);
  }
  return inverse;
}

/// State of a diagonally pivoted Cholesky factorisation that proceeds column by column.
struct Pivoting {
  Eigen::MatrixXd l;
  Eigen::VectorXd rest;  // residual variance of each column
  std::vector<Index> pivots;

  explicit Pivoting(const Eigen::MatrixXd& r)
      : l(Eigen::MatrixXd::Zero(r.rows(), r.cols())), rest(Eigen::VectorXd::Ones(r.rows())) {}

  /// Pivots on the column with the largest residual variance; false if that is zero.
  bool step(const Eigen::MatrixXd& r) {
    Index at = 0;
    const double pivot = rest.maxCoeff(&at);
    if (!(pivot >= singular_pivot)) return false;
    const auto k = static_cast<Index>(pivots.size());
    l.col(k) = r.col(at) - l.leftCols(k) * l.row(at).head(k).transpose();
    l.col(k) /= std::sqrt(pivot);
    rest -= l.col(k).cwiseAbs2();
    pivots.push_back(at);
    for (const Index done : pivots) rest(done) = -1;
    return true;
  }
};

/// Coefficients of the dependent columns on the pivots, on the correlation scale.
Eigen::MatrixXd regressions(const Pivoting& p, const std::vector<Index>& dependent) {
  const auto rank = static_cast<Index>(p.pivots.size());
  Eigen::MatrixXd top(rank, rank);
  for (Index i = 0; i < rank; ++i)
    top.row(i) = p.l.row(p.pivots[static_cast<std::size_t>(i)]).head(rank);
  Eigen::MatrixXd right(rank, static_cast<Index>(dependent.size()));
  for (Index i = 0; i < right.cols(); ++i)
    right.col(i) = p.l.row(dependent[static_cast<std::size_t>(i)]).head(rank).transpose();
  return top.transpose().triangularView<Eigen::Upper>().solve(right);
}

/// The same in the units of the data, one row per dependent column.
Matrix relations_of(const Pivoting& p, const std::vector<Index>& dependent,
                    const Eigen::VectorXd& sd) {
  const Eigen::MatrixXd coefficients = regressions(p, dependent);
  Matrix relations(coefficients.cols(), coefficients.rows());
  for (Index i = 0; i < coefficients.cols(); ++i) {
    for (Index j = 0; j < coefficients.rows(); ++j)
      relations(i, j) = coefficients(j, i) * sd(dependent[static_cast<std::size_t>(i)]) /
                        sd(p.pivots[static_cast<std::size_t>(j)]);
  }
  return relations;
}

/// From L and L^-1 on the correlation scale.
template <class Lower>
std::optional<Factor> factor_of(const Lower& l, const Lower& inverse, const Eigen::VectorXd& sd) {
  const Index d = l.rows();
  Factor factor{Matrix(d, d), 0};
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j <= i; ++j) factor.inverse(i, j) = inverse(i, j) / sd(j);
    factor.log_det += 2 * (std::log(l(i, i)) + std::log(sd(i)));
  }
  if (!std::isfinite(factor.log_det)) return std::nullopt;
  return factor;
}

}  // namespace

bool factorise_in_place(Matrix& s) {
  Eigen::Map<RowMajor> map(s.data(), s.rows(), s.columns());
  Eigen::Ref<RowMajor> lower(map);
  const Eigen::LLT<Eigen::Ref<RowMajor>> factor(lower);
  if (factor.info() != Eigen::Success) return false;
  for (Index i = 0; i < s.rows(); ++i)
    if (!(s(i, i) > 0)) return false;  // NaN
  return true;
}

std::optional<Factor> factorise(const Matrix& s, std::span<const Index> order) {
  const auto c = correlations(s, order);
  if (!c) return std::nullopt;
  const auto d = static_cast<Index>(order.size());
  if (d >= large_matrix) {
    Matrix r = Matrix::for_overwrite(d, d);
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j <= i; ++j) r(i, j) = c->r(i, j);
    }
    const std::optional<Matrix> l = lower_of_large(r);
    if (!l) return std::nullopt;
    return factor_of(*l, inverse_of_large(*l), c->sd);
  }
  const Eigen::LLT<Eigen::MatrixXd> llt(c->r);
  if (llt.info() != Eigen::Success) return std::nullopt;
  const Eigen::MatrixXd l = llt.matrixL();
  return factor_of(l, inverse_of_lower(l), c->sd);
}

std::optional<Factor> factorise(const Matrix& s) { return factorise(s, natural_order(s.rows())); }

Matrix lower_factor(const Matrix& s) {
  const auto c = correlations(s, natural_order(s.rows()));
  const Eigen::MatrixXd l = Eigen::LLT<Eigen::MatrixXd>(c->r).matrixL();
  Matrix result(s.rows(), s.rows());
  for (Index i = 0; i < s.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) result(i, j) = c->sd(i) * l(i, j);
  }
  return result;
}

Rank rank_of(const Matrix& s) {
  Rank rank;
  std::vector<Index> varying;
  for (Index j = 0; j < s.rows(); ++j) (s(j, j) > 0 ? varying : rank.constant).push_back(j);
  const auto c = correlations(s, varying);
  if (!c || varying.empty()) return rank;
  Pivoting pivoting(c->r);
  while (static_cast<Index>(pivoting.pivots.size()) < c->r.rows() && pivoting.step(c->r)) {
  }
  std::vector<Index> dependent;
  for (Index j = 0; j < c->r.rows(); ++j) {
    if (pivoting.rest(j) != -1) dependent.push_back(j);
  }
  if (!dependent.empty()) rank.relations = relations_of(pivoting, dependent, c->sd);
  const auto original = [&](Index j) { return varying[static_cast<std::size_t>(j)]; };
  for (const Index j : pivoting.pivots) rank.independent.push_back(original(j));
  for (const Index j : dependent) rank.dependent.push_back(original(j));
  return rank;
}

bool is_regular(const Matrix& s) {
  const auto c = correlations(s, natural_order(s.rows()));
  if (!c) return false;
  const Eigen::LLT<Eigen::MatrixXd> llt(c->r);
  if (llt.info() == Eigen::Success && llt.rcond() > plainly_regular) return true;
  return rank_of(s).full();
}

std::optional<double> smallest_relative_eigenvalue(const Matrix& s, const Matrix& t, double min) {
  const Index d = s.rows();
  Eigen::VectorXd unit(d);
  for (Index i = 0; i < d; ++i) unit(i) = 1 / std::sqrt(t(i, i));
  const auto scaled = [&](const Matrix& m) -> Eigen::MatrixXd {
    return unit.asDiagonal() * ConstMap(m.data(), d, d) * unit.asDiagonal();
  };
  const Eigen::MatrixXd scaled_s = scaled(s), scaled_t = scaled(t);
  const auto all_above = [&](double value) {
    return Eigen::LLT<Eigen::MatrixXd>(scaled_s - value * scaled_t).info() == Eigen::Success;
  };
  if (all_above(min)) return std::nullopt;
  double below = 0, above = min;
  constexpr int halvings = 40;  // to 1e-12 of `min`
  for (int i = 0; i < halvings; ++i) {
    const double middle = (below + above) / 2;
    (all_above(middle) ? below : above) = middle;
  }
  return below;
}

double determinant_in_place(Matrix& s) {
  if (!factorise_in_place(s)) return 0;
  double root = 1;
  for (Index j = 0; j < s.rows(); ++j) root *= s(j, j);
  return root * root;
}

std::optional<Solver> Solver::of(Matrix s) {
  if (!factorise_in_place(s)) return std::nullopt;
  return Solver(std::move(s));
}

void Solver::solve(std::span<double> b) const {
  const ConstMap factor(factor_.data(), factor_.rows(), factor_.columns());
  Eigen::Map<Eigen::VectorXd> x(b.data(), static_cast<Index>(b.size()));
  factor.triangularView<Eigen::Lower>().solveInPlace(x);
  factor.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
}

}  // namespace genera::kernel
