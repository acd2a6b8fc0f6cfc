// From tables and views to the rows an engine reads, and what is said when they do not fit.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/parallel.hpp"
#include "kernel/text.hpp"
#include "query/engine.hpp"

namespace genera::query {
namespace {

constexpr Index rows_per_task = 4096;

std::string place(const Rows& rows, Index row) {
  return rows.table ? rows.table->place(row) : fmt::format("row {}", row + 1);
}

[[noreturn]] void refuse_unusable(const Model& model, const Rows& rows) {
  std::vector<Index> missing(rows.places.size());
  Index affected = 0;
  std::string first;
  for (Index i = 0; i < rows.numbers.rows(); ++i) {
    bool complete = true;
    for (std::size_t f = 0; f < rows.places.size(); ++f) {
      const double value = rows.numbers(i, rows.places[f]);
      if (std::isinf(value))
        throw Error(Errc::bad_data,
                    fmt::format("{}: '{}' is infinite", place(rows, i), model.features()[f].name),
                    "replace the value");
      if (!std::isnan(value)) continue;
      if (first.empty()) first = fmt::format("{}: '{}'", place(rows, i), model.features()[f].name);
      ++missing[f];
      complete = false;
    }
    if (!complete) ++affected;
  }
  std::vector<std::string> columns;
  for (std::size_t f = 0; f < missing.size(); ++f) {
    if (missing[f] > 0)
      columns.push_back(fmt::format("'{}' ({})", model.features()[f].name, missing[f]));
  }
  throw Error(Errc::bad_data,
              fmt::format("{} is missing, as are values in {} of the {} rows read with it: {}",
                          first, affected, rows.numbers.rows(), fmt::join(columns, ", ")),
              "fill these cells or leave the rows out: this version needs complete rows");
}

}  // namespace

Rows rows_of(const Model& model, const Table& table) {
  const std::vector<std::string> names = table.number_names();
  Rows rows{table.numbers, {}, &table};
  for (const Column& feature : model.features()) {
    const auto at = std::find(names.begin(), names.end(), feature.name);
    if (at == names.end())
      throw Error(Errc::bad_data, fmt::format("the table has no numeric column '{}'", feature.name),
                  kernel::did_you_mean(feature.name, names, "the model needs all of its features"));
    rows.places.push_back(at - names.begin());
  }
  return rows;
}

Rows rows_of(const Model& model, const MatrixView& numbers) {
  const auto d = static_cast<Index>(model.features().size());
  if (numbers.columns() != d)
    throw Error(
        Errc::bad_argument,
        fmt::format("the rows have {} columns, the model has {} features", numbers.columns(), d),
        "give the features of the model, in its order");
  Rows rows{numbers, std::vector<Index>(static_cast<std::size_t>(d)), nullptr};
  std::iota(rows.places.begin(), rows.places.end(), Index{0});
  return rows;
}

Index run_all(const Model& model, const Rows& rows, const Wanted& wanted, int threads) {
  const Index n = rows.numbers.rows();
  const Index tasks = (n + rows_per_task - 1) / rows_per_task;
  std::atomic<bool> usable = true;
  std::atomic<Index> impossible = 0;
  kernel::parallel_for(tasks, threads, [&](Index task) {
    Engine engine(model, rows.places);
    const RowRange range{task * rows_per_task, std::min(n, (task + 1) * rows_per_task)};
    if (!engine.run(rows.numbers, range, wanted)) usable = false;
    impossible += engine.impossible();
  });
  if (!usable) refuse_unusable(model, rows);
  return impossible;
}

}  // namespace genera::query
