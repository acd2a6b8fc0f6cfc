#include <genera/report.hpp>

namespace genera {
namespace {

Facts facts(const Calibration& calibration) {
  return {{"temperature", calibration.temperature},
          {"log_loss_before", calibration.log_loss_before},
          {"log_loss_after", calibration.log_loss_after},
          {"rows", calibration.rows},
          {"folds", calibration.folds}};
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::closed_form:
      return "closed_form";
    case Outcome::converged:
      return "converged";
    case Outcome::iteration_limit:
      return "iteration_limit";
    case Outcome::degenerate:
      break;
  }
  return "degenerate";
}

Facts facts(const std::vector<Note>& all) {
  Fact::List notes, warnings;
  for (const Note& note : all)
    (note.kind == Note::Kind::warning ? warnings : notes).emplace_back(note.text);
  return {{"notes", std::move(notes)}, {"warnings", std::move(warnings)}};
}

Facts facts(const Report& report) {
  const EmCourse em = report.em.value_or(EmCourse{});
  const NewtonCourse newton = report.newton.value_or(NewtonCourse{});
  Facts all{{"outcome", name_of(report.outcome)},
            {"iterations", report.newton ? newton.iterations : em.iterations},
            {"log_likelihood_first", em.log_likelihood_first},
            {"log_likelihood", em.log_likelihood},
            {"certainty_first", em.certainty_first},
            {"certainty", em.certainty},
            {"objective", newton.objective},
            {"gradient", newton.gradient},
            {"training_log_likelihood", report.training_log_likelihood},
            {"rows", report.rows},
            {"dropped_rows", report.dropped_rows},
            {"unlabelled_rows", report.unlabelled_rows},
            {"unlabelled_left_out", report.unlabelled_left_out},
            {"unlabelled_weight", report.unlabelled_weight},
            {"missing_numbers", report.missing_numbers},
            {"missing_cells", report.missing_cells},
            {"columns_left_out", report.columns_left_out},
            {"covariances_moved", report.covariances_moved},
            {"variances_raised", report.variances_raised},
            {"columns_raised", report.columns_raised},
            {"weak_priors", report.weak_priors},
            {"calibration", report.calibration ? facts(*report.calibration) : Fact::Value()}};
  append(all, facts(report.notes));
  return all;
}

}  // namespace genera
