#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/select.hpp>

#include "data.hpp"
#include "errors.hpp"
#include "laboratory.hpp"
#include "plan.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

nb::dict dict_of(const HeldOut& found) {
  nb::dict to;
  to["usable"] = found.usable;
  to["why_not"] = found.why_not;
  to["hint"] = sentence(found.hint);
  to["method"] = found.method == HeldOut::Method::folds ? "folds" : "loo";
  to["rows"] = found.rows;
  to["errors"] = found.errors;
  to["error_rate"] = found.error_rate;
  to["log_loss"] = found.log_loss;
  to["log_loss_se"] = found.log_loss_se;
  to["brier"] = found.brier;
  add_notes(to, found.notes);
  return to;
}

nb::dict dict_of(const Selection& selection, Metric metric) {
  nb::dict to;
  const std::vector<std::size_t> ranking = selection.ranking(metric);
  nb::list candidates, order, behind;
  for (const HeldOut& found : selection.candidates) candidates.append(dict_of(found));
  for (const std::size_t c : ranking) {
    const Selection::Difference difference = selection.difference(c, ranking.front());
    order.append(c);
    behind.append(nb::make_tuple(difference.mean, difference.se));
  }
  to["candidates"] = candidates;
  to["ranking"] = order;
  to["behind"] = behind;  // in the order of the ranking
  to["not_judged"] = selection.not_judged;
  add_notes(to, selection.notes);
  return to;
}

nb::dict select_data(const nb::list& given, const Data& data, const nb::dict& how,
                     const nb::dict& choice, nb::handle threads, const nb::object& tell) {
  const std::vector<Candidate> candidates = candidates_of(given, {});
  SelectOptions options = plan_of(how).select_options();
  const bool loo = nb::cast<bool>(choice["loo"]);
  if (nb::cast<bool>(choice["full_priors"])) options.loo_priors = LooPriors::full;
  const Metric metric = nb::cast<bool>(choice["by_error"]) ? Metric::error : Metric::log_loss;
  const Rows rows = data.view();
  const auto judge = [&](const Control& control) {
    return loo ? leave_one_out(rows, candidates, options, control)
               : cross_validate(rows, candidates, options, control);
  };
  return dict_of(run(Work::lasting, threads_of(threads), tell, judge), metric);
}

}  // namespace

std::string sentence(const Advice& advice) { return in_words(advice, words_of); }

void add_notes(nb::dict& to, const std::vector<Note>& all) {
  nb::list notes, warnings;
  for (const Note& note : all)
    (note.kind == Note::Kind::warning ? warnings : notes).append(sentence(note.text));
  to["notes"] = notes;
  to["warnings"] = warnings;
}

std::vector<Candidate> candidates_of(const nb::list& given, std::span<const Index> keep) {
  std::vector<Candidate> all;
  for (const nb::handle one : given) {
    const nb::tuple parts = nb::cast<nb::tuple>(one);
    const Plan plan = plan_of(nb::cast<nb::dict>(parts[1]));
    if (plan.automatic)
      throw Error(Errc::bad_argument, "auto chooses among models by itself",
                  "name the models, such as \"lda\"");
    Candidate candidate{nb::cast<std::string>(parts[0]), plan.recipe, std::nullopt};
    if (!parts[2].is_none()) {
      const Rows rows = nb::cast<const Data&>(parts[2]).view();
      candidate.rows = keep.empty() ? rows : rows.only(keep);
    }
    all.push_back(std::move(candidate));
  }
  return all;
}

void bind_selection(nb::module_& module) {
  module.def("select", &select_data, nb::arg("candidates"), nb::arg("data"), nb::arg("how"),
             nb::arg("choice"), nb::arg("threads") = nb::none(), nb::arg("tell") = nb::none(),
             "What became of all candidates, and their ranking.");
}

}  // namespace genera::python
