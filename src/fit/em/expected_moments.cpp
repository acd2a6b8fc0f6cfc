#include "fit/em/expected_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/aligned.hpp"
#include "kernel/gather.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "blocks/gaussian/conditional.hpp"
#include "sums/row_moments.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;

using detail::GaussianConditional;
using kernel::panel_rows;
using kernel::PatternPart;

constexpr Index rows_at_once = 1024;

/// The first value of a column; 0 if it has none.
double any_value(const Matrix& numbers, Index column) {
  for (Index i = 0; i < numbers.rows(); ++i) {
    if (!std::isnan(numbers(i, column))) return numbers(i, column);
  }
  return 0;
}

}  // namespace

ExpectedMoments::ExpectedMoments(const Incomplete& data, const GaussianBlock* block)
    : data_(data), block_(block) {
  std::vector<char> known(data.columns.size());
  const std::vector<std::string> none;
  for (const std::string& name : block ? block->parameters().columns : none) {
    const auto place = std::find(data.columns.begin(), data.columns.end(), name);
    model_columns_.push_back(place - data.columns.begin());
    known[at(model_columns_.back())] = 1;
  }
  for (std::size_t j = 0; j < known.size(); ++j) {
    if (known[j]) continue;
    constants_.push_back(static_cast<Index>(j));
    constant_values_.push_back(any_value(data.numbers, static_cast<Index>(j)));
  }
}

/// Rows completed one pattern after the other, then summed up.
class ExpectedMoments::Task {
 public:
  Task(const ExpectedMoments& how, Index k, std::span<const double> weights)
      : how_(how), k_(k), all_weights_(weights), layout_(how.model_columns_) {
    if (how.block_) {
      conditional_.emplace(how.block_->parameters());
      const Index d = how.block_->dimension();
      panel_.resize(at(d * panel_rows));
      const bool full = how.data_.scatter == Scatter::full;
      spread_ = Matrix(full ? d : 1, d);
    }
  }

  Expected run(const std::vector<PatternPart>& parts) {
    Index rows = 0;
    for (const PatternPart& part : parts) rows += std::ssize(part.rows);
    completed_ = Matrix(rows, how_.data_.numbers.columns());
    for (const PatternPart& part : parts) complete(part);
    Moments moments(completed_.columns(), how_.data_.scatter);
    if (std::all_of(weights_.begin(), weights_.end(), [](double w) { return w == 0; }))
      return {std::move(moments)};
    if (completed_.columns() == 0) {
      moments.weight = std::accumulate(weights_.begin(), weights_.end(), 0.0);
      return {std::move(moments)};
    }
    std::vector<Index> order(at(rows));
    std::iota(order.begin(), order.end(), Index{0});
    const auto weights = all_weights_.empty() ? std::span<const double>() : weights_;
    moments =
        sums::RowMoments(data::NumberColumns(completed_), weights, how_.data_.scatter).of(order);
    add_spread(moments.scatter);
    return {std::move(moments), log_likelihood_};
  }

 private:
  void complete(const PatternPart& part) {
    if (conditional_)
      conditional_->observe(columns_of_block(*part.pattern), GaussianConditional::Need::rest);
    double total = 0;
    for (std::size_t first = 0; first < part.rows.size(); first += at(panel_rows)) {
      const auto rows =
          part.rows.subspan(first, std::min(at(panel_rows), part.rows.size() - first));
      for (const Index row : rows) {
        weights_.push_back(all_weights_.empty() ? 1 : all_weights_[at(row)]);
        total += weights_.back();
      }
      complete_panel(rows);
    }
    if (conditional_) conditional_->add_covariance(k_, total, spread_);
  }

  std::span<const Index> columns_of_block(const kernel::Pattern& pattern) {
    observed_.clear();
    for (std::size_t c = 0; c < how_.model_columns_.size(); ++c) {
      if (std::binary_search(pattern.observed.begin(), pattern.observed.end(),
                             how_.model_columns_[c]))
        observed_.push_back(static_cast<Index>(c));
    }
    return observed_;
  }

  void complete_panel(std::span<const Index> rows) {
    alignas(64) double squares[panel_rows];
    if (conditional_) {
      (void)kernel::gather_panel(how_.data_.numbers, layout_, rows, panel_.data());
      conditional_->fill(k_, panel_.data(), squares);
      const double* weights = weights_.data() + next_;
      for (std::size_t lane = 0; lane < rows.size(); ++lane)
        log_likelihood_ += weights[lane] * (conditional_->log_constant(k_) - 0.5 * squares[lane]);
    }
    for (std::size_t lane = 0; lane < rows.size(); ++lane, ++next_) {
      for (std::size_t c = 0; c < how_.model_columns_.size(); ++c)
        completed_(next_, how_.model_columns_[c]) = panel_[c * at(panel_rows) + lane];
      for (std::size_t c = 0; c < how_.constants_.size(); ++c) {
        const double value = how_.data_.numbers(rows[lane], how_.constants_[c]);
        completed_(next_, how_.constants_[c]) =
            std::isnan(value) ? how_.constant_values_[c] : value;
      }
    }
  }

  void add_spread(Matrix& scatter) const {
    const bool full = how_.data_.scatter == Scatter::full;
    for (Index i = 0; i < spread_.rows(); ++i) {
      for (Index j = 0; j < spread_.columns(); ++j)
        scatter(full ? how_.model_columns_[at(i)] : 0, how_.model_columns_[at(j)]) += spread_(i, j);
    }
  }

  const ExpectedMoments& how_;
  Index k_;
  std::span<const double> all_weights_;
  kernel::PanelLayout layout_;
  std::optional<GaussianConditional> conditional_;
  kernel::AlignedVector panel_;
  std::vector<Index> observed_;
  Matrix completed_, spread_;
  Vector weights_;
  Index next_ = 0;
  double log_likelihood_ = 0;
};

ExpectedMoments::Expected ExpectedMoments::of(Index k, const std::vector<kernel::Pattern>& rows,
                                              std::span<const double> weights) const {
  Expected total{Moments(data_.numbers.columns(), data_.scatter)};
  const std::vector<std::vector<PatternPart>> tasks = kernel::tasks_of(rows, rows_at_once);
  Index next = 0;
  kernel::run_in_order(data_.threads, [&]() -> std::optional<kernel::Task> {
    if (next == std::ssize(tasks)) return std::nullopt;
    return [&, i = next++]() -> kernel::Finish {
      return [&total, part = Task(*this, k, weights).run(tasks[at(i)])] {
        total.moments.merge(part.moments);
        total.log_likelihood += part.log_likelihood;
      };
    };
  });
  return total;
}

}  // namespace genera::fit_detail
