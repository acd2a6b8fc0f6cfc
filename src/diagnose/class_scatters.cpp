#include "diagnose/class_scatters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <genera/eigen.hpp>
#include <genera/error.hpp>

#include "kernel/cholesky.hpp"
#include "kernel/index.hpp"
#include "kernel/text.hpp"
#include "sums/classes.hpp"
#include "sums/constant.hpp"

namespace genera::diagnose_detail {
namespace {

using kernel::at;

double diagonal_of(const Moments& m, Index j) { return m.scatter(m.scatter.rows() > 1 ? j : 0, j); }

/// Summary of one column.
struct Spread {
  double within = 0, total = 0, mean = 0;
  bool varies_in_a_class = false;
};

Spread spread_of(const sums::ClassList& classes, Index j) {
  Spread spread;
  Moments all(1, Scatter::full);
  for (const ClassStatistics* c : classes.statistics) {
    Moments one(1, Scatter::full);
    one.weight = c->moments.weight;
    one.mean[0] = c->moments.mean[at(j)];
    one.mean_low[0] = c->moments.mean_low[at(j)];
    one.scatter(0, 0) = diagonal_of(c->moments, j);
    spread.within += one.scatter(0, 0);
    spread.varies_in_a_class =
        spread.varies_in_a_class ||
        !sums::is_constant_within(one.scatter(0, 0), one.weight, one.mean[0]);
    all.merge(one);
  }
  spread.total = all.scatter(0, 0);
  spread.mean = all.mean[0];
  return spread;
}

/// The reason to leave out a column; empty if it can be used.
std::optional<ColumnLeftOut> left_out(const std::string& name, const Spread& spread,
                                      double weight) {
  using Reason = ColumnLeftOut::Reason;
  if (sums::is_constant(spread.total, weight, spread.mean))
    return ColumnLeftOut{name, Reason::constant, "is constant"};
  if (spread.total < sums::min_variance * weight)
    return ColumnLeftOut{name, Reason::too_small, "has values too small to be squared"};
  if (!spread.varies_in_a_class)
    return ColumnLeftOut{name, Reason::constant_within,
                         "is constant within every class but different between classes: it alone "
                         "tells classes apart"};
  return std::nullopt;
}

/// Selects the columns that vary within classes, with their within-class standard deviations.
void choose_columns(const Statistics& statistics, const sums::ClassList& classes, ClassScatters& to,
                    Diagnosis& diagnosis) {
  const double weight = to.total();
  for (Index j = 0; j < std::ssize(statistics.columns()); ++j) {
    const std::string& name = statistics.columns()[at(j)];
    const Spread spread = spread_of(classes, j);
    if (!std::isfinite(spread.total))
      throw Error(Errc::bad_data,
                  fmt::format("the values of '{}' are too large to be squared", name),
                  "measure the column in a larger unit");
    if (auto unused = left_out(name, spread, weight)) {
      diagnosis.columns_left_out.push_back(*std::move(unused));
      continue;
    }
    to.columns.push_back(name);
    to.places.push_back(j);
    // Weights may leave no degrees of freedom; no test runs then (means.cpp).
    constexpr double not_zero = 1e-300;
    to.deviations.push_back(std::sqrt(spread.within / std::max(to.within_df(), not_zero)));
  }
}

Eigen::MatrixXd scaled_scatter(const Moments& moments, const ClassScatters& of) {
  const Index d = of.dimension();
  Eigen::MatrixXd scaled(d, d);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j)
      scaled(i, j) = moments.scatter(of.places[at(i)], of.places[at(j)]) / of.deviations[at(i)] /
                     of.deviations[at(j)];
  }
  return scaled;
}

/// Means of the chosen columns relative to the first class, which avoids cancellation.
void take_means(const sums::ClassList& classes, ClassScatters& to) {
  const Index d = to.dimension();
  to.means = to.means_low = Matrix(to.size(), d);
  to.offsets = Eigen::MatrixXd(to.size(), d);
  if (d == 0) return;
  for (Index k = 0; k < to.size(); ++k) {
    const Moments& m = classes.statistics[at(k)]->moments;
    for (Index j = 0; j < d; ++j) {
      to.means(k, j) = m.mean[at(to.places[at(j)])];
      to.means_low(k, j) = m.mean_low[at(to.places[at(j)])];
      to.offsets(k, j) =
          ((to.means(k, j) - to.means(0, j)) + (to.means_low(k, j) - to.means_low(0, j))) /
          to.deviations[at(j)];
    }
  }
  Eigen::RowVectorXd centre = Eigen::RowVectorXd::Zero(d);
  for (Index k = 0; k < to.size(); ++k) centre += to.counts[at(k)] / to.total() * to.offsets.row(k);
  to.offsets.rowwise() -= centre;
}

