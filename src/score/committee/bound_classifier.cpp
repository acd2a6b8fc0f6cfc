#include "score/committee/bound_classifier.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/index.hpp"
#include "kernel/progress.hpp"
#include "score/committee/member_rows.hpp"
#include "score/committee/pool.hpp"
#include "score/far_rows.hpp"

namespace genera::score {
namespace {

using kernel::at;
using kernel::infinity;

/// Answers of all members about all rows, pooled member by member.
class PooledRun {
 public:
  PooledRun(const BoundClassifier& bound, const Wanted& wanted, const Control& control)
      : bound_(bound),
        committee_(*bound.classifier().committee()),
        wanted_(wanted),
        control_(control),
        rows_(bound.rows().count()),
        classes_(bound.classes()),
        possible_(at(rows_), 0) {
    if (wanted.distances) std::fill_n(wanted.distances, rows_ * classes_, 0.0);
    if (wanted.posterior || wanted.labels) posterior_ = {rows_, classes_};
    if (wanted.log_posterior) log_posterior_ = Matrix(rows_, classes_, -infinity);
    if (wanted.log_joint) log_joint_ = Matrix(rows_, classes_, -infinity);
    if (wanted.log_density) log_density_ = Matrix(rows_, 1, -infinity);
  }

  Tally run() {
    Tally tally;
    for (std::size_t m = 0; m < bound_.members().size(); ++m) {
      const Tally own = ask(m);
      tally.unseen = std::max(tally.unseen, own.unseen);
    }
    write();
    const bool compared = posterior_.rows() > 0 || log_posterior_.rows() > 0;
    tally.impossible = compared ? std::ranges::count(possible_, 0) : 0;
    return tally;
  }

 private:
  Tally ask(std::size_t m) {
    const double weight = committee_.members()[m].weight;
    const double of_density = committee_.density_weights()[m];
    const bool has_density = of_density > 0;
    Matrix posterior, log_posterior, log_joint, log_density;
    std::vector<std::uint8_t> impossible(at(rows_), 0);
    Wanted own{.impossible = impossible.data()};
    const auto want = [&](bool wanted, const Matrix& like, Matrix& values, double*& to) {
      if (!wanted || like.rows() == 0) return;
      values = Matrix::for_overwrite(like.rows(), like.columns());
      to = values.data();
    };
    want(true, posterior_, posterior, own.posterior);
    want(true, log_posterior_, log_posterior, own.log_posterior);
    want(has_density, log_joint_, log_joint, own.log_joint);
    want(has_density, log_density_, log_density, own.log_density);
    const Tally tally = run_all(*bound_.members()[m], own, kernel::silent(control_));
    for (Index i = 0; i < rows_; ++i) {
      if (impossible[at(i)] == 0) possible_[at(i)] = 1;
      if (own.posterior) pool(weight, posterior.row(i), posterior_.row(i).data());
      if (own.log_posterior)
        pool_log(std::log(weight), log_posterior.row(i), log_posterior_.row(i).data());
      if (own.log_joint) pool_log(std::log(of_density), log_joint.row(i), log_joint_.row(i).data());
      if (own.log_density)
        pool_log(std::log(of_density), log_density.row(i), log_density_.row(i).data());
    }
    return tally;
  }

  void write() const {
    const auto copy = [](const Matrix& from, double* to) {
      for (Index i = 0; to && i < from.rows(); ++i) to = std::ranges::copy(from.row(i), to).out;
    };
    copy(posterior_, wanted_.posterior);
    copy(log_posterior_, wanted_.log_posterior);
    copy(log_joint_, wanted_.log_joint);
    copy(log_density_, wanted_.log_density);
    for (Index i = 0; wanted_.labels && i < rows_; ++i) {
      const auto row = posterior_.row(i);
      wanted_.labels[i] = static_cast<std::int32_t>(std::ranges::max_element(row) - row.begin());
    }
  }

  const BoundClassifier& bound_;
  const Committee& committee_;
  const Wanted& wanted_;
  const Control& control_;
  Index rows_, classes_;
  std::vector<char> possible_;  // for some member
  Matrix posterior_, log_posterior_, log_joint_, log_density_;
};

}  // namespace

BoundClassifier::BoundClassifier(ClassifierRef classifier, const Rows& rows)
    : classifier_(classifier), rows_(rows) {
  const Committee* committee = classifier.committee();
  if (!committee) {
    members_.push_back(std::make_unique<const BoundModel>(classifier, rows));
    return;
  }
  if (rows.data().by_position) check_positions(classifier, rows.data());
  for (const Committee::Member& member : committee->members())
    members_.push_back(
        std::make_unique<const BoundModel>(member, rows_of_member(*committee, member, rows)));
}

Tally run_all(const BoundClassifier& bound, const Wanted& wanted, const Control& control) {
  if (!bound.classifier().committee()) return run_all(*bound.members().front(), wanted, control);
  return PooledRun(bound, wanted, control).run();
}

std::vector<std::int32_t> run_labels(const BoundClassifier& bound, const Control& control) {
  if (!bound.classifier().committee()) return run_labels(*bound.members().front(), control);
  std::vector<std::int32_t> labels(at(bound.rows().count()));
  if (run_all(bound, {.labels = labels.data()}, control).impossible > 0) refuse_far_rows(bound);
  return labels;
}

void refuse_far_rows(const BoundClassifier& bound) {
  for (const auto& member : bound.members()) refuse_far_rows(*member);
}

void refuse_committee(const std::string& what) {
  throw Error(Errc::bad_model, fmt::format("a committee of several models has no {}", what),
              {"ask one of its members, or fit a single model ({})", {{"model", {"best"}}}});
}

}  // namespace genera::score
