#include "fit/em/latent_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fit/em/observed.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "score/scorer.hpp"
#include "sums/summarise.hpp"

namespace genera::fit_detail {
namespace {

using blocks::MissingMode;
using kernel::at;
using kernel::Pattern;
using kernel::PatternPart;

/// Rows of a task: rows with missing values cost more, in particular wide ones.
constexpr Index rows_without = 4096;
Index rows_with_missing(Index columns) {
  constexpr Index cells = 1 << 16, min = 128, max = 1024;
  return std::clamp(cells / columns, min, max);
}

bool is_whole(const Pattern& pattern, Index columns) {
  return std::ssize(pattern.observed) == columns;
}

}  // namespace

/// The result of a task.
struct LatentRows::Part {
  PlanSums sums;  // null: no rows of this block
  double log_likelihood = 0;
  double likeliest = 0;
};

LearnedRows::LearnedRows(const Rows& rows, const Statistics& summary) : all_(rows) {
  // EM needs other sums of sparse entries; without classes, no row is complete.
  if (!rows.data().sparse.empty() || summary.classes().empty()) return;
  summed_ = &summary;
  left_out_ = sums::rows_left_out(rows);
}

ObservedStatistics LearnedRows::observe(const Recipe& recipe, int threads) const {
  sums::ObserveOptions how = observe_options(recipe);
  how.complete = summed_;
  std::vector<Index> others;
  for (Index i = 0; i < all_.count(); ++i)
    if (!is_summed(i)) others.push_back(all_.row(i));
  return sums::observe(all_.only(others), how, {.threads = threads});
}

LatentRows::LatentRows(const LearnedRows& rows, const Plan& plan, const Model& like,
                       double unlabelled_weight, int threads)
    : plan_(plan),
      bound_(std::make_unique<const score::BoundModel>(like, rows.all())),
      unlabelled_weight_(unlabelled_weight),
      complete_{.sums = PlanSums(plan)},
      labelled_weights_(plan.classes.size()) {
  sort_rows(rows);
  run(complete_tasks_, *bound_, threads, complete_);
  complete_.log_likelihood = 0;  // it depends on the model
  complete_tasks_.clear();
}

/// For blocks that read their sums from statistics; null for the others.
PlanSums LatentRows::sums_of(const Statistics* summed) const {
  PlanSums found;
  found.blocks.resize(plan_.blocks.size());
  if (summed == nullptr) return found;
  Statistics of_all_classes = *summed;
  for (const std::string& name : plan_.classes) of_all_classes.of_class(name);
  for (std::size_t b = 0; b < found.blocks.size(); ++b) {
    if (plan_.blocks[b]->complete_rows_are_statistics())
      found.blocks[b] = plan_.blocks[b]->read(of_all_classes);
  }
  return found;
}

void LatentRows::sort_rows(const LearnedRows& learned) {
  const Rows& rows = learned.all();
  const PlanSums read = sums_of(learned.summed());
  complete_.sums.add(read);
  const std::vector<Index> class_of = find_labels(plan_.classes, rows.data().labels.names);
  const auto classes = plan_.classes.size();
  std::vector<Index> unlabelled;
  std::vector<std::vector<std::vector<Index>>> latent(bound_->size()), complete(bound_->size());
  for (std::size_t b = 0; b < bound_->size(); ++b) {
    latent[b].resize(classes);
    complete[b].resize(classes);
  }
  for (Index i = 0; i < rows.count(); ++i) {
    const double weight = rows.weight(rows.row(i));
    if (!(weight > 0)) continue;
    const std::int32_t code = rows.data().labels.empty() ? -1 : rows.data().labels(rows.row(i));
    const Index label = code < 0 ? -1 : class_of[static_cast<std::size_t>(code)];
    const Index row = bound_->rows().row(i);
    if (label < 0) {
      unlabelled.push_back(row);
      complete_.rows.unlabelled += rows.copies(rows.row(i));
      complete_.rows.weight += unlabelled_weight_ * weight;
      continue;
    }
    complete_.rows.weight += weight;
    labelled_weights_[at(label)] += weight;
    const bool summed = learned.is_summed(i);
    for (std::size_t b = 0; b < bound_->size(); ++b) {
      if (summed && read.blocks[b]) continue;
      (bound_->block(b).nothing_latent(row) ? complete : latent)[b][at(label)].push_back(row);
    }
  }
  for (std::size_t b = 0; b < bound_->size(); ++b) {
    for (std::size_t k = 0; k < classes; ++k) {
      const auto label = static_cast<Index>(k);
      const std::span<const Index> columns = bound_->block(b).pattern_columns();
      add_tasks(patterns_of(columns, latent[b][k]), b, label, tasks_);
      add_tasks(patterns_of(columns, complete[b][k]), b, label, complete_tasks_);
    }
  }
  add_tasks(patterns_of(bound_->pattern_columns(), unlabelled), 0, -1, tasks_);
}

std::vector<Pattern> LatentRows::patterns_of(std::span<const Index> columns,
                                             std::span<const Index> rows) const {
  if (rows.empty()) return {};
  const auto cell = [&](Index row, Index column) {
    return bound_->bound_rows().numbers(row, column);
  };
  return kernel::patterns_of(cell, columns, rows);
}

void LatentRows::add_tasks(std::vector<Pattern> patterns, std::size_t block, Index label,
                           std::vector<Task>& to) {
  const Index columns = label < 0 ? std::ssize(bound_->pattern_columns())
                                  : std::ssize(bound_->block(block).pattern_columns());
  const auto keep = [&](std::vector<Pattern> some, Index max) {
    if (some.empty()) return;
    patterns_.push_back(std::make_unique<const std::vector<Pattern>>(std::move(some)));
    for (auto& parts : kernel::tasks_of(*patterns_.back(), max))
      to.push_back({block, label, std::move(parts)});
  };
  std::vector<Pattern> whole, lacking;
  for (Pattern& pattern : patterns) {
    Index copies = 0;
    if (std::ssize(pattern.observed) < columns)
      for (const Index row : pattern.rows) copies += bound_->rows().copies(row);
    complete_.rows.missing_numbers += (columns - std::ssize(pattern.observed)) * copies;
    (is_whole(pattern, columns) ? whole : lacking).push_back(std::move(pattern));
  }
  keep(std::move(whole), rows_without);
  keep(std::move(lacking), rows_with_missing(std::max<Index>(columns, 1)));
}

Expected LatentRows::expect(const Model& model, int threads) const {
  const score::BoundModel bound(model, *bound_);
  Expected expected{.sums = complete_.sums.clone(), .rows = complete_.rows};
  expected.sums.class_weights = labelled_weights_;
  for (std::size_t k = 0; k < labelled_weights_.size(); ++k) {
    if (labelled_weights_[k] > 0)
      expected.log_likelihood += labelled_weights_[k] * model.prior().log()[k];
  }
  for (std::size_t b = 0; b < plan_.blocks.size(); ++b)
    expected.log_likelihood +=
        plan_.blocks[b]->log_likelihood(model.blocks()[b], *complete_.sums.blocks[b]);
  run(tasks_, bound, threads, expected);
  return expected;
}

void LatentRows::run(const std::vector<Task>& tasks, const score::BoundModel& bound, int threads,
                     Expected& to) const {
  std::size_t next = 0;
  kernel::run_in_order(threads, [&]() -> std::optional<kernel::Task> {
    if (next == tasks.size()) return std::nullopt;
    return [&, i = next++]() -> kernel::Finish {
      auto part = std::make_shared<Part>();
      part->sums.blocks.resize(bound.size());
      if (tasks[i].label < 0)
        run_unlabelled(tasks[i], bound, *part);
      else
        run_labelled(tasks[i], bound, *part);
      return [&to, part] {
        to.sums.add(part->sums);
        to.log_likelihood += part->log_likelihood;
        to.likeliest += part->likeliest;
      };
    };
  });
}

/// Calls each block directly: given its class, a row contributes to each block independently.
void LatentRows::run_labelled(const Task& task, const score::BoundModel& bound, Part& to) const {
  const blocks::BoundBlock& block = bound.block(task.block);
  const Index columns = std::ssize(block.pattern_columns());
  const bool whole = is_whole(*task.parts.front().pattern, columns);
  const auto worker = block.block_worker(whole ? MissingMode::none : MissingMode::learned);
  const auto classes = static_cast<Index>(plan_.classes.size());
  to.sums.blocks[task.block] = plan_.blocks[task.block]->no_sums();
  Vector weights;
  for (const PatternPart& part : task.parts) {
    if (whole)
      worker->observe_all();
    else
      worker->observe(part.pattern->observed);
    const Rows rows = bound.rows().only(part.rows);
    weights.assign(at(classes * rows.count()), 0.0);
    for (Index i = 0; i < rows.count(); ++i)
      weights[at(task.label * rows.count() + i)] = rows.weight(rows.row(i));
    to.log_likelihood += worker->expect_likelihood(rows, 0, rows.count(), weights.data(),
                                                   *to.sums.blocks[task.block]);
  }
  worker->finish(*to.sums.blocks[task.block]);
}

/// Scores the rows by all blocks, divides them among the classes, and computes the expectations
/// while the factors are in cache.
void LatentRows::run_unlabelled(const Task& task, const score::BoundModel& bound, Part& to) const {
  const Index columns = std::ssize(bound.pattern_columns());
  const bool whole = is_whole(*task.parts.front().pattern, columns);
  score::Scorer scorer(bound, whole ? MissingMode::none : MissingMode::learned);
  const auto classes = static_cast<Index>(plan_.classes.size());
  for (std::size_t b = 0; b < bound.size(); ++b) to.sums.blocks[b] = plan_.blocks[b]->no_sums();
  to.sums.class_weights.assign(at(classes), 0.0);
  Vector weights, log_density;
  Matrix posterior;
  for (const PatternPart& part : task.parts) {
    const Rows rows = bound.rows().only(part.rows);
    const Index n = rows.count();
    posterior = Matrix(n, classes);
    log_density.assign(at(n), 0.0);
    score::Wanted wanted;
    wanted.posterior = posterior.data();
    wanted.log_density = log_density.data();
    (void)scorer.run(rows, part.pattern->observed, wanted);  // observed.cpp refuses other values
    weights.assign(at(classes * n), 0.0);
    for (Index i = 0; i < n; ++i) {
      const double weight = unlabelled_weight_ * rows.weight(rows.row(i));
      if (weight > 0) to.log_likelihood += weight * log_density[at(i)];
      double max = 0;
      for (Index k = 0; k < classes; ++k) {
        max = std::max(max, posterior(i, k));
        weights[at(k * n + i)] = weight * posterior(i, k);
        to.sums.class_weights[at(k)] += weights[at(k * n + i)];
      }
      to.likeliest += static_cast<double>(rows.copies(rows.row(i))) * max;
    }
    for (std::size_t b = 0; b < bound.size(); ++b)
      scorer.block_worker(b).expect(rows, 0, n, weights.data(), *to.sums.blocks[b]);
  }
  for (std::size_t b = 0; b < bound.size(); ++b) scorer.block_worker(b).finish(*to.sums.blocks[b]);
}

PatternMaps LatentRows::pattern_weights(const Model& model) const {
  const score::BoundModel bound(model, *bound_);
  const std::size_t classes = plan_.classes.size();
  PatternMaps found(bound.size());
  std::vector<Vector> complete(bound.size(), labelled_weights_);
  for (const Task& task : tasks_) {
    if (task.label < 0) {
      weigh_unlabelled(task, bound, found);
      continue;
    }
    for (const PatternPart& part : task.parts) {
      Vector& weights = found[task.block][part.pattern->observed];
      weights.resize(classes);
      for (const Index row : part.rows) {
        weights[at(task.label)] += bound.rows().weight(row);
        complete[task.block][at(task.label)] -= bound.rows().weight(row);
      }
    }
  }
  for (std::size_t b = 0; b < bound.size(); ++b) {
    std::vector<Index> columns(bound.block(b).pattern_columns().size());
    std::iota(columns.begin(), columns.end(), Index{0});
    Vector& whole = found[b][columns];
    whole.resize(classes);
    for (std::size_t k = 0; k < classes; ++k) whole[k] += std::max(0.0, complete[b][k]);
  }
  return found;
}

/// A row with probability p of class k counts as p^2 rows of information about this class.
void LatentRows::weigh_unlabelled(const Task& task, const score::BoundModel& bound,
                                  PatternMaps& to) const {
  const Index columns = std::ssize(bound.pattern_columns());
  const bool whole = is_whole(*task.parts.front().pattern, columns);
  score::Scorer scorer(bound, whole ? MissingMode::none : MissingMode::learned);
  const auto classes = static_cast<Index>(plan_.classes.size());
  for (const PatternPart& part : task.parts) {
    const Rows rows = bound.rows().only(part.rows);
    Matrix posterior(rows.count(), classes);
    score::Wanted wanted;
    wanted.posterior = posterior.data();
    (void)scorer.run(rows, part.pattern->observed, wanted);
    Vector sums(at(classes));
    for (Index i = 0; i < rows.count(); ++i) {
      for (Index k = 0; k < classes; ++k)
        sums[at(k)] +=
            unlabelled_weight_ * rows.weight(rows.row(i)) * posterior(i, k) * posterior(i, k);
    }
    for (std::size_t b = 0; b < bound.size(); ++b) {
      std::vector<Index> own;
      for (const Index column : part.pattern->observed) {
        if (column >= bound.first_pattern_column(b) && column < bound.first_pattern_column(b + 1))
          own.push_back(column - bound.first_pattern_column(b));
      }
      Vector& weights = to[b][std::move(own)];
      weights.resize(at(classes));
      for (std::size_t k = 0; k < sums.size(); ++k) weights[k] += sums[k];
    }
  }
}

}  // namespace genera::fit_detail
