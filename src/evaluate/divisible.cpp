#include "evaluate/divisible.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/columns.hpp"
#include "evaluate/judging.hpp"
#include "kernel/index.hpp"
#include "kernel/text.hpp"
#include "sums/collect.hpp"

namespace genera::curves_detail {

namespace {
using kernel::at;
}

Divisible::Divisible(const Rows& rows, const std::vector<Candidate>& candidates, Missing missing) {
  add(rows);
  for (const Candidate& candidate : candidates)
    source_of_.push_back(candidate.rows ? add(*candidate.rows) : 0);
  const std::vector<Index> used = positions(missing);
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    for (const Index position : used) lists_[s].push_back(sources_[s].row(position));
    sources_[s] = sources_[s].only(lists_[s]);
  }
  list_classes();
}

std::size_t Divisible::add(const Rows& rows) {
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    if (&sources_[s].data() == &rows.data()) return s;
  }
  sources_.push_back(rows);
  lists_.emplace_back();
  return sources_.size() - 1;
}

std::vector<Index> Divisible::positions(Missing missing) {
  std::vector<std::function<bool(Index)>> complete;
  for (const Rows& rows : sources_) complete.push_back(sums::usable_rows(rows, missing));
  std::vector<Index> used;
  const CodesView& labels = sources_[0].data().labels;
  for (Index i = 0; i < sources_[0].count(); ++i) {
    const Index row = sources_[0].row(i);
    bool whole = true;
    for (std::size_t s = 0; s < sources_.size() && missing == Missing::drop; ++s)
      whole = whole && complete[s](sources_[s].row(i));
    if (labels.empty() || labels(row) < 0)
      ++without_label_;
    else if (!(sources_[0].weight(row) > 0))
      ++without_weight_;
    else if (!whole)
      ++incomplete_;
    else
      used.push_back(i);
  }
  return used;
}

void Divisible::list_classes() {
  select_detail::Judged all = select_detail::judged_rows(sources_[0], [](Index) { return false; });
  population_ = {std::move(all.classes), std::move(all.truths), {}};
  population_.counts.resize(population_.classes.size());
  for (const std::int32_t truth : population_.truths) ++population_.counts[at(truth)];
}

bool Divisible::numbers_are_missing() const {
  return std::ranges::any_of(sources_, [](const Rows& rows) {
    const auto complete = sums::usable_rows(rows, Missing::em);
    for (Index i = 0; i < rows.count(); ++i) {
      if (!complete(rows.row(i))) return true;
    }
    return false;
  });
}

std::vector<Note> Divisible::notes() const {
  std::vector<Note> notes;
  const auto note = [&](Index rows, const char* why) {
    if (rows > 0)
      notes.push_back({fmt::format("{} left out: {}", counted(rows, "row is", "rows are"), why)});
  };
  note(without_label_, "without a label");
  note(without_weight_, "of weight 0");
  note(incomplete_, "a value is missing");
  return notes;
}

void check_classes(const Population& population) {
  if (population.classes.size() < 2)
    throw Error(Errc::bad_data,
                population.classes.empty()
                    ? "no row has a label"
                    : fmt::format("there is only one class, '{}': nothing can be told apart",
                                  population.classes.front()),
                {"choose the column of class labels with {}", {{"target"}}});
  std::vector<std::string> single;
  for (std::size_t k = 0; k < population.classes.size(); ++k) {
    if (population.counts[k] == 1) single.push_back(population.classes[k]);
  }
  if (!single.empty())
    throw Error(Errc::bad_data,
                fmt::format("{} {} one row, which cannot be both learned from and tested on",
                            kernel::quoted_list(single), single.size() == 1 ? "has" : "have"),
                {"give more rows, or compare the other classes only with {}", {{"classes"}}});
}

std::vector<Index> sizes_of(const Population& population) {
  const auto n = static_cast<double>(population.rows());
  const auto rarest = static_cast<double>(std::ranges::min(population.counts));
  const Index min = std::max<Index>(10, 2 * std::ssize(population.classes));
  constexpr double likely = 0.5, max = 2000;
  std::vector<Index> sizes;
  for (double power = 10; power <= max; power *= 10) {
    for (const double times : {1., 2., 5.}) {
      const double size = power * times;
      const bool has_all = std::pow(1 - rarest / n, size) <= likely;
      if (size >= static_cast<double>(min) && has_all && 3 * size <= 2 * n && size <= max)
        sizes.push_back(static_cast<Index>(size));
    }
  }
  if (!sizes.empty()) return sizes;
  throw Error(
      Errc::bad_data,
      fmt::format("{} of {} are too few for learning curves", counted(population.rows(), "row"),
                  counted(std::ssize(population.classes), "class", "classes")),
      {"give more rows, or say which {} to try", {{"sizes"}}});
}

std::vector<Index> checked_sizes(std::vector<Index> sizes, const Population& population) {
  if (sizes.empty()) return sizes_of(population);
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  const Index classes = std::ssize(population.classes);
  if (sizes.front() <= classes)
    throw Error(
        Errc::bad_argument,
        fmt::format("{} too few to learn {} from", counted(sizes.front(), "row is", "rows are"),
                    counted(classes, "class", "classes")),
        {fmt::format("give {{}} greater than {}", classes), {{"sizes"}}});
  if (sizes.back() >= population.rows())
    throw Error(Errc::bad_argument,
                fmt::format("a training size of {} leaves none of the {} rows to test on",
                            sizes.back(), population.rows()),
                {fmt::format("give {{}} less than {}", population.rows()), {{"sizes"}}});
  return sizes;
}

void refuse_missing(const std::vector<Candidate>& candidates, const Divisible& divisible) {
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (!is_linear(candidates[c])) continue;
    const CollectOptions collecting{.scatter = Scatter::diagonal, .missing = Missing::em};
    const sums::Pass pass =
        sums::pass_over(divisible.rows_of(c), collecting, sums::Entries::all, {});
    const std::string columns = sums::missing_columns(pass.summary, sums::MissingAmong::all);
    if (columns.empty()) continue;
    throw Error(
        Errc::bad_data,
        fmt::format("{} cannot learn from missing values, in {}", candidates[c].name, columns),
        {"use {} to leave such rows out, or {} to give it the means instead",
         {{"missing", {"drop"}}, {"missing_share", {"0"}}}});
  }
}

void refuse_sparse(const Divisible& divisible) {
  for (const Rows& rows : divisible.sources()) {
    const auto& columns = rows.data().columns;
    const bool cells = std::ranges::any_of(
        columns, [](const Column& column) { return column.type != ColumnType::text; });
    if (cells && !data::sparse_features(rows.data())) continue;
    throw Error(Errc::bad_data,
                "texts and sparse matrices have no cells that could be removed at random",
                {"leave {} out", {{"missing_share"}}});
  }
}

}  // namespace genera::curves_detail