void take_scatters(const sums::ClassList& classes, ClassScatters& to) {
  to.scatters.clear();
  to.correlations = Eigen::MatrixXd::Zero(to.dimension(), to.dimension());
  for (Index k = 0; k < to.size(); ++k) {
    to.scatters.push_back(scaled_scatter(classes.statistics[at(k)]->moments, to));
    to.correlations += to.scatters.back();
  }
  to.correlations /= to.within_df();
}

/// The columns on which a dependent column depends.
std::string depends_on(const ClassScatters& all, const kernel::Rank& rank, Index which) {
  constexpr double none = 1e-7;
  std::vector<std::string> names;
  for (Index j = 0; j < rank.relations.columns(); ++j) {
    if (std::abs(rank.relations(which, j)) > none)
      names.push_back(all.columns[at(rank.independent[at(j)])]);
  }
  return fmt::format("is, within the classes, a sum of multiples of {}",
                     kernel::quoted_list(names));
}

/// Leaves out columns that others determine; returns the remaining ones in order.
std::vector<Index> leave_out_dependent(const ClassScatters& all, Diagnosis& diagnosis) {
  const kernel::Rank rank = kernel::rank_of(to_matrix(all.correlations));
  for (Index i = 0; i < std::ssize(rank.dependent); ++i)
    diagnosis.columns_left_out.push_back({all.columns[at(rank.dependent[at(i)])],
                                          ColumnLeftOut::Reason::dependent,
                                          depends_on(all, rank, i)});
  std::vector<Index> kept = rank.independent;
  std::ranges::sort(kept);
  return kept;
}

void keep_columns(const std::vector<Index>& kept, ClassScatters& of) {
  ClassScatters some = of;
  some.columns.clear();
  some.places.clear();
  some.deviations.clear();
  for (const Index j : kept) {
    some.columns.push_back(of.columns[at(j)]);
    some.places.push_back(of.places[at(j)]);
    some.deviations.push_back(of.deviations[at(j)]);
  }
  of = std::move(some);
}

}  // namespace

double ClassScatters::total() const { return std::accumulate(counts.begin(), counts.end(), 0.0); }

std::string ClassScatters::singular_class(Index k) const {
  if (!singular.empty()) return singular;
  if (counts[at(k)] - 1 < static_cast<double>(dimension()))
    return counted(rows[at(k)], "row") + " for " + counted(dimension(), "column");
  const Matrix scatter = to_matrix(scatters[at(k)]);
  if (kernel::is_regular(scatter)) return "";
  const kernel::Rank rank = kernel::rank_of(scatter);
  std::vector<std::string> names;
  for (const auto& of_them : {rank.constant, rank.dependent}) {
    for (const Index j : of_them) names.push_back(columns[at(j)]);
  }
  return fmt::format("{} {} constant there, or determined by other columns",
                     kernel::quoted_list(names), names.size() == 1 ? "is" : "are");
}

ClassScatters class_scatters(const Statistics& statistics, Diagnosis& to) {
  const sums::ClassList classes = sums::sorted_classes(statistics);
  ClassScatters found;
  found.classes = classes.names;
  found.counts = classes.counts;
  for (const ClassStatistics* c : classes.statistics) found.rows.push_back(c->rows);
  choose_columns(statistics, classes, found, to);
  const Index d = found.dimension();
  const bool full = statistics.scatter() == Scatter::full || statistics.columns().size() == 1;
  if (d == 0)
    found.singular = "no column varies within a class";
  else if (!full)
    found.singular = "the statistics contain only variances";
  else if (found.within_df() < static_cast<double>(d))
    found.singular =
        fmt::format("{} in {} are too few for {}",
                    counted(std::accumulate(found.rows.begin(), found.rows.end(), Index{0}), "row"),
                    counted(found.size(), "class", "classes"), counted(d, "column"));
  if (found.singular.empty()) {
    take_scatters(classes, found);
    if (const std::vector<Index> kept = leave_out_dependent(found, to); std::ssize(kept) < d) {
      keep_columns(kept, found);
      take_scatters(classes, found);
    }
  }
  take_means(classes, found);
  to.columns = found.columns;
  return found;
}

}  // namespace genera::diagnose_detail
