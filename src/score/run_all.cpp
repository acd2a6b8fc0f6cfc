// Scores all rows on several threads, and reports rows that cannot be scored.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/largest_count.hpp"
#include "kernel/object_pool.hpp"
#include "kernel/parallel.hpp"
#include "kernel/patterns.hpp"
#include "kernel/progress.hpp"
#include "score/far_rows.hpp"
#include "score/scorer.hpp"

namespace genera::score {
namespace {

using blocks::MissingMode;

/// Fewer tasks need fewer scorers, more tasks balance the load; answers do not depend on it.
Index rows_per_task(Index rows, int threads) {
  constexpr Index min = 1024, max = 16384, tasks_per_thread = 12;
  const Index even = rows / (tasks_per_thread * std::max(1, threads));
  return std::clamp(even / min * min, min, max);
}

[[noreturn]] void refuse_number(const std::string& place, const std::string& name, double value) {
  if (std::isinf(value))
    throw Error(Errc::bad_data, fmt::format("{}: '{}' is infinite", place, name),
                "replace the value");
  if (value > data::largest_count)
    throw Error(Errc::bad_data,
                fmt::format("{}: '{}' is {}, which is too large for a count", place, name, value),
                "counts are numbers up to 2^53");
  throw Error(Errc::bad_data,
              fmt::format("{}: '{}' is {}, which is not a count", place, name, value),
              "counts are numbers of at least 0");
}

/// True if a value of a column of this type is valid or missing.
bool is_usable(ColumnType type, double value) {
  if (std::isnan(value) || data::kept_as_code(type)) return true;
  return type == ColumnType::numeric ? std::isfinite(value) : blocks::is_count(value);
}

void check_numbers(const BoundModel& bound, const std::vector<Column>& features,
                   const blocks::Places& places, Index row) {
  for (std::size_t f = 0; f < places.numbers.size(); ++f) {
    const double value = bound.bound_rows().numbers(row, places.numbers[f]);
    if (!is_usable(features[f].type, value))
      refuse_number(bound.rows().place(row), features[f].name, value);
  }
}

void check_entries(const BoundModel& bound, ColumnType type, const blocks::Places& places,
                   Index row) {
  const SparseView& sparse = bound.bound_rows().sparse(places);
  for (Index e = sparse.begin(row); e < sparse.begin(row + 1); ++e) {
    const auto term = static_cast<std::size_t>(sparse.place(e));
    if (places.terms[term] >= 0 && !is_usable(type, sparse.value(e)))
      refuse_number(bound.rows().place(row), sparse.terms[term], sparse.value(e));
  }
}

[[noreturn]] void refuse_missing(LinearModel::Kind kind, const std::string& place,
                                 const std::string& name) {
  throw Error(
      Errc::bad_data,
      fmt::format("{}: '{}' is missing, and {} cannot answer without it", place, name,
                  name_of(kind)),
      {"use a generative model such as {}, which marginalises what is missing, or impute it "
       "first",
       {{"model", {std::string(generative_counterpart(kind))}}}});
}

void check_nothing_missing(const BoundModel& bound) {
  const LinearModel* linear = bound.model().linear();
  if (!linear || !linear->needs_every_cell()) return;
  for (Index i = 0; i < bound.rows().count(); ++i) {
    const Index row = bound.rows().row(i);
    for (std::size_t b = 0; b < bound.size(); ++b) {
      const std::vector<Column> columns = bound.columns(b);
      const blocks::Places& places = bound.places(b);
      for (std::size_t f = 0; f < places.numbers.size(); ++f) {
        if (std::isnan(bound.bound_rows().numbers(row, places.numbers[f])))
          refuse_missing(linear->kind(), bound.rows().place(row), columns[f].name);
      }
      for (std::size_t f = 0; f < places.codes.size(); ++f) {
        if (bound.bound_rows().codes(places.codes[f])(row) < 0)
          refuse_missing(linear->kind(), bound.rows().place(row), columns[f].name);
      }
      if (places.sparse && bound.bound_rows().sparse(places).is_missing(row))
        refuse_missing(linear->kind(), bound.rows().place(row), columns.front().name);
    }
  }
}

/// Throws the error for an infinite number or an invalid count.
[[noreturn]] void refuse_unusable(const BoundModel& bound) {
  check_nothing_missing(bound);
  for (std::size_t b = 0; b < bound.size(); ++b) {
    const std::vector<Column> features = bound.columns(b);
    for (Index i = 0; i < bound.rows().count(); ++i) {
      const Index row = bound.rows().row(i);
      check_numbers(bound, features, bound.places(b), row);
      if (bound.places(b).sparse) check_entries(bound, features.front().type, bound.places(b), row);
    }
  }
  refuse_far_rows(bound);
  throw Error(Errc::bad_data, "the rows cannot be used", "give finite numbers");
}

/// Scores all rows on several threads: first complete rows, which most rows are.
class Run {
 public:
  Run(const BoundModel& bound, const Wanted& wanted, const Control& control)
      : bound_(bound),
        wanted_(wanted),
        threads_(control.threads),
        meter_(control, Progress::Task::answering, bound.rows().count()) {}

