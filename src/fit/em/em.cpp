#include <genera/em.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/columns.hpp"
#include "data/text/hashed_terms.hpp"
#include "fit/em/finish.hpp"
#include "fit/em/observed.hpp"
#include "fit/em/partitions.hpp"
#include "fit/needs.hpp"
#include "fit/refuse.hpp"
#include "fit/report.hpp"

namespace genera {
namespace {

using fit_detail::EmIteration;
using fit_detail::Expected;
using fit_detail::LatentRows;
using fit_detail::PlanSums;

void validate_for_partitions(const Recipe& recipe, const FitOptions& options, bool sparse_matrix) {
  fit_detail::validate(recipe);
  validate(options);
  if (options.missing != Missing::em)
    throw Error(Errc::bad_argument, "EM learns from rows with missing values",
                {"use {}, or merge statistics of complete rows", {{"missing", {"em"}}}});
  const fit_detail::Needs needs = fit_detail::needs_of(recipe, options.missing, sparse_matrix);
  if (needs.all_rows)
    throw Error(Errc::bad_argument, "mixtures are learned from all rows in one place",
                {"fit from one table, or use {}", {{"model", {"qda"}}}});
  if (needs.every_cell)
    throw Error(Errc::bad_argument,
                "full covariances of a sparse matrix cannot be learned from partitions",
                {"give the columns as numbers, or use {}", {{"model", {"gnb"}}}});
}

/// Identifies the plan: names, and the statistics from which it was made.
std::string key_of(const fit_detail::EmStart& start) {
  std::string bytes;
  const auto add = [&](std::string_view text) { bytes.append(text) += '\0'; };
  for (const std::string& name : start.plan->classes) add(name);
  for (const Column& column : start.model.features()) add(column.name);
  Vector numbers = start.sums.coordinates();
  numbers.push_back(start.unlabelled_weight);
  for (const double x : numbers) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    for (int byte = 0; byte < 8; ++byte) bytes += static_cast<char>(bits >> (8 * byte) & 0xFFU);
  }
  return fmt::format("{:016x}", data::term_hash(bytes));
}

/// The notes that a first pass over all rows would have made.
sums::Pass pass_of(const ObservedStatistics& observed, const FitOptions& options) {
  const StatisticsSchema& schema = observed.labelled.counted.schema();
  sums::Pass pass{.summary = {.statistics = Statistics(schema)}, .notes = {}};
  sums::check_weights(observed.labelled.counted, pass.notes);
  pass.summary.unlabelled_rows = observed.unlabelled_left_out;
  pass.summary.rows = sums::rows_of(observed.labelled.counted) + observed.unlabelled_left_out;
  for (const Column& column : schema.features) {
    const auto found = observed.missing_cells.find(column.name);
    pass.summary.missing_cells.push_back(found == observed.missing_cells.end() ? 0 : found->second);
  }
  fit_detail::leave_out_unlabelled(pass, options);
  sums::note_left_out(pass.summary, pass.notes);
  return pass;
}

/// The rows to learn from; unlabelled rows only if they have a weight.
std::vector<Index> rows_to_learn(const Rows& rows, const fit_detail::EmStart& start) {
  const CodesView& labels = rows.data().labels;
  const std::vector<Index> class_of = find_labels(start.plan->classes, labels.names);
  std::vector<Index> list;
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    const std::int32_t label = labels.empty() ? -1 : labels(row);
    if (!(rows.weight(row) > 0) || (label < 0 && start.unlabelled_weight == 0)) continue;
    if (label >= 0 && class_of[static_cast<std::size_t>(label)] < 0)
      throw Error(Errc::bad_data,
                  fmt::format("{}: the EM plan has no class '{}'", rows.place(row),
                              labels.names[static_cast<std::size_t>(label)]),
                  "make the plan from the statistics of all partitions");
    list.push_back(row);
  }
  return list;
}

void require_model_of(const EmPlan& plan, const Model& model) {
  if (fit_detail::same_parameters(plan.start(), model)) return;
  throw Error(Errc::bad_argument, "the model does not belong to the EM plan",
              "give the model of the EM that was started with this plan");
}

void require_plan(const EmPlan& plan, const std::string& key) {
  if (plan.key() == key) return;
  throw Error(Errc::bad_argument, "the sums belong to another EM plan",
              "make every plan from the same merged statistics, recipe and options");
}

/// Throws if the sums are not those of all rows of the plan.
void require_all_rows(const EmPlan& plan, const ExpectedSums& sums) {
  if (sums.empty())
    throw Error(Errc::bad_argument, "the sums are empty", "merge the sums of all partitions");
  require_plan(plan, sums.state()->plan);
  fit_detail::require_all_rows(sums.weight(), plan.state()->start.weight);
}

/// The sums to start again from if a covariance collapses. Without labelled rows there are none:
/// the labels of the statistics were groups, and no group has complete rows of its own.
const PlanSums* start_sums(const fit_detail::EmStart& start, const Expected& complete) {
  return complete.rows.unlabelled == start.rows ? nullptr : &start.sums;
}

}  // namespace

ObservedStatistics observe(const Rows& rows, const Recipe& recipe, const FitOptions& options,
                           const Control& control) {
  validate_for_partitions(recipe, options, data::sparse_features(rows.data()).has_value());
  sums::ObserveOptions how = fit_detail::observe_options(recipe);
  how.unlabelled = options.uses_unlabelled();
  return sums::observe(rows, how, {.threads = control.threads});
}

