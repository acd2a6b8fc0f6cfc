#include "figure/shown_committee.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/infinity.hpp"
#include "score/committee/pool.hpp"

namespace genera::figure {
namespace {

Matrix logarithms(Matrix values) {
  for (Index i = 0; i < values.rows(); ++i)
    for (double& value : values.row(i)) value = std::log(value);
  return values;
}

class ShownCommittee : public Shown {
 public:
  ShownCommittee(const Committee& committee, const std::vector<std::string>& axes, Others others,
                 const Control& control)
      : committee_(committee) {
    for (const Committee::Member& member : committee.members())
      members_.push_back(shown(member, axes, others, control));
  }

  /// Logarithms of the pooled posteriors.
  [[nodiscard]] Matrix scores(const Matrix& points) const override {
    Matrix pooled(points.rows(), std::ssize(committee_.classes()));
    for (std::size_t m = 0; m < members_.size(); ++m) {
      const Committee::Member& member = committee_.members()[m];
      const Matrix posterior =
          softmax(members_[m]->scores(points), ClassifierRef(member).prior().probabilities());
      for (Index i = 0; i < points.rows(); ++i)
        score::pool(member.weight, posterior.row(i), pooled.row(i).data());
    }
    return logarithms(std::move(pooled));
  }

  [[nodiscard]] Matrix log_joint(const Matrix& points) const override {
    Matrix pooled(points.rows(), std::ssize(committee_.classes()), -kernel::infinity);
    for (std::size_t m = 0; m < members_.size(); ++m) {
      const double weight = committee_.density_weights()[m];
      if (!(weight > 0)) continue;
      const Matrix own = members_[m]->log_joint(points);
      for (Index i = 0; i < points.rows(); ++i)
        score::pool_log(std::log(weight), own.row(i), pooled.row(i).data());
    }
    return pooled;
  }

  [[nodiscard]] std::string about_others() const override {
    return members_.front()->about_others();
  }

 private:
  const Committee& committee_;
  std::vector<std::unique_ptr<const Shown>> members_;
};

}  // namespace

std::unique_ptr<const Shown> shown_committee(const Committee& committee,
                                             const std::vector<std::string>& axes, Others others,
                                             const Control& control) {
  return std::make_unique<ShownCommittee>(committee, axes, others, control);
}

std::vector<std::string> numeric_features_of(const Committee& committee) {
  std::vector<std::string> common = numeric_features(committee.members().front());
  for (const Committee::Member& member : committee.members()) {
    const std::vector<std::string> own = numeric_features(member);
    std::erase_if(
        common, [&](const std::string& name) { return std::ranges::find(own, name) == own.end(); });
  }
  return common;
}

const Model* leading_model(ClassifierRef model) {
  return model.committee() ? model.committee()->leading_model() : model.model();
}

}  // namespace genera::figure