  void run_complete() {
    const Index n = bound_.rows().count();
    const Index step = rows_per_task(n, threads_);
    const Index tasks = (n + step - 1) / step;
    std::vector<char> failed(static_cast<std::size_t>(tasks));
    const auto end_of = [&](Index task) { return std::min(n, (task + 1) * step); };
    kernel::ObjectPool<std::unique_ptr<Scorer>> scorers(
        [&] { return std::make_unique<Scorer>(bound_, MissingMode::none); });
    const auto answer = [&](Index task) {
      scorers.use([&](const std::unique_ptr<Scorer>& scorer) {
        const Index impossible = scorer->impossible(), unseen = scorer->unseen();
        if (!scorer->run(task * step, end_of(task), wanted_)) {
          failed[static_cast<std::size_t>(task)] = 1;
          return;
        }
        impossible_ += scorer->impossible() - impossible;
        unseen_ += scorer->unseen() - unseen;
      });
    };
    kernel::parallel_for(tasks, threads_, answer, [&](Index task) {
      const bool left = failed[static_cast<std::size_t>(task)] != 0;
      for (Index row = task * step; left && row < end_of(task); ++row) left_.push_back(row);
      meter_.advance(left ? 0 : end_of(task) - task * step);
    });
  }

  /// Scores the rows of failed tasks, grouped by pattern. Rows that turn out to be complete are
  /// scored like all complete rows.
  void run_incomplete() {
    if (left_.empty()) return;
    const std::span<const Index> columns = bound_.pattern_columns();
    const auto cell = [&](Index position, Index column) {
      return bound_.bound_rows().numbers(bound_.rows().row(position), column);
    };
    std::vector<kernel::Pattern> complete, lacking;
    for (kernel::Pattern& pattern : kernel::patterns_of(cell, columns, left_))
      (pattern.observed.size() == columns.size() ? complete : lacking)
          .push_back(std::move(pattern));
    ask(complete, MissingMode::none);
    ask(lacking, MissingMode::possible);
    if (!usable_) refuse_unusable(bound_);
  }

  [[nodiscard]] Tally result() && { return {impossible_, unseen_, std::move(left_)}; }

 private:
  static constexpr Index rows_at_once = 1024;

  /// One scorer per task, used for all of its patterns.
  void ask(const std::vector<kernel::Pattern>& patterns, MissingMode missing) {
    const auto tasks = kernel::tasks_of(patterns, rows_at_once);
    const auto answer = [&](Index i) {
      Scorer scorer(bound_, missing);
      for (const kernel::PatternPart& part : tasks[static_cast<std::size_t>(i)]) {
        const bool usable = missing == MissingMode::none
                                ? scorer.run(part.rows, wanted_)
                                : scorer.run(part.rows, part.pattern->observed, wanted_);
        if (!usable) usable_ = false;
      }
      tally(scorer);
    };
    kernel::parallel_for(std::ssize(tasks), threads_, answer, [&](Index i) {
      meter_.advance(kernel::rows_of(tasks[static_cast<std::size_t>(i)]));
    });
  }

  void tally(const Scorer& scorer) {
    impossible_ += scorer.impossible();
    unseen_ += scorer.unseen();
  }

  const BoundModel& bound_;
  const Wanted& wanted_;
  int threads_;
  kernel::ProgressMeter meter_;
  std::vector<Index> left_;
  std::atomic<bool> usable_ = true;
  std::atomic<Index> impossible_ = 0;
  std::atomic<Index> unseen_ = 0;
};

}  // namespace

Tally run_all(const BoundModel& bound, const Wanted& wanted, const Control& control) {
  Run run(bound, wanted, control);
  run.run_complete();
  run.run_incomplete();
  return std::move(run).result();
}

std::vector<std::int32_t> run_labels(const BoundModel& bound, const Control& control) {
  std::vector<std::int32_t> labels(static_cast<std::size_t>(bound.rows().count()));
  if (run_all(bound, {.labels = labels.data()}, control).impossible > 0) refuse_far_rows(bound);
  return labels;
}

}  // namespace genera::score
