#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>

#include <genera/error.hpp>
#include <genera/query.hpp>

#include "blocks/kinds.hpp"
#include "kernel/progress.hpp"
#include "query/generate/draws.hpp"
#include "score/scorer.hpp"

namespace genera {
namespace {

constexpr Index draws = 100'000;
constexpr Index draws_at_once = 8192;  // bounds the memory of wide models
constexpr Index draws_kept = 10'000;   // for rows that lack something

double share_at_most(const Vector& sorted, double value) {
  const auto below = std::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
  return static_cast<double>(1 + below) / static_cast<double>(sorted.size() + 1);
}

/// The rows of `table` without the cells that some other rows lack.
Table without(Table table, const score::MissingPattern& pattern) {
  for (Index i = 0; i < table.rows(); ++i) {
    for (const Index column : pattern.numbers)
      table.numbers(i, column) = std::numeric_limits<double>::quiet_NaN();
    for (const Index column : pattern.codes) table.codes(i, column) = -1;
  }
  for (const Index column : pattern.texts)
    table.sparse[static_cast<std::size_t>(column)].missing.assign(
        static_cast<std::size_t>(table.rows()), 1);
  return table;
}

}  // namespace

double OutlierTail::FLaw::tail(double d2, double d) const {
  if (d == 0 || !(d2 > 0)) return 1;
  if (std::isinf(d2)) return 0;
  if (std::isinf(nu)) return cdf(complement(boost::math::chi_squared(d), d2));
  return cdf(
      complement(boost::math::fisher_f(d, nu - d + 1), scale * d2 * (nu - d + 1) / (nu * d)));
}

OutlierTail::OutlierTail(const Model& model, std::uint64_t seed, const Control& control)
    : model_(model) {
  if (model.blocks().size() == 1) {
    const auto laws = blocks::visit(model.blocks().front(), [](auto kind, const auto& block) {
      return kind.distance_laws(block);
    });
    for (const blocks::DistanceLaw& law : laws) laws_.push_back({law.scale, law.nu});
    if (!laws_.empty()) return;
  }
  kernel::ProgressMeter meter(control, Progress::Task::drawing, draws);
  const Control inside = kernel::silent(control);
  for (Index first = 0; first < draws; first += draws_at_once) {
    const query::DrawRange range{first, std::min(draws, first + draws_at_once)};
    const Vector some =
        log_density(model, query::draw_rows(model, range, Rng(seed), inside), inside);
    draws_.insert(draws_.end(), some.begin(), some.end());
    meter.advance(range.end - range.begin);
  }
  std::sort(draws_.begin(), draws_.end());
  rows_ = std::make_shared<const Table>(
      query::draw_rows(model, {draws, draws + draws_kept}, Rng(seed), inside));
}

double OutlierTail::exact_tail(std::span<const double> distances, double columns) const {
  double best = 0;
  for (std::size_t k = 0; k < laws_.size(); ++k)
    best = std::max(best, laws_[k].tail(distances[k], columns));
  return best;
}

Vector OutlierTail::operator()(const Matrix& distances, const Vector& log_density) const {
  if (!laws_.empty() &&
      (distances.rows() != std::ssize(log_density) || distances.columns() != std::ssize(laws_)))
    throw Error(Errc::bad_argument, "the distances do not belong to these densities",
                "give both of the same rows and the same model");
  const auto columns = static_cast<double>(model_.features().size());
  Vector tails;
  for (std::size_t i = 0; i < log_density.size(); ++i)
    tails.push_back(laws_.empty() ? share_at_most(draws_, log_density[i])
                                  : exact_tail(distances.row(static_cast<Index>(i)), columns));
  return tails;
}

Vector OutlierTail::operator()(const Rows& rows, const Answers& answers) const {
  Vector tails = (*this)(answers.distances, answers.log_density);
  if (answers.missing.rows + answers.unseen == 0) return tails;
  const auto columns = static_cast<double>(model_.features().size());
  for (const score::MissingPattern& pattern : score::rows_by_missing_cells(model_, rows)) {
    Vector sorted;
    if (laws_.empty()) {
      const Table alike = without(*rows_, pattern);
      sorted = log_density(model_, alike);
      std::sort(sorted.begin(), sorted.end());
    }
    for (const Index row : pattern.rows) {
      const auto i = static_cast<std::size_t>(row);
      tails[i] = laws_.empty() ? share_at_most(sorted, answers.log_density[i])
                               : exact_tail(answers.distances.row(row),
                                            columns - static_cast<double>(pattern.numbers.size()));
    }
  }
  return tails;
}

double OutlierTail::resolution() const {
  return laws_.empty() ? 1 / static_cast<double>(draws + 1) : 0;
}

}  // namespace genera
