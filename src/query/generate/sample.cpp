#include <genera/sample.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"
#include "query/committee/committee_draws.hpp"
#include "query/generate/draws.hpp"
#include "query/generate/given.hpp"

namespace genera {
namespace {

/// The same row, so many times.
void repeat(const query::ModelRows& one, query::ModelRows& rows) {
  const Table& from = one.table;
  for (Index i = 0; i < rows.table.rows(); ++i) {
    std::ranges::copy(from.numbers.row(0), rows.table.numbers.row(i).begin());
    for (Index j = 0; j < from.codes.columns(); ++j) rows.table.codes(i, j) = from.codes(0, j);
  }
}

/// Few enough that a chunk stays small, written out as text too.
Index chunk_rows(const Model& model) {
  constexpr Index max = 4096, max_cells = 1 << 18, cells_of_a_text = 256;
  Index cells = 0;
  for (const Column& column : model.features())
    cells += column.type == ColumnType::text ? cells_of_a_text : 1;
  return std::clamp<Index>(max_cells / cells, 1, max);
}

void check_count(Index rows) {
  if (rows < 0)
    throw Error(Errc::bad_argument, fmt::format("{} rows are asked for", rows),
                "ask for 0 rows or more");
}

}  // namespace

struct Sampler::State {
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  virtual ~State() = default;
  [[nodiscard]] virtual Table draw(query::DrawRange range, const Rng& rng,
                                   const Control& control) const = 0;
  Index rows_at_once = 0;
};

namespace {

struct OfModel final : public Sampler::State {
  OfModel(const Model& model, const SampleOptions& options)
      : drawer(model, {.length = options.length}),
        known(query::condition_of(model, options)),
        classes(query::class_probabilities(model, known)),
        first(options.first) {
    rows_at_once = chunk_rows(model);
  }

  [[nodiscard]] Table draw(query::DrawRange range, const Rng& rng,
                           const Control& control) const override {
    query::ModelRows rows = drawer.unknown(range.end - range.begin);
    if (known.any_cell) repeat(known.cells, rows);
    const auto stream = [&](Index row) {
      return rng.split(static_cast<std::uint64_t>(first + range.begin + row));
    };
    drawer.complete(rows, {classes, stream}, control);
    return std::move(rows.table);
  }

  query::RowDrawer drawer;
  query::Condition known;
  Matrix classes;
  Index first;
};

struct OfCommittee final : Sampler::State {
  OfCommittee(const Committee& committee, const SampleOptions& options)
      : drawer(committee, options), first(options.first) {
    rows_at_once = chunk_rows(*committee.leading_model());
  }

  [[nodiscard]] Table draw(query::DrawRange range, const Rng& rng,
                           const Control& control) const override {
    return drawer.draw({first + range.begin, first + range.end}, rng, control);
  }

  query::CommitteeDrawer drawer;
  Index first;
};

}  // namespace

Sampler::Sampler(JointRef model, const SampleOptions& options) {
  if (const Committee* committee = model.committee())
    state_ = std::make_unique<const OfCommittee>(*committee, options);
  else
    state_ = std::make_unique<const OfModel>(*model.model(), options);
}
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;
Sampler::~Sampler() = default;

Table Sampler::draw(Index rows, const Rng& rng, const Control& control) const {
  check_count(rows);
  return state_->draw({0, rows}, rng, control);
}

void Sampler::for_each_chunk(Index rows, const Rng& rng, const Control& control,
                             const std::function<std::function<void()>(Table&&)>& work) const {
  check_count(rows);
  kernel::ProgressMeter meter(control, Progress::Task::drawing, rows);
  Index next = 0;
  kernel::run_in_order(control.threads, [&]() -> std::optional<kernel::Task> {
    if (next >= rows) return std::nullopt;
    const query::DrawRange range{next, std::min(rows, next + state_->rows_at_once)};
    next = range.end;
    return [this, range, &rng, &work, &meter]() -> kernel::Finish {
      return [range, &meter, finish = work(state_->draw(range, rng, {}))] {
        finish();
        meter.advance(range.end - range.begin);
      };
    };
  });
}

Table sample(JointRef model, Index n, const Rng& rng, const SampleOptions& options,
             const Control& control) {
  return Sampler(model, options).draw(n, rng, control);
}

}  // namespace genera
