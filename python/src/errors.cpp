#include "errors.hpp"

#include <charconv>

#include "arrays.hpp"

namespace genera::python {
namespace {

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string written(const std::string& value) {
  return is_number(value) ? value : '"' + value + '"';
}

const char* name_of_outcome(Outcome outcome) {
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

const char* name_of_code(Errc code) {
  switch (code) {
    case Errc::bad_argument:
      return "bad_argument";
    case Errc::bad_data:
      return "bad_data";
    case Errc::bad_model:
      return "bad_model";
    case Errc::stopped:
      break;
  }
  return "stopped";
}

nb::str text_of(const std::string& text) { return nb::str(text.c_str(), text.size()); }

}  // namespace

std::string words_of(const OptionUse& option) {
  if (option.values.empty()) return option.name;
  if (option.values.size() == 1) return option.name + '=' + written(option.values.front());
  std::string list;
  for (const std::string& value : option.values)
    list += (list.empty() ? "" : ", ") + written(value);
  return option.name + "=[" + list + ']';
}

void register_errors(nb::module_&) {
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void*) {
        try {
          std::rethrow_exception(thrown);
        } catch (const Error& error) {
          const nb::object type = nb::module_::import_("genera._errors").attr("Error");
          const nb::object value =
              type(text_of(in_words(error.problem(), words_of)),
                   text_of(in_words(error.hint(), words_of)), name_of_code(error.code()));
          PyErr_SetObject(type.ptr(), value.ptr());
        }
      },
      nullptr);
}

nb::dict report_of(const Report& report) {
  const EmCourse em = report.em.value_or(EmCourse{});
  const NewtonCourse newton = report.newton.value_or(NewtonCourse{});
  nb::dict to;
  to["outcome"] = name_of_outcome(report.outcome);
  to["iterations"] = report.newton ? newton.iterations : em.iterations;
  to["log_likelihood_first"] = em.log_likelihood_first;
  to["log_likelihood"] = em.log_likelihood;
  to["certainty_first"] = em.certainty_first;
  to["certainty"] = em.certainty;
  to["objective"] = newton.objective;
  to["gradient"] = newton.gradient;
  to["rows"] = report.rows;
  to["dropped_rows"] = report.dropped_rows;
  to["unlabelled_rows"] = report.unlabelled_rows;
  to["unlabelled_left_out"] = report.unlabelled_left_out;
  to["unlabelled_weight"] =
      report.unlabelled_weight ? nb::object(nb::float_(*report.unlabelled_weight)) : nb::none();
  to["missing_numbers"] = report.missing_numbers;
  to["missing_cells"] = report.missing_cells;
  to["columns_left_out"] = list_of(report.columns_left_out);
  to["covariances_moved"] = report.covariances_moved;
  to["variances_raised"] = report.variances_raised;
  to["columns_raised"] = list_of(report.columns_raised);
  to["weak_priors"] = report.weak_priors;
  nb::list notes, warnings;
  for (const Note& note : report.notes)
    (note.kind == Note::Kind::warning ? warnings : notes)
        .append(text_of(in_words(note.text, words_of)));
  to["notes"] = notes;
  to["warnings"] = warnings;
  if (report.calibration) {
    nb::dict calibration;
    calibration["temperature"] = report.calibration->temperature;
    calibration["log_loss_before"] = report.calibration->log_loss_before;
    calibration["log_loss_after"] = report.calibration->log_loss_after;
    calibration["rows"] = report.calibration->rows;
    calibration["folds"] = report.calibration->folds;
    to["calibration"] = calibration;
  } else {
    to["calibration"] = nb::none();
  }
  return to;
}

}  // namespace genera::python
