// Number of training rows needed as the number of columns grows.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/curves.hpp>
#include <genera/sample.hpp>

#include "data/columns.hpp"
#include "evaluate/curve_fits.hpp"
#include "evaluate/judging.hpp"
#include "kernel/rng_purpose.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"

namespace genera {
namespace {

void check_dimensions(const Model& model, const std::vector<Candidate>& candidates,
                      const DimensionOptions& options) {
  const Index max = std::ssize(model.features());
  for (const Column& column : model.features()) {
    if (column.type == ColumnType::text)
      throw Error(Errc::bad_model,
                  fmt::format("'{}' is a text, whose words are not columns", column.name),
                  "draw from a model of numbers or categories");
  }
  for (const Index dimension : options.dimensions) {
    if (dimension < 1 || dimension > max)
      throw Error(
          Errc::bad_argument,
          fmt::format("{} is not a number of columns of the model, which has {}", dimension, max),
          {fmt::format("give {{}} from 1 to {}", max), {{"dimensions"}}});
  }
  if (options.dimensions.empty())
    throw Error(Errc::bad_argument, "no number of columns is given",
                {"give {}", {{"dimensions", {"2", "4", "8"}}}});
  if (!(options.within > 0))
    throw Error(Errc::bad_argument, fmt::format("the distance is {}", options.within),
                {"give {} greater than 0", {{"within"}}});
  for (const Candidate& candidate : candidates) {
    if (candidate.rows)
      throw Error(Errc::bad_argument,
                  fmt::format("'{}' has rows of its own, but rows are drawn", candidate.name),
                  "give recipes only");
  }
}

/// The same rows with their first columns.
Table first_columns(const Table& table, Index count) {
  Table some = table;
  some.columns.resize(kernel::at(count));
  Index numbers = 0, codes = 0;
  for (const Column& column : some.columns) {
    numbers += data::kept_as_number(column.type) ? 1 : 0;
    codes += data::kept_as_code(column.type) ? 1 : 0;
  }
  some.numbers = Matrix(table.rows(), numbers);
  some.codes = Codes(table.rows(), codes);
  some.levels.resize(kernel::at(codes));
  for (Index i = 0; i < table.rows(); ++i) {
    for (Index j = 0; j < numbers; ++j) some.numbers(i, j) = table.numbers(i, j);
    for (Index j = 0; j < codes; ++j) some.codes(i, j) = table.codes(i, j);
  }
  return some;
}

/// Errors on the pool of models learned from the rows `many`.
Vector asymptotic_errors(const std::vector<Candidate>& candidates, const Rows& many,
                         const Rows& pool, int threads) {
  const select_detail::Judged all = select_detail::judged_rows(pool, [](Index) { return false; });
  const curves_detail::Population population{all.classes, all.truths, {}};
  std::vector<Index> everything(kernel::at(pool.count()));
  std::iota(everything.begin(), everything.end(), Index{0});
  Vector errors(candidates.size());
  kernel::parallel_for(std::ssize(candidates), threads, [&](Index c) {
    const auto recipe = curves_detail::for_small_samples(candidates[kernel::at(c)].recipe);
    errors[kernel::at(c)] =
        worth_of(curves_detail::learned(many, recipe, nullptr), pool, population, everything).error;
  });
  return errors;
}

}  // namespace

std::vector<DimensionCurves> dimension_curves(const Model& model,
                                              const std::vector<Candidate>& candidates,
                                              const DimensionOptions& options,
                                              const CurveOptions& curves, const Control& control) {
  check_dimensions(model, candidates, options);
  const Rng rng = kernel::stream_for(kernel::RngPurpose::asymptotes, curves.seed);
  const Table pool = sample(model, options.pool, rng.split(0), {}, {control.threads, {}});
  const Table many =
      sample(model, options.asymptotic_rows, rng.split(1), {}, {control.threads, {}});
  std::vector<DimensionCurves> found;
  for (const Index dimension : options.dimensions) {
    const Table rows = first_columns(pool, dimension);
    DimensionCurves of{.dimension = dimension,
                       .curves = learning_curves(rows, candidates, curves, control)};
    const Vector errors =
        asymptotic_errors(candidates, first_columns(many, dimension), rows, control.threads);
    for (std::size_t c = 0; c < candidates.size(); ++c)
      of.needed.push_back({errors[c], rows_needed(of.curves.curves[c], errors[c] + options.within,
                                                  {.seed = curves.seed})});
    found.push_back(std::move(of));
  }
  return found;
}

}  // namespace genera
