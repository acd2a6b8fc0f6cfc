// All rows on several threads, and what is said when they cannot be used.
#include <algorithm>
#include <atomic>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/parallel.hpp"
#include "kernel/text.hpp"
#include "query/engine.hpp"

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

[[noreturn]] void refuse_unusable(const Model& model, const Rows& rows) {
  refuse_entries(model, rows);
  const std::vector<Needed> needed = needed_numbers(model, rows);
  std::vector<Index> missing(needed.size());
  Index affected = 0;
  std::string first;
  for (Index i = 0; i < rows.numbers.rows(); ++i) {
    bool complete = true;
    for (std::size_t f = 0; f < needed.size(); ++f) {
      const double value = rows.numbers(i, needed[f].place);
      const bool usable =
          std::isnan(value) || (needed[f].count ? is_count(value) : std::isfinite(value));
      if (!usable) refuse_number(place(rows, i), needed[f].name, value);
      if (!std::isnan(value)) continue;
      if (first.empty()) first = fmt::format("{}: '{}'", place(rows, i), needed[f].name);
      ++missing[f];
      complete = false;
    }
    if (!complete) ++affected;
  }
  std::vector<std::string> columns;
  for (std::size_t f = 0; f < missing.size(); ++f) {
    if (missing[f] > 0) columns.push_back(fmt::format("'{}' ({})", needed[f].name, missing[f]));
  }
  throw Error(Errc::bad_data,
              fmt::format("{} is missing, as are values in {} of the {} rows read with it: {}",
                          first, affected, rows.numbers.rows(), fmt::join(columns, ", ")),
              "fill these cells or leave the rows out: this version needs complete numbers");
}

}  // namespace

Tally run_all(const Model& model, const Rows& rows, const Wanted& wanted, int threads) {
  const Index n = rows.count();
  const Index step = rows_per_task(n, threads);
  const Index tasks = (n + step - 1) / step;
  std::atomic<bool> usable = true;
  std::atomic<Index> impossible = 0;
  std::atomic<Index> unseen = 0;
  kernel::parallel_for(tasks, threads, [&](Index task) {
    Engine engine(model, rows);
    const RowRange range{task * step, std::min(n, (task + 1) * step)};
    if (!engine.run(rows.numbers, range, wanted)) usable = false;
    impossible += engine.impossible();
    unseen += engine.unseen();
  });
  if (!usable) refuse_unusable(model, rows);
  return {impossible, unseen};
}

}  // namespace genera::query
