#include <optional>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/stats.hpp>

#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"
#include "sums/collect.hpp"
#include "sums/count_rows.hpp"

namespace genera {
namespace {

using sums::Summary;

constexpr Index rows_per_task = 1 << 14;

void check(const Rows& rows, std::span<const std::int32_t> fold_of, Index folds) {
  if (std::ssize(fold_of) != rows.count())
    throw Error(Errc::bad_argument,
                fmt::format("{} named for {}", counted(std::ssize(fold_of), "fold is", "folds are"),
                            counted(rows.count(), "row")),
                "name the fold of each row");
  for (const std::int32_t fold : fold_of) {
    if (fold >= folds)
      throw Error(Errc::bad_argument, fmt::format("fold {} is not one of {}", fold, folds),
                  "number the folds from 0; a negative number is in none");
  }
}

/// Summary of the positions [begin, end) for each fold.
std::vector<Summary> summaries(const Rows& rows, std::span<const std::int32_t> fold_of, Index folds,
                               const sums::SummaryOptions& options, const Statistics& none,
                               sums::SummaryMemory& memory) {
  std::vector<std::vector<Index>> lists(static_cast<std::size_t>(folds));
  for (Index i = 0; i < rows.count(); ++i) {
    const std::int32_t fold = fold_of[static_cast<std::size_t>(i)];
    if (fold >= 0) lists[static_cast<std::size_t>(fold)].push_back(rows.row(i));
  }
  std::vector<Summary> found;
  for (const std::vector<Index>& list : lists)
    found.push_back(sums::summarise(rows.only(list), options, none, memory));
  return found;
}

}  // namespace

std::vector<Statistics> collect_folds(const Rows& rows, std::span<const std::int32_t> fold_of,
                                      Index folds, const CollectOptions& options,
                                      const Control& control) {
  check(rows, fold_of, folds);
  const sums::SummaryOptions how{
      {options.scatter, options.joint, sums::Entries::all, options.pairs}, options.missing};
  const Statistics none = sums::no_statistics(rows.data(), how.schema);
  sums::SummaryMemory memory;
  std::vector<Summary> totals = summaries(rows.between(0, 0), {}, folds, how, none, memory);
  kernel::ProgressMeter meter(control, Progress::Task::reading, rows.count());
  Index next = 0;
  kernel::run_in_order(control.threads, [&]() -> std::optional<kernel::Task> {
    if (next >= rows.count()) return std::nullopt;
    const Index first = next;
    const Rows chunk = rows.between(first, std::min(first + rows_per_task, rows.count()));
    next += chunk.count();
    const auto own =
        fold_of.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(chunk.count()));
    return [&, chunk, own]() -> kernel::Finish {
      return [&, chunk, parts = summaries(chunk, own, folds, how, none, memory)]() mutable {
        for (std::size_t f = 0; f < parts.size(); ++f) sums::merge(totals[f], std::move(parts[f]));
        meter.advance(chunk.count());
      };
    };
  });
  Summary all = summaries(rows.between(0, 0), {}, 1, how, none, memory).front();
  std::vector<Statistics> statistics;
  for (Summary& total : totals) {
    sums::merge(all, total);
    statistics.push_back(std::move(total.statistics));
  }
  (void)sums::finish({std::move(all), {}},
                     options.missing);  // refuses rows that cannot be used
  return statistics;
}

}  // namespace genera
