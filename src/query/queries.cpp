#include <genera/query.hpp>

#include "score/committee/bound_classifier.hpp"

namespace genera {
namespace {

using score::BoundClassifier;
using score::Wanted;

struct Shape {
  Index rows, classes;
};

Shape shape_of(const BoundClassifier& bound) { return {bound.rows().count(), bound.classes()}; }

/// An n x K matrix, filled through a pointer to member of `Wanted`.
Matrix matrix_query(const BoundClassifier& bound, double* Wanted::*member, const Control& control) {
  const Shape shape = shape_of(bound);
  Matrix result = Matrix::for_overwrite(shape.rows, shape.classes);
  Wanted wanted;
  wanted.*member = result.data();
  const score::Tally tally = score::run_all(bound, wanted, control);
  const bool exact = wanted.log_joint || wanted.distances;
  if (tally.impossible > 0 && !exact) score::refuse_far_rows(bound);
  return result;
}

Vector log_density_of(const BoundClassifier& bound, const Control& control) {
  Vector result(static_cast<std::size_t>(bound.rows().count()));
  score::run_all(bound, {.log_density = result.data()}, control);
  return result;
}

Decisions decisions_of(const BoundClassifier& bound, const Control& control) {
  Decisions result{std::vector<std::int32_t>(static_cast<std::size_t>(bound.rows().count()))};
  const score::Tally tally = score::run_all(bound, {.labels = result.labels.data()}, control);
  result.impossible = tally.impossible;
  result.unseen = tally.unseen;
  result.missing = score::missing_cells(bound, tally);
  return result;
}

}  // namespace

ExpectedRoles roles_for(ClassifierRef model, Purpose purpose,
                        const std::optional<std::string>& target) {
  ExpectedRoles roles(model.features());
  roles.text = model.text_options();
  if (purpose == Purpose::predict) return roles;
  roles.target_edges = model.origin().target_edges;
  if (target)
    roles.target = *target;
  else if (purpose == Purpose::evaluate)
    roles.target = model.target();
  else if (!model.target().empty())
    roles.target = Target::if_present(model.target());
  return roles;
}

Matrix log_joint(JointRef model, const Rows& rows, const Control& control) {
  return matrix_query(BoundClassifier(model, rows), &Wanted::log_joint, control);
}

Vector log_density(JointRef model, const Rows& rows, const Control& control) {
  return log_density_of(BoundClassifier(model, rows), control);
}

Matrix posterior(ClassifierRef model, const Rows& rows, const Control& control) {
  return matrix_query(BoundClassifier(model, rows), &Wanted::posterior, control);
}

Matrix log_posterior(ClassifierRef model, const Rows& rows, const Control& control) {
  return matrix_query(BoundClassifier(model, rows), &Wanted::log_posterior, control);
}

std::vector<std::int32_t> predict(ClassifierRef model, const Rows& rows, const Control& control) {
  const BoundClassifier bound(model, rows);
  return score::run_labels(bound, control);
}

Decisions decide(ClassifierRef model, const Rows& rows, const Control& control) {
  return decisions_of(BoundClassifier(model, rows), control);
}

Matrix mahalanobis(const Model& model, const Rows& rows, const Control& control) {
  return matrix_query(BoundClassifier(model, rows), &Wanted::distances, control);
}

Answers answers(ClassifierRef model, const Rows& rows, const Control& control) {
  return answers(model, rows, {true, true, true, true, true, false}, control);
}

Answers answers(ClassifierRef model, const Rows& rows, const WantedAnswers& wanted,
                const Control& control) {
  const BoundClassifier bound(model, rows);
  const Shape shape = shape_of(bound);
  Answers a;
  Wanted to;
  const auto matrix = [&](bool is_wanted, Matrix& values, double*& data) {
    if (!is_wanted) return;
    values = Matrix::for_overwrite(shape.rows, shape.classes);
    data = values.data();
  };
  const auto list = [&](bool is_wanted, auto& values, auto*& data) {
    if (!is_wanted) return;
    values.resize(static_cast<std::size_t>(shape.rows));
    data = values.data();
  };
  matrix(wanted.log_joint, a.log_joint, to.log_joint);
  matrix(wanted.distances, a.distances, to.distances);
  list(wanted.log_density, a.log_density, to.log_density);
  matrix(wanted.posterior, a.posterior, to.posterior);
  list(wanted.labels, a.labels, to.labels);
  matrix(wanted.log_posterior, a.log_posterior, to.log_posterior);
  const score::Tally tally = score::run_all(bound, to, control);
  a.impossible = tally.impossible;
  a.unseen = tally.unseen;
  a.missing = score::missing_cells(bound, tally);
  return a;
}

}  // namespace genera
