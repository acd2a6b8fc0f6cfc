#include "fit/em/expected.hpp"

#include <genera/error.hpp>

namespace genera {
namespace fit_detail {
namespace {

void require_same_plan(const std::string& a, const std::string& b) {
  if (a == b) return;
  throw Error(Errc::bad_argument, "the sums belong to different EM plans",
              "make every plan from the same merged statistics, recipe and options");
}

}  // namespace

double Expected::certainty() const {
  return rows.unlabelled == 0 ? 1 : likeliest / static_cast<double>(rows.unlabelled);
}

Expected Expected::clone() const { return {sums.clone(), log_likelihood, likeliest, rows}; }

void Expected::add(const Expected& other) {
  sums.add(other.sums);
  log_likelihood += other.log_likelihood;
  likeliest += other.likeliest;
  rows.weight += other.rows.weight;
  rows.unlabelled += other.rows.unlabelled;
  rows.missing_numbers += other.rows.missing_numbers;
}

void add(PatternMaps& to, const PatternMaps& more) {
  for (std::size_t b = 0; b < more.size(); ++b) {
    for (const auto& [observed, weights] : more[b]) {
      Vector& sums = to[b][observed];
      sums.resize(weights.size());
      for (std::size_t k = 0; k < weights.size(); ++k) sums[k] += weights[k];
    }
  }
}

}  // namespace fit_detail

ExpectedSums::ExpectedSums() = default;
ExpectedSums::ExpectedSums(ExpectedSums&&) noexcept = default;
ExpectedSums& ExpectedSums::operator=(ExpectedSums&&) noexcept = default;
ExpectedSums::~ExpectedSums() = default;
ExpectedSums::ExpectedSums(std::unique_ptr<State> state) : state_(std::move(state)) {}

void ExpectedSums::merge(const ExpectedSums& other) {
  if (other.empty()) return;
  if (empty()) {
    state_ = std::make_unique<State>(State{other.state_->plan, other.state_->expected.clone()});
    return;
  }
  fit_detail::require_same_plan(state_->plan, other.state_->plan);
  state_->expected.add(other.state_->expected);
}

double ExpectedSums::log_likelihood() const {
  return empty() ? 0 : state_->expected.log_likelihood;
}
double ExpectedSums::weight() const { return empty() ? 0 : state_->expected.rows.weight; }

PatternSums::PatternSums() = default;
PatternSums::PatternSums(PatternSums&&) noexcept = default;
PatternSums& PatternSums::operator=(PatternSums&&) noexcept = default;
PatternSums::~PatternSums() = default;
PatternSums::PatternSums(std::unique_ptr<State> state) : state_(std::move(state)) {}

void PatternSums::merge(const PatternSums& other) {
  if (other.empty()) return;
  if (empty()) {
    state_ = std::make_unique<State>(*other.state_);
    return;
  }
  fit_detail::require_same_plan(state_->plan, other.state_->plan);
  fit_detail::add(state_->blocks, other.state_->blocks);
}

}  // namespace genera
