#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "blocks/poisson/rate_table.hpp"
#include "blocks/probabilities.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"

namespace genera {
namespace detail {

using kernel::at;

namespace {

/// deviance(c, rate) / c; infinite for the rate 0.
double deviance_over(double c, double rate) {
  return rate > 0 ? kernel::deviance(c, {rate, 0}) / c : kernel::infinity;
}

}  // namespace

RateTable::RateTable(const PoissonParameters& parameters)
    : classes_(parameters.rates.rows()), columns_(parameters.rates.columns()) {
  const Matrix& rates = parameters.rates;
  for (Index j = 0; j < columns_; ++j) {
    double c = 0;
    for (Index k = 0; k < classes_; ++k) c = std::max(c, rates(k, j));
    if (c == 0) c = 1;  // all rates are 0
    largest_.push_back(c);
    for (Index k = 0; k < classes_; ++k) {
      rates_.push_back(rates(k, j));
      logs_.push_back(std::log(rates(k, j)));
      differences_.push_back(rates(k, j) - c);
      log_ratios_.push_back((rates(k, j) - c) / c - deviance_over(c, rates(k, j)));
    }
  }
}

void RateTable::add_relative(Index column, double count, double* scores) const {
  const std::size_t first = at(column * classes_), last = first + at(classes_);
  if (count < kernel::long_count) {
    for (std::size_t i = first; i < last; ++i)
      *scores++ += count > 0 ? count * log_ratios_[i] - differences_[i] : -differences_[i];
    return;
  }
  double c = largest_[at(column)];
  for (std::size_t i = first; i < last; ++i)
    if (rates_[i] > 0 && std::abs(rates_[i] - count) < std::abs(c - count)) c = rates_[i];
  for (std::size_t i = first; i < last; ++i)
    *scores++ += (count - c) * ((rates_[i] - c) / c) - count * deviance_over(c, rates_[i]);
}

}  // namespace detail

namespace {

/// Beyond this, doubles cannot represent all integers.
constexpr double max_counted = 9007199254740992;  // 2^53

void validate(const PoissonParameters& p) {
  using detail::refuse_model;
  if (p.columns.empty()) refuse_model("a Poisson block needs a column", "give at least one");
  if (p.rates.rows() == 0 || p.rates.columns() != std::ssize(p.columns))
    refuse_model(fmt::format("the Poisson block has {} rates per class, expected {}",
                             p.rates.rows() == 0 ? 0 : p.rates.columns(), p.columns.size()),
                 "give one for each column");
  for (Index k = 0; k < p.rates.rows(); ++k) {
    for (std::size_t j = 0; j < p.columns.size(); ++j) {
      const double rate = p.rates(k, static_cast<Index>(j));
      if (!(rate >= 0 && rate <= max_counted))
        refuse_model(fmt::format("column '{}' has the rate {}", p.columns[j], rate),
                     "a rate is the mean of counts, a number from 0 to 2^53");
    }
  }
  detail::check_counts(p.counts, p.rates.rows());
}

}  // namespace

PoissonBlock::PoissonBlock(PoissonParameters parameters) : parameters_(std::move(parameters)) {
  validate(parameters_);
  density_ = std::make_shared<const detail::RateTable>(parameters_);
}

std::vector<Column> PoissonBlock::features() const {
  std::vector<Column> features;
  for (const std::string& name : parameters_.columns) features.push_back({name, ColumnType::count});
  return features;
}

}  // namespace genera
