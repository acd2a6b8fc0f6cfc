#include <algorithm>

#include <fmt/format.h>

#include <genera/candidates.hpp>
#include <genera/select.hpp>

namespace genera {
namespace {

Facts candidate(const GridPoint& point, const HeldOut& found) {
  const auto figure = [&](auto value) { return found.usable ? Fact::Value(value) : Fact::Value(); };
  Facts all{
      {"model", point.model}, {"alpha", point.value("alpha")}, {"gamma", point.value("gamma")}};
  for (const auto& [name, value] : point.values)
    if (name != "alpha" && name != "gamma") all.push_back({name, value});
  append(all, {{"log_loss", figure(found.log_loss)},
               {"log_loss_se", figure(found.log_loss_se)},
               {"error_rate", figure(found.error_rate)},
               {"errors", figure(found.errors)},
               {"rows", found.rows},
               {"brier", figure(found.brier)},
               {"method", name_of(found.method)}});
  if (!found.usable) append(all, {{"why_not", found.why_not}, {"hint", found.hint}});
  return all;
}

}  // namespace

std::string_view name_of(HeldOut::Method method) {
  return method == HeldOut::Method::folds ? "folds" : "loo";
}

std::string_view name_of(Metric metric) { return metric == Metric::error ? "error" : "log_loss"; }

Facts facts(const Selection& selection, const std::vector<GridPoint>& points, Metric metric) {
  Fact::List candidates, behind, behind_se;
  for (std::size_t c = 0; c < points.size(); ++c)
    candidates.emplace_back(candidate(points[c], selection.candidates[c]));
  const std::vector<std::size_t> ranking = selection.ranking(metric);
  for (const std::size_t c : ranking) {
    const Selection::Difference difference = selection.difference(c, ranking.front());
    behind.emplace_back(difference.mean);
    behind_se.emplace_back(difference.se);
  }
  return {{"best", ranking.empty() ? Fact::Value() : candidates[ranking.front()]},
          {"metric", name_of(metric)},
          {"not_judged", selection.not_judged},
          {"candidates", std::move(candidates)},
          {"ranking", ranking},
          {"behind", std::move(behind)},
          {"behind_se", std::move(behind_se)}};
}

std::vector<Note> all_notes(const Selection& selection, const std::vector<GridPoint>& points) {
  std::vector<Note> all = selection.notes;
  for (std::size_t c = 0; c < points.size(); ++c) {
    for (Note note : selection.candidates[c].notes) {
      note.text = Advice(points[c].model + ": ") + note.text;
      if (std::ranges::find(all, note) == all.end()) all.push_back(std::move(note));
    }
  }
  if (const Index rows = selection.not_judged; rows > 0)
    all.push_back({fmt::format("{} not judged: without {} the class has no row",
                               counted(rows, "row is", "rows are"), rows == 1 ? "it" : "them"),
                   Note::Kind::warning});
  return all;
}

void require_usable(const Selection& selection, const std::vector<Candidate>& candidates) {
  if (std::ranges::any_of(selection.candidates, &HeldOut::usable)) return;
  const HeldOut& first = selection.candidates.front();
  throw Error(Errc::bad_model,
              "no candidate can be used; of " + candidates.front().name + ": " + first.why_not,
              first.hint);
}

}  // namespace genera