EmPlan::EmPlan(const ObservedStatistics& observed, const Recipe& recipe, const FitOptions& options,
               const Control& control) {
  validate_for_partitions(recipe, options,
                          observed.labelled.counted.schema().sparse_matrix.has_value());
  sums::Pass pass = pass_of(observed, options);
  auto start = fit_detail::em_start(observed, recipe, options, control.threads);
  std::string key = key_of(start);
  state_ = std::make_shared<State>(State{.start = std::move(start),
                                         .key = std::move(key),
                                         .pass = std::move(pass),
                                         .divisor = recipe.gaussian.divisor});
}

const Model& EmPlan::start() const { return state_->start.model; }
const std::string& EmPlan::key() const { return state_->key; }

struct EmRows::State {
  State(const EmPlan& of_plan, const Rows& rows, int number_of_threads)
      : plan(of_plan),
        list(rows_to_learn(rows, plan.state()->start)),
        latent(rows.only(list), *plan.state()->start.plan, plan.start(),
               plan.state()->start.unlabelled_weight, number_of_threads),
        threads(number_of_threads) {}

  EmPlan plan;
  std::vector<Index> list;
  LatentRows latent;
  int threads;
};

EmRows::EmRows(const EmPlan& plan, const Rows& rows, const Control& control)
    : state_(std::make_unique<State>(plan, rows, control.threads)) {}
EmRows::EmRows(EmRows&&) noexcept = default;
EmRows& EmRows::operator=(EmRows&&) noexcept = default;
EmRows::~EmRows() = default;

ExpectedSums EmRows::complete() const {
  return ExpectedSums(std::make_unique<ExpectedSums::State>(
      ExpectedSums::State{state_->plan.key(), state_->latent.complete().clone()}));
}

ExpectedSums EmRows::expect(const Model& model) const {
  require_model_of(state_->plan, model);
  return ExpectedSums(std::make_unique<ExpectedSums::State>(
      ExpectedSums::State{state_->plan.key(), state_->latent.expect(model, state_->threads)}));
}

PatternSums EmRows::patterns(const Model& model) const {
  require_model_of(state_->plan, model);
  return PatternSums(std::make_unique<PatternSums::State>(
      PatternSums::State{state_->plan.key(), state_->latent.pattern_weights(model)}));
}

struct Em::State {
  State(EmPlan of_plan, Expected of_complete, int number_of_threads)
      : plan(std::move(of_plan)),
        complete(std::move(of_complete)),
        iteration(*plan.state()->start.plan, plan.start(), complete, {},
                  start_sums(plan.state()->start, complete), number_of_threads),
        threads(number_of_threads) {}

  EmPlan plan;
  Expected complete;
  EmIteration iteration;
  int threads;
  EmStep step{};
  std::optional<Fitted<Model>> last{};  // set once EM is done
};

Em::Em(EmPlan plan, ExpectedSums complete, const Control& control) {
  require_all_rows(plan, complete);
  state_ = std::make_unique<State>(std::move(plan), std::move(complete.state()->expected),
                                   control.threads);
}
Em::Em(Em&&) noexcept = default;
Em& Em::operator=(Em&&) noexcept = default;
Em::~Em() = default;

const Model& Em::model() const {
  return state_->last ? state_->last->model : state_->iteration.model();
}
bool Em::done() const { return state_->last.has_value(); }
const EmStep& Em::step() const { return state_->step; }

bool Em::accept(ExpectedSums expected) {
  if (done()) throw Error(Errc::bad_argument, "EM is done", "take its result");
  require_all_rows(state_->plan, expected);
  const fit_detail::EmStart& start = state_->plan.state()->start;
  return fit_detail::naming_left_out(start.of_plan, [&] {
    const bool step = state_->iteration.accept(std::move(expected.state()->expected));
    state_->step = state_->iteration.step();
    state_->step.iterations_left = state_->iteration.iterations_left();
    if (state_->iteration.done())
      state_->last = fit_detail::last_estimate(start, state_->iteration, state_->threads);
    return step;
  });
}

Fitted<Model> Em::result(const PatternSums& patterns) const {
  if (!done())
    throw Error(Errc::bad_argument, "EM is not done", "accept expected sums until it is");
  const EmPlan::State& plan = *state_->plan.state();
  auto [model, report] = *state_->last;
  if (fit_detail::uses_patterns(*plan.start.plan)) {
    if (patterns.empty())
      throw Error(Errc::bad_argument, "the patterns of the rows are missing",
                  "merge those of all partitions");
    require_plan(state_->plan, patterns.state()->plan);
    model = fit_detail::informed(*plan.start.plan, model, patterns.state()->blocks);
  }
  if (plan.divisor == Divisor::unbiased)  // the report describes the rescaled model
    report.training_log_likelihood.reset();
  report.missing_cells = sums::cells_left_out(plan.pass.summary);
  report.unlabelled_left_out = plan.pass.unlabelled_left_out;
  return fit_detail::with_notes_before(plan.pass.notes,
                                       Fitted<Model>{std::move(model), std::move(report)});
}

}  // namespace genera
