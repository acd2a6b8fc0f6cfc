#include <genera/predictor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/infinity.hpp"
#include "score/committee/member_rows.hpp"
#include "score/committee/pool.hpp"
#include "score/far_rows.hpp"
#include "score/scorer.hpp"

namespace genera {
namespace score {

/// One model and its current row.
class OneModel {
 public:
  explicit OneModel(ClassifierRef model)
      : row_(model.features().size()),
        bound_(model, MatrixView(row_.data(), 1, std::ssize(row_), {std::ssize(row_), 1})),
        scorer_(bound_, blocks::MissingMode::possible) {}

  [[nodiscard]] Vector& row() { return row_; }
  bool ask(const score::Wanted& wanted) noexcept { return scorer_.run_one(0, wanted); }
  /// The same for a posterior or a label; false also if the scores of all classes overflow.
  bool compare(const score::Wanted& wanted) noexcept {
    const Index before = scorer_.impossible();
    return ask(wanted) && (scorer_.impossible() == before || !score::has_far_number(row_));
  }

 private:
  Vector row_;
  score::BoundModel bound_;
  score::Scorer scorer_;
};

}  // namespace score

using score::OneModel;

struct Predictor::State {
  explicit State(ClassifierRef asked) : model(asked.copy()), row(known().features().size()) {
    const Committee* committee = known().committee();
    if (!committee) {
      members.push_back(std::make_unique<OneModel>(known()));
      return;
    }
    answer.resize(known().classes().size());
    one = answer;
    for (const Committee::Member& member : committee->members()) {
      columns.emplace_back(*committee, member);
      members.push_back(std::make_unique<OneModel>(member));
    }
  }
  State(const State& other) : State(other.known()) {}

  [[nodiscard]] ClassifierRef known() const { return model; }

  /// Gives the row to every model; false if its size is wrong.
  template <class T>
  bool take(std::span<const T> asked) noexcept {
    if (asked.size() != row.size()) return false;
    if (columns.empty()) {
      std::copy(asked.begin(), asked.end(), members.front()->row().begin());
      return true;
    }
    std::copy(asked.begin(), asked.end(), row.begin());
    for (std::size_t m = 0; m < members.size(); ++m)
      columns[m].convert(row, members[m]->row().data());
    return true;
  }

  /// Pools the posteriors of a committee.
  bool pooled(double* posterior) noexcept {
    std::fill_n(posterior, answer.size(), 0.0);
    for (std::size_t m = 0; m < members.size(); ++m) {
      if (!members[m]->compare({.posterior = one.data()})) return false;
      score::pool(known().committee()->members()[m].weight, one, posterior);
    }
    return true;
  }

  bool compare(double* posterior, std::int32_t& label) noexcept {
    if (columns.empty())
      return members.front()->compare({.posterior = posterior, .labels = &label});
    if (!pooled(answer.data())) return false;
    if (posterior) std::ranges::copy(answer, posterior);
    label = static_cast<std::int32_t>(std::ranges::max_element(answer) - answer.begin());
    return true;
  }

  template <class T>
  Index predict(std::span<const T> asked, std::span<double> posterior) noexcept {
    const Vector& prior = known().prior().probabilities();
    const bool fits = posterior.empty() || posterior.size() == prior.size();
    std::int32_t label = -1;
    if (fits && take(asked) && compare(posterior.empty() ? nullptr : posterior.data(), label))
      return label;
    if (fits && !posterior.empty()) std::copy(prior.begin(), prior.end(), posterior.begin());
    return -1;
  }

  double log_density(std::span<const double> asked) noexcept {
    constexpr double unusable = std::numeric_limits<double>::quiet_NaN();
    if (!known().has_density() || !take(asked)) return unusable;
    double value = 0;
    if (columns.empty()) return members.front()->ask({.log_density = &value}) ? value : unusable;
    double total = -kernel::infinity;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const double weight = known().committee()->density_weights()[m];
      if (!(weight > 0)) continue;
      if (!members[m]->ask({.log_density = &value})) return unusable;
      score::pool_log(std::log(weight), {&value, 1}, &total);
    }
    return total;
  }

  Classifier model;                           // owned, because the scorers point to it
  Vector row;                                 // the current row of a committee
  Vector answer;                              // of a committee
  Vector one;                                 // of a member
  std::vector<score::MemberColumns> columns;  // of each member of a committee
  std::vector<std::unique_ptr<OneModel>> members;
};

Predictor::Predictor(ClassifierRef model) : state_(std::make_unique<State>(model)) {}
Predictor::Predictor(const Predictor& other) : state_(std::make_unique<State>(*other.state_)) {}
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(const Predictor& other) { return *this = Predictor(other); }
Predictor& Predictor::operator=(Predictor&&) noexcept = default;
Predictor::~Predictor() = default;

Index Predictor::features() const noexcept {
  return static_cast<Index>(state_->known().features().size());
}
Index Predictor::classes() const noexcept {
  return static_cast<Index>(state_->known().classes().size());
}

Index Predictor::predict(std::span<const double> row, std::span<double> posterior) noexcept {
  return state_->predict(row, posterior);
}
Index Predictor::predict(std::span<const float> row, std::span<double> posterior) noexcept {
  return state_->predict(row, posterior);
}

double Predictor::log_density(std::span<const double> row) noexcept {
  return state_->log_density(row);
}

}  // namespace genera
