#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <genera/error.hpp>
#include <genera/query.hpp>

#include "blocks/kinds.hpp"
#include "kernel/distributions.hpp"
#include "query/committee/committee_tail.hpp"
#include "query/tail_draws.hpp"
#include "score/scorer.hpp"

namespace genera {
namespace {

double share(Index at_most, const Vector& of) {
  return static_cast<double>(1 + at_most) / static_cast<double>(of.size() + 1);
}

double share_at_most(const Vector& sorted, double value) {
  return share(std::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin(), sorted);
}

/// With few rows per set of draws, counting is cheaper than sorting.
class DrawnTail {
 public:
  DrawnTail(const Vector& values, std::size_t rows) : values_(values) {
    constexpr std::size_t few_rows = 100;
    if (rows <= few_rows) return;
    sorted_ = values;
    std::sort(sorted_.begin(), sorted_.end());
  }
  [[nodiscard]] double at_most(double value) const {
    if (!sorted_.empty()) return share_at_most(sorted_, value);
    return share(std::ranges::count_if(values_, [&](double v) { return !(value < v); }), values_);
  }

 private:
  const Vector& values_;
  Vector sorted_;
};

/// In discrete models many rows are equally probable, which rounding must not change. Log densities
/// within 1e-10 count as equal, as docs/numerics.md states.
double with_rounding(double value) {
  constexpr double equal = 1e-10;
  return std::isfinite(value) ? value + equal * (1 + std::abs(value)) : value;
}

/// Tail of the squared distance of a new row over d columns.
double tail_of(const blocks::DistanceDistribution& distribution, double d2, double d) {
  if (d == 0 || !(d2 > 0)) return 1;
  if (std::isinf(d2)) return 0;
  if (std::isinf(distribution.nu)) return kernel::chi_square_tail(d2, d);
  const double rest = distribution.nu - d + 1;
  return kernel::f_tail(distribution.scale * d2 * rest / (distribution.nu * d), d, rest);
}

using Distributions = std::vector<blocks::DistanceDistribution>;

/// Distribution for each class over this number of columns; empty: Monte Carlo.
Distributions distributions_of(const Model& model, Index columns) {
  if (model.blocks().size() != 1) return {};
  return blocks::visit(model.blocks().front(), [&](auto kind, const auto& block) {
    return kind.distance_distributions(block, columns);
  });
}

}  // namespace

namespace query {

/// The largest tail over the classes. Among classes with the same degrees of freedom only the
/// nearest one matters, which saves evaluations of the distribution.
class LargestTail {
 public:
  LargestTail(const Model& model, Index columns)
      : distributions_(distributions_of(model, columns)), columns_(static_cast<double>(columns)) {
    std::map<double, std::vector<std::size_t>> groups;
    for (std::size_t k = 0; k < distributions_.size(); ++k)
      groups[distributions_[k].nu].push_back(k);
    for (auto& [nu, classes] : groups) groups_.push_back(std::move(classes));
  }

  [[nodiscard]] Index classes() const { return std::ssize(distributions_); }
  [[nodiscard]] double operator()(std::span<const double> distances) const {
    double best = 0;
    for (const std::vector<std::size_t>& classes : groups_) {
      const auto nearest = std::ranges::min_element(
          classes, {}, [&](std::size_t k) { return distributions_[k].scale * distances[k]; });
      best = std::max(best, tail_of(distributions_[*nearest], distances[*nearest], columns_));
    }
    return best;
  }

 private:
  std::vector<blocks::DistanceDistribution> distributions_;
  double columns_;
  std::vector<std::vector<std::size_t>> groups_;  // classes grouped by degrees of freedom
};

}  // namespace query

using query::LargestTail;

struct OutlierTail::State {
  State(const Model& given, std::uint64_t seed, const Control& control) : model(given) {
    if (distributions_of(model, columns()).empty())
      draws.emplace(model, seed, control);
    else
      whole.emplace(model, columns());
  }
  State(const Committee& given, std::uint64_t seed, const Control& control)
      : model(*given.leading_model()),
        committee(given),
        of_committee(std::in_place, *committee, seed, control) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[nodiscard]] Index columns() const { return std::ssize(model.features()); }

  Model model;
  std::optional<Committee> committee;  // else the model
  std::optional<query::CommitteeTail> of_committee;
  std::optional<LargestTail> whole;       // distribution for complete rows
  std::optional<query::TailDraws> draws;  // if there is no such distribution
};

OutlierTail::OutlierTail(JointRef model, std::uint64_t seed, const Control& control) {
  state_ = model.model() ? std::make_shared<const State>(*model.model(), seed, control)
                         : std::make_shared<const State>(*model.committee(), seed, control);
}

Vector OutlierTail::operator()(const Matrix& distances, const Vector& log_density) const {
  const State& s = *state_;
  if (s.of_committee) return s.of_committee->of_complete(log_density);
  if (s.whole &&
      (distances.rows() != std::ssize(log_density) || distances.columns() != s.whole->classes()))
    throw Error(Errc::bad_argument, "the distances do not belong to these densities",
                "give both of the same rows and the same model");
  if (s.draws && !s.draws->complete())
    throw Error(Errc::bad_argument,
                "the tail of a row of counts is that among rows of the same length",
                "give the rows with what the model answered");
  Vector tails;
  for (std::size_t i = 0; i < log_density.size(); ++i)
    tails.push_back(s.whole ? (*s.whole)(distances.row(static_cast<Index>(i)))
                            : share_at_most(*s.draws->complete(), log_density[i]));
  return tails;
}

Vector OutlierTail::operator()(const Rows& rows, const Answers& answers) const {
  const State& s = *state_;
  if (std::ssize(answers.log_density) != rows.count())
    throw Error(Errc::bad_argument, "the answers do not hold log densities of these rows",
                "ask for distances and log densities, of the same rows");
  if (s.of_committee) return (*s.of_committee)(rows, answers.log_density);
  const bool by_length = s.draws && !s.draws->complete();
  Vector tails = by_length ? Vector(answers.log_density.size())
                           : (*this)(answers.distances, answers.log_density);
  if (!by_length && answers.missing.rows + answers.unseen == 0) return tails;
  const std::vector<score::RowsOfShape> shapes = score::rows_by_shape(s.model, rows);
  const auto drawn = s.draws ? s.draws->of(shapes) : std::vector<query::TailDraws::Densities>();
  for (std::size_t g = 0; g < shapes.size(); ++g) {
    std::optional<LargestTail> distribution;
    std::optional<DrawnTail> by_draws;
    if (s.whole)
      distribution.emplace(s.model, s.columns() - std::ssize(shapes[g].shape.numbers));
    else
      by_draws.emplace(*drawn[g], shapes[g].rows.size());
    for (const Index row : shapes[g].rows) {
      const double density = answers.log_density[static_cast<std::size_t>(row)];
      tails[static_cast<std::size_t>(row)] =
          distribution ? (*distribution)(answers.distances.row(row))
                       : by_draws->at_most(by_length ? with_rounding(density) : density);
    }
  }
  return tails;
}

double OutlierTail::resolution() const {
  if (state_->of_committee) return state_->of_committee->resolution();
  return state_->draws ? state_->draws->resolution() : 0;
}

double OutlierTail::resolution_so_far() const {
  if (state_->of_committee) return state_->of_committee->resolution();
  return state_->draws ? state_->draws->resolution_so_far() : 0;
}

double OutlierTail::resolution_with_missing() const {
  if (state_->of_committee) return state_->of_committee->resolution_with_missing();
  return state_->draws ? state_->draws->resolution_with_missing() : 0;
}

}  // namespace genera
