#include "blocks/gaussian/estimate/estimate_input.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/gaussian/estimate/remedies.hpp"
#include "kernel/index.hpp"
#include "kernel/text.hpp"
#include "sums/constant.hpp"

namespace genera::blocks {
namespace {

using kernel::at;
using sums::is_constant;
using sums::is_constant_within;
using sums::min_variance;

double diagonal(const Moments& m, std::size_t j) {
  const auto at = static_cast<Index>(j);
  return m.scatter(m.scatter.rows() > 1 ? at : 0, at);
}

/// Statistics of one column.
struct ColumnSpread {
  double within = 0;  // sum over classes
  double total = 0;   // around the grand mean
  double mean = 0;
  bool constant_in_every_class = true;
};

ColumnSpread spread_of(const std::vector<const Moments*>& classes, std::size_t j) {
  Moments all(1, Scatter::full);
  ColumnSpread spread;
  for (const Moments* c : classes) {
    Moments one(1, Scatter::full);
    one.weight = c->weight;
    one.mean[0] = c->mean[j];
    one.mean_low[0] = c->mean_low[j];
    one.scatter(0, 0) = diagonal(*c, j);
    spread.within += one.scatter(0, 0);
    spread.constant_in_every_class = spread.constant_in_every_class &&
                                     is_constant_within(one.scatter(0, 0), one.weight, one.mean[0]);
    all.merge(one);
  }
  spread.total = all.scatter(0, 0);
  spread.mean = all.mean[0];
  return spread;
}

Matrix scatter_of(const Moments& m, const std::vector<Index>& columns) {
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

/// Sets the variance of a constant to 0; rounding errors are not a variance.
void clear_if_constant(ClassScatter& of_class, Index j, double weight, double mean) {
  const bool full = of_class.get().rows() > 1;
  if (!is_constant_within(of_class.get()(full ? j : 0, j), weight, mean)) return;
  Matrix& scatter = of_class.own();
  for (Index i = 0; i < scatter.rows(); ++i) scatter(i, j) = 0;
  for (Index i = 0; full && i < scatter.columns(); ++i) scatter(j, i) = 0;
}

void refuse_overflow(const std::string& column, double value) {
  if (std::isfinite(value)) return;
  throw Error(Errc::bad_data, fmt::format("the values of '{}' are too large to be squared", column),
              "measure the column in a larger unit");
}

void refuse_underflow(const std::string& column, double scatter, double weight) {
  if (scatter >= min_variance * weight) return;
  throw Error(Errc::bad_data, fmt::format("the values of '{}' are too small to be squared", column),
              "measure the column in a smaller unit");
}

std::vector<const Moments*> pointers(const std::vector<Moments>& moments) {
  std::vector<const Moments*> all;
  for (const Moments& m : moments) all.push_back(&m);
  return all;
}

std::string constant_within_text(const std::vector<std::string>& columns) {
  return fmt::format("{} {} constant within every class but different between classes",
                     kernel::quoted_list(columns), columns.size() == 1 ? "is" : "are");
}

/// Reports the effect of OnSingular::shrink; gnb reports raised variances itself.
void report_constant_within(const std::vector<std::string>& columns, const GaussianOptions& options,
                            Report& report) {
  if (options.covariance == Covariance::diag) return;
  report.notes.push_back(
      {Advice(fmt::format("{}: {} variance there is taken to be {:g} of the total variance",
                          constant_within_text(columns), columns.size() == 1 ? "its" : "their",
                          options.variance_floor)) +
           Advice(" ({}), which makes posteriors too certain; leave out what tells the class by "
                  "itself, unless it is known before the class is",
                  {{"variance_floor"}}),
       Note::Kind::warning});
}

void treat_constant_within(const GaussianFrame& frame, const sums::ClassList& classes,
                           const GaussianOptions& options, Report& report) {
  if (frame.constant_within.empty()) return;
  std::vector<std::string> columns;
  for (const Index j : frame.constant_within) columns.push_back(frame.columns[at(j)]);
  if (options.on_singular == OnSingular::shrink)
    return report_constant_within(columns, options, report);
  throw Error(
      Errc::bad_model, constant_within_text(columns),
      remedies_for_constant_within(gaussian_input(frame, moments_of(frame, classes), options),
                                   options, frame.constant_within));
}

void report_constant(const std::vector<std::string>& columns, Report& report) {
  if (columns.empty()) return;
  report.notes.push_back({fmt::format("{} {} constant and left out", kernel::quoted_list(columns),
                                      columns.size() == 1 ? "is" : "are")});
  report.columns_left_out.insert(report.columns_left_out.end(), columns.begin(), columns.end());
}

/// The variances of each column, with the requested divisor.
void fill_columns(GaussianInput& input, const std::vector<Moments>& moments,
                  const GaussianOptions& options) {
  const std::vector<const Moments*> classes = pointers(moments);
  const double n = input.total_count();
  for (std::size_t j = 0; j < input.columns.size(); ++j) {
    const ColumnSpread spread = spread_of(classes, j);
    const double total = spread.total / n;
    const bool tells_the_class = std::binary_search(
        input.constant_within.begin(), input.constant_within.end(), static_cast<Index>(j));
    const double pooled = tells_the_class
                              ? options.variance_floor * total
                              : spread.within / pooled_divisor(input.counts, options.divisor);
    input.total_variance.push_back(total);
    input.pooled_variance.push_back(pooled);
    input.min_variance.push_back(tells_the_class ? pooled : min_variance_of(pooled, options));
  }
}

}  // namespace

GaussianFrame gaussian_frame(const Statistics& statistics, const sums::ClassList& classes,
                             const GaussianOptions& options, Report& report) {
  GaussianFrame frame{.classes = classes.names,
                      .rows = {},
                      .columns = {},
                      .source_columns = {},
                      .constant_within = {},
                      .scatter = statistics.scatter(),
                      .units = {},
                      .variances = {}};
  std::vector<const Moments*> moments;
  for (const ClassStatistics* c : classes.statistics) {
    frame.rows.push_back(c->rows);
    moments.push_back(&c->moments);
  }
  ColumnUnits units;
  std::vector<std::string> constant;
  const double n = std::accumulate(classes.counts.begin(), classes.counts.end(), 0.0);
  for (std::size_t j = 0; j < statistics.columns().size(); ++j) {
    const std::string& name = statistics.columns()[j];
    const ColumnSpread spread = spread_of(moments, j);
    refuse_overflow(name, spread.total);
    if (is_constant(spread.total, n, spread.mean)) {
      constant.push_back(name);
      continue;
    }
    refuse_underflow(name, spread.total, n);
    if (spread.constant_in_every_class) {
      frame.constant_within.push_back(frame.dimension());
    }
    frame.columns.push_back(name);
    frame.source_columns.push_back(static_cast<Index>(j));
    units.centre.push_back(spread.mean);
    units.scale.push_back(std::sqrt(spread.total / n));
    frame.variances.push_back(
        (spread.constant_in_every_class ? options.variance_floor * spread.total : spread.within) /
        n);
  }
  report_constant(constant, report);
  frame.units = std::make_shared<const ColumnUnits>(std::move(units));
  treat_constant_within(frame, classes, options, report);
  return frame;
}

std::vector<Moments> moments_of(const GaussianFrame& frame, const sums::ClassList& classes) {
  std::vector<Moments> moments;
  for (const ClassStatistics* c : classes.statistics) {
    if (std::ssize(c->moments.mean) == frame.dimension()) {  // all columns
      moments.push_back(c->moments);
      continue;
    }
    Moments selected(frame.dimension(), Scatter::diagonal);
    selected.weight = c->moments.weight;
    for (std::size_t j = 0; j < frame.source_columns.size(); ++j) {
      selected.mean[j] = c->moments.mean[at(frame.source_columns[j])];
      selected.mean_low[j] = c->moments.mean_low[at(frame.source_columns[j])];
    }
    selected.scatter = scatter_of(c->moments, frame.source_columns);
    moments.push_back(std::move(selected));
  }
  return moments;
}

GaussianInput gaussian_input(const GaussianFrame& frame, std::vector<Moments> moments,
                             const GaussianOptions& options) {
  GaussianInput input = pooled_gaussian_input(frame, moments, options);
  for (std::size_t k = 0; k < moments.size(); ++k) {
    if (&input.scatter[k].get() == &moments[k].scatter)
      input.scatter[k] = std::move(moments[k].scatter);
  }
  return input;
}

GaussianInput pooled_gaussian_input(const GaussianFrame& frame, const std::vector<Moments>& moments,
                                    const GaussianOptions& options) {
  GaussianInput input;
  input.classes = frame.classes;
  input.columns = frame.columns;
  input.rows = frame.rows;
  input.constant_within = frame.constant_within;
  input.means = input.means_low = Matrix(std::ssize(moments), frame.dimension());
  for (std::size_t k = 0; k < moments.size(); ++k) {
    const Moments& m = moments[k];
    const auto row = static_cast<Index>(k);
    input.counts.push_back(m.weight);
    std::copy(m.mean.begin(), m.mean.end(), input.means.row(row).begin());
    std::copy(m.mean_low.begin(), m.mean_low.end(), input.means_low.row(row).begin());
    input.scatter.emplace_back(&m.scatter);
    for (Index j = 0; j < frame.dimension(); ++j)
      clear_if_constant(input.scatter.back(), j, m.weight, input.means(row, j));
  }
  fill_columns(input, moments, options);
  return input;
}

double GaussianInput::total_count() const {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

double own_divisor(const GaussianInput& input, std::size_t k, Divisor divisor) {
  const double n = input.counts[k];
  return divisor == Divisor::mle ? n : std::max(0.0, n - 1);
}

double pooled_divisor(const Vector& counts, Divisor divisor) {
  const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
  const auto classes = static_cast<double>(counts.size());
  if (divisor == Divisor::mle) return n;
  if (n > classes) return n - classes;
  throw Error(Errc::bad_model,
              fmt::format("rows of weight {} in {} leave nothing to divide by", n,
                          counted(std::ssize(counts), "class", "classes")),
              {"use {}, or give more rows", {{"divisor", {"mle"}}}});
}

GaussianInput without_columns(const GaussianInput& input, const std::set<Index>& dropped) {
  std::vector<Index> kept;
  for (Index j = 0; j < input.dimension(); ++j)
    if (!dropped.contains(j)) kept.push_back(j);
  const auto d = std::ssize(kept);
  GaussianInput rest = input;
  rest.columns.clear();
  rest.pooled_variance.clear();
  rest.total_variance.clear();
  rest.min_variance.clear();
  rest.constant_within.clear();
  rest.means = rest.means_low = Matrix(input.means.rows(), d);
  for (Index i = 0; i < d; ++i) {
    const std::size_t j = at(kept[at(i)]);
    rest.columns.push_back(input.columns[j]);
    rest.pooled_variance.push_back(input.pooled_variance[j]);
    rest.total_variance.push_back(input.total_variance[j]);
    rest.min_variance.push_back(input.min_variance[j]);
    if (std::ranges::count(input.constant_within, kept[at(i)]) > 0)
      rest.constant_within.push_back(i);
    for (Index k = 0; k < input.means.rows(); ++k) {
      rest.means(k, i) = input.means(k, kept[at(i)]);
      rest.means_low(k, i) = input.means_low(k, kept[at(i)]);
    }
  }
  for (ClassScatter& of_class : rest.scatter) {
    const Matrix& scatter = of_class;
    const bool full = scatter.rows() > 1 || input.dimension() == 1;
    Matrix selected(full ? d : 1, d);
    for (Index i = 0; i < selected.rows(); ++i) {
      for (Index j = 0; j < d; ++j) selected(i, j) = scatter(full ? kept[at(i)] : 0, kept[at(j)]);
    }
    of_class = std::move(selected);
  }
  return rest;
}

}  // namespace genera::blocks
