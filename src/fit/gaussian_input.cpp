#include "fit/gaussian_input.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "fit/classes.hpp"
#include "kernel/text.hpp"

namespace genera::fit_detail {
namespace {

/// A spread of eight units in the last place of the mean is the noise of reading a constant.
constexpr double constant_spread = 8 * std::numeric_limits<double>::epsilon();

bool is_constant(double variance, double mean) {
  return variance <= constant_spread * constant_spread * mean * mean;
}

double diagonal(const Moments& m, std::size_t j) {
  const auto at = static_cast<Index>(j);
  return m.scatter(m.scatter.rows() > 1 ? at : 0, at);
}

/// Everything known of one column.
struct ColumnSpread {
  double within = 0;  // sum over classes
  double total = 0;   // around the grand mean
  double mean = 0;
  bool constant_in_every_class = true;
};

ColumnSpread spread_of(const std::vector<const ClassStatistics*>& classes, std::size_t j) {
  Moments all(1, Scatter::full);
  ColumnSpread spread;
  for (const ClassStatistics* c : classes) {
    Moments one(1, Scatter::full);
    one.weight = c->moments.weight;
    one.mean[0] = c->moments.mean[j];
    one.mean_low[0] = c->moments.mean_low[j];
    one.scatter(0, 0) = diagonal(c->moments, j);
    spread.within += one.scatter(0, 0);
    spread.constant_in_every_class =
        spread.constant_in_every_class && is_constant(one.scatter(0, 0) / one.weight, one.mean[0]);
    all.merge(one);
  }
  spread.total = all.scatter(0, 0);
  spread.mean = all.mean[0];
  return spread;
}

Matrix select(const Moments& m, const std::vector<Index>& columns) {
  const auto d = static_cast<Index>(columns.size());
  const bool full = m.scatter.rows() > 1 || m.mean.size() == 1;
  Matrix result(full ? d : 1, d);
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < d; ++j)
      result(i, j) = m.scatter(full ? columns[static_cast<std::size_t>(i)] : 0,
                               columns[static_cast<std::size_t>(j)]);
  }
  return result;
}

/// The rounding of a constant is no variance.
void clear_if_constant(Matrix& scatter, Index j, double weight, double mean) {
  const bool full = scatter.rows() > 1;
  if (!is_constant(scatter(full ? j : 0, j) / weight, mean)) return;
  for (Index i = 0; i < scatter.rows(); ++i) scatter(i, j) = 0;
  for (Index i = 0; full && i < scatter.columns(); ++i) scatter(j, i) = 0;
}

void refuse_overflow(const std::string& column, double value) {
  if (std::isfinite(value)) return;
  throw Error(Errc::bad_data, fmt::format("the values of '{}' are too large to be squared", column),
              "measure the column in a larger unit");
}

/// Chooses the columns; fills everything that is per column.
void choose_columns(GaussianInput& input, const Statistics& statistics, const ClassList& classes,
                    const GaussianOptions& options, Report& report) {
  std::vector<std::string> constant, tied;
  for (std::size_t j = 0; j < statistics.columns().size(); ++j) {
    const std::string& name = statistics.columns()[j];
    const ColumnSpread spread = spread_of(classes.statistics, j);
    refuse_overflow(name, spread.total);
    const double total = spread.total / input.total_count();
    if (is_constant(total, spread.mean)) {
      constant.push_back(name);
      continue;
    }
    if (spread.constant_in_every_class) {
      tied.push_back(name);
      input.tied.push_back(input.dimension());
    }
    input.columns.push_back(name);
    input.source_columns.push_back(static_cast<Index>(j));
    input.total_variance.push_back(total);
    const bool tells_the_class = spread.constant_in_every_class;
    const double pooled = tells_the_class ? options.variance_floor * total
                                          : spread.within / pooled_divisor(input, options.divisor);
    input.pooled_variance.push_back(pooled);
    input.least_variance.push_back(tells_the_class ? pooled : options.variance_floor * pooled);
  }
  if (!tied.empty() && options.on_singular == OnSingular::error)
    throw Error(Errc::bad_model,
                fmt::format("{} {} constant within every class but different between classes",
                            kernel::quoted_list(tied), tied.size() == 1 ? "is" : "are"),
                {"such a column tells the class by itself: leave it out ({}), or use {}",
                 {{"drop", tied}, {"on_singular", {"shrink"}}}});
  if (constant.empty()) return;
  report.notes.push_back({fmt::format("{} {} constant and left out", kernel::quoted_list(constant),
                                      constant.size() == 1 ? "is" : "are")});
  for (std::string& name : constant) report.columns_left_out.push_back(std::move(name));
}

void fill_classes(GaussianInput& input, const ClassList& classes) {
  input.means = Matrix(classes.size(), input.dimension());
  for (std::size_t k = 0; k < classes.statistics.size(); ++k) {
    const Moments& m = classes.statistics[k]->moments;
    for (Index j = 0; j < input.dimension(); ++j)
      input.means(static_cast<Index>(k), j) =
          m.mean[static_cast<std::size_t>(input.source_columns[static_cast<std::size_t>(j)])];
    input.scatter.push_back(select(m, input.source_columns));
    for (Index j = 0; j < input.dimension(); ++j)
      clear_if_constant(input.scatter.back(), j, m.weight, input.means(static_cast<Index>(k), j));
  }
}

}  // namespace

double GaussianInput::total_count() const {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

double own_divisor(const GaussianInput& input, std::size_t k, Divisor divisor) {
  const double n = input.counts[k];
  return divisor == Divisor::mle ? n : std::max(0.0, n - 1);
}

double pooled_divisor(const GaussianInput& input, Divisor divisor) {
  const double n = input.total_count();
  const auto classes = static_cast<double>(input.counts.size());
  if (divisor == Divisor::mle) return n;
  if (n > classes) return n - classes;
  throw Error(Errc::bad_model,
              fmt::format("rows of weight {} in {} classes leave nothing to divide by", n, classes),
              {"use {}, or give more rows", {{"divisor", {"mle"}}}});
}

GaussianInput gaussian_input(const Statistics& statistics, const GaussianOptions& options,
                             Report& report) {
  const ClassList classes = sorted_classes(statistics);
  GaussianInput input;
  input.classes = classes.names;
  input.counts = classes.counts;
  for (const ClassStatistics* c : classes.statistics) input.rows.push_back(c->rows);
  choose_columns(input, statistics, classes, options, report);
  fill_classes(input, classes);
  return input;
}

}  // namespace genera::fit_detail
