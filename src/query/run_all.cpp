// All rows on several threads, and what is said when they cannot be used.
#include <algorithm>
#include <atomic>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/parallel.hpp"
#include "kernel/text.hpp"
#include "query/engine.hpp"
#include "query/missing/incomplete_rows.hpp"

namespace genera::query {
namespace {

/// Few tasks need few engines, many balance the load; answers do not depend on the cut.
Index rows_per_task(Index rows, int threads) {
  constexpr Index least = 1024, most = 16384, tasks_per_thread = 12;
  const Index even = rows / (tasks_per_thread * std::max(1, threads));
  return std::clamp(even / least * least, least, most);
}

std::string place(const Rows& rows, Index row) {
  return rows.table ? rows.table->place(row) : fmt::format("row {}", row + 1);
}

/// The numbers that must be there, with their names.
struct Needed {
  std::string name;
  Index place;
  bool count;
};

std::vector<Needed> needed_numbers(const Model& model, const Rows& rows) {
  std::vector<Needed> needed;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const Block& block = model.blocks()[b];
    const bool numbers = std::holds_alternative<GaussianBlock>(block) ||
                         std::holds_alternative<CountBlock>(block) ||
                         std::holds_alternative<MixtureBlock>(block);
    if (!numbers || rows.blocks[b].sparse) continue;
    const std::vector<Column> features =
        std::visit([](const auto& known) { return known.features(); }, block);
    for (std::size_t f = 0; f < features.size(); ++f)
      needed.push_back(
          {features[f].name, rows.blocks[b].numbers[f], features[f].type == ColumnType::count});
  }
  return needed;
}

[[noreturn]] void refuse_number(const std::string& place, const std::string& name, double value) {
  if (std::isinf(value))
    throw Error(Errc::bad_data, fmt::format("{}: '{}' is infinite", place, name),
                "replace the value");
  throw Error(Errc::bad_data,
              fmt::format("{}: '{}' is {}, which is not a count", place, name, value),
              "counts are numbers of at least 0");
}

/// Entries of sparse columns that are no counts.
void refuse_entries(const Model& model, const Rows& rows) {
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const auto* counts = std::get_if<CountBlock>(&model.blocks()[b]);
    if (!counts || !rows.blocks[b].sparse) continue;
    const SparseColumns& sparse = rows.table->sparse[*rows.blocks[b].sparse];
    for (std::size_t i = 0; i + 1 < sparse.begins.size(); ++i) {
      for (auto e = static_cast<std::size_t>(sparse.begins[i]);
           e < static_cast<std::size_t>(sparse.begins[i + 1]); ++e) {
        const auto term = static_cast<std::size_t>(sparse.places[e]);
        if (rows.blocks[b].terms[term] >= 0 && !is_count(sparse.values[e]))
          refuse_number(place(rows, static_cast<Index>(i)), sparse.terms[term], sparse.values[e]);
      }
    }
  }
}

/// Says what was found: an infinite number, or one that is no count.
[[noreturn]] void refuse_unusable(const Model& model, const Rows& rows) {
  refuse_entries(model, rows);
  const std::vector<Needed> needed = needed_numbers(model, rows);
  for (Index i = 0; i < rows.numbers.rows(); ++i) {
    for (const Needed& one : needed) {
      const double value = rows.numbers(i, one.place);
      const bool usable = std::isnan(value) || (one.count ? is_count(value) : std::isfinite(value));
      if (!usable) refuse_number(place(rows, i), one.name, value);
    }
  }
  throw Error(Errc::bad_data, "the rows cannot be used", "give finite numbers");
}

/// All rows on several threads; complete ones first, which most are.
class Run {
 public:
  Run(const Model& model, const Rows& rows, const Wanted& wanted, int threads)
      : model_(model), rows_(rows), wanted_(wanted), threads_(threads) {}

  void run_complete() {
    const Index n = rows_.count();
    const Index step = rows_per_task(n, threads_);
    const Index tasks = (n + step - 1) / step;
    std::vector<char> failed(static_cast<std::size_t>(tasks));
    kernel::parallel_for(tasks, threads_, [&](Index task) {
      Engine engine(model_, rows_);
      const RowRange range{task * step, std::min(n, (task + 1) * step)};
      if (engine.run(rows_.numbers, range, wanted_))
        tally(engine);
      else
        failed[static_cast<std::size_t>(task)] = 1;
    });
    for (Index task = 0; task < tasks; ++task) {
      if (!failed[static_cast<std::size_t>(task)]) continue;
      for (Index row = task * step; row < std::min(n, (task + 1) * step); ++row)
        left_.push_back(row);
    }
  }

  /// Those of the failed tasks: pattern by pattern. Rows that turn out to be complete are answered
  /// as all complete ones are.
  void run_incomplete() {
    if (left_.empty()) return;
    const std::vector<Index> columns = gaussian_columns(model_, rows_);
    std::vector<kernel::Pattern> complete, lacking;
    for (kernel::Pattern& pattern : kernel::patterns_of(rows_.numbers, columns, left_))
      (pattern.observed.size() == columns.size() ? complete : lacking)
          .push_back(std::move(pattern));
    ask<Engine>(complete, [&](Engine& engine, const kernel::PatternPart& part) {
      return engine.run(rows_.numbers, part.rows, wanted_);
    });
    ask<IncompleteRows>(lacking, [&](IncompleteRows& asked, const kernel::PatternPart& part) {
      return asked.run(rows_.numbers, part.pattern->observed, part.rows, wanted_);
    });
    if (!usable_) refuse_unusable(model_, rows_);
  }

  [[nodiscard]] Tally result() const {
    return {impossible_, unseen_, missing_cells(model_, rows_, left_)};
  }

 private:
  static constexpr Index rows_at_once = 1024;

  /// One `Asked` for each task, whose memory serves all of its patterns.
  template <class Asked, class Ask>
  void ask(const std::vector<kernel::Pattern>& patterns, Ask one) {
    const auto tasks = kernel::tasks_of(patterns, rows_at_once);
    kernel::parallel_for(std::ssize(tasks), threads_, [&](Index i) {
      Asked asked(model_, rows_);
      for (const kernel::PatternPart& part : tasks[static_cast<std::size_t>(i)]) {
        if (!one(asked, part)) usable_ = false;
      }
      tally(asked);
    });
  }

  template <class Asked>
  void tally(const Asked& asked) {
    impossible_ += asked.impossible();
    unseen_ += asked.unseen();
  }

  const Model& model_;
  const Rows& rows_;
  const Wanted& wanted_;
  int threads_;
  std::vector<Index> left_;
  std::atomic<bool> usable_ = true;
  std::atomic<Index> impossible_ = 0;
  std::atomic<Index> unseen_ = 0;
};

}  // namespace

Tally run_all(const Model& model, const Rows& rows, const Wanted& wanted, int threads) {
  Run run(model, rows, wanted, threads);
  run.run_complete();
  run.run_incomplete();
  return run.result();
}

}  // namespace genera::query
