#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <genera/explain.hpp>

#include "kernel/parallel.hpp"
#include "model/joint_table.hpp"
#include "model/level_tables.hpp"
#include "model/marginal.hpp"
#include "model/term_weights.hpp"
#include "query/explain/evidence.hpp"

namespace genera {
namespace {

using query::BoundBlock;
using query::Pair;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// The evidence of one table, row by row.
class Explainer {
 public:
  Explainer(const Model& model, const Table& table, const QueryOptions& options)
      : model_(model), rows_(query::rows_of(model, table)) {
    for (std::size_t b = 0; b < model.blocks().size(); ++b) {
      if (const auto* gaussian = std::get_if<GaussianBlock>(&model.blocks()[b]))
        gaussian_.emplace(b, query::GaussianEvidence(*gaussian));
      if (std::holds_alternative<MixtureBlock>(model.blocks()[b])) {
        const Model alone(model.classes(), Prior::uniform(std::ssize(model.classes())),
                          {model.blocks()[b]});
        mixtures_.emplace(b, log_joint(alone, table, options));
      }
    }
  }

  /// All evidence for best against second.
  std::vector<Evidence> evidence(Index row, Pair pair) const {
    std::vector<Evidence> found;
    for (std::size_t b = 0; b < model_.blocks().size(); ++b) {
      const BoundBlock& columns = rows_.blocks[b];
      if (const auto* block = std::get_if<CategoricalBlock>(&model_.blocks()[b]))
        add(*block, columns, row, pair, found);
      else if (const auto* joint = std::get_if<JointBlock>(&model_.blocks()[b]))
        add(*joint, columns, row, pair, found);
      else if (const auto* counts = std::get_if<CountBlock>(&model_.blocks()[b]))
        add(*counts, columns, row, pair, found);
      else if (const auto* mixture = std::get_if<MixtureBlock>(&model_.blocks()[b]))
        found.push_back({query::mixture_name(*mixture),
                         mixtures_.at(b)(row, pair.best) - mixtures_.at(b)(row, pair.second)});
      else
        with_observed(b, row, [&](const query::GaussianEvidence& known, const Vector& x) {
          known.add(x, pair, found);
        });
    }
    return found;
  }

  [[nodiscard]] double base(Index row, Pair pair) const {
    double sum = 0;
    if (model_.is_density())
      sum = model_.prior().log()[at(pair.best)] - model_.prior().log()[at(pair.second)];
    for (const auto& [b, whole] : gaussian_)
      with_observed(b, row, [&](const query::GaussianEvidence& block, const Vector&) {
        sum += block.base(pair);
      });
    return sum;
  }

 private:
  /// Calls visit(block, x) with what is observed of the block's columns; not at all if nothing is.
  template <class Visit>
  void with_observed(std::size_t b, Index row, Visit visit) const {
    const Vector x = numbers(b, row);
    std::vector<Index> observed;
    Vector there;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (std::isnan(x[j])) continue;
      observed.push_back(static_cast<Index>(j));
      there.push_back(x[j]);
    }
    if (observed.size() == x.size()) return visit(gaussian_.at(b), x);
    if (observed.empty()) return;
    const auto& whole = std::get<GaussianBlock>(model_.blocks()[b]).parameters();
    const GaussianBlock part(detail::marginal(whole, observed));
    visit(query::GaussianEvidence(part), there);
  }

  [[nodiscard]] Vector numbers(std::size_t b, Index row) const {
    const BoundBlock& columns = rows_.blocks[b];
    Vector x;
    for (const Index place : columns.numbers) x.push_back(rows_.numbers(row, place));
    if (!columns.sparse) return x;
    x.resize(at(std::get<GaussianBlock>(model_.blocks()[b]).dimension()));
    each_entry(columns, row, [&](Index term, double value) { x[at(term)] = value; });
    return x;
  }

  template <class Visit>
  void each_entry(const BoundBlock& columns, Index row, Visit visit) const {
    const SparseColumns& sparse = rows_.table->sparse[*columns.sparse];
    for (Index e = sparse.begins[at(row)]; e < sparse.begins[at(row) + 1]; ++e) {
      const std::int32_t term = columns.terms[static_cast<std::size_t>(sparse.places[at(e)])];
      if (term >= 0) visit(Index{term}, sparse.values[at(e)]);
    }
  }

  [[nodiscard]] std::int32_t level(const BoundBlock& columns, Index row, std::size_t j) const {
    const std::int32_t code = rows_.table->codes(row, columns.codes[j]);
    return code < 0 ? -1 : columns.levels[j][static_cast<std::size_t>(code)];
  }

  void add(const CategoricalBlock& block, const BoundBlock& columns, Index row, Pair pair,
           std::vector<Evidence>& to) const {
    const CategoricalParameters& p = block.parameters();
    for (std::size_t j = 0; j < p.columns.size(); ++j) {
      const std::int32_t found = level(columns, row, j);
      if (found < 0) continue;
      const auto logs = block.density().logs(static_cast<Index>(j), found);
      to.push_back({query::level_name(p.columns[j], p.levels[j][static_cast<std::size_t>(found)]),
                    logs[at(pair.best)] - logs[at(pair.second)]});
    }
  }

  void add(const JointBlock& block, const BoundBlock& columns, Index row, Pair pair,
           std::vector<Evidence>& to) const {
    const JointParameters& p = block.parameters();
    std::vector<std::int32_t> cells;
    std::string name;
    for (std::size_t j = 0; j < p.columns.size(); ++j) {
      cells.push_back(level(columns, row, j));
      if (cells.back() < 0) continue;
      name += (name.empty() ? "" : ", ") +
              query::level_name(p.columns[j], p.levels[j][static_cast<std::size_t>(cells.back())]);
    }
    if (name.empty()) return;
    to.push_back({name, block.density().log_probability(pair.best, cells) -
                            block.density().log_probability(pair.second, cells)});
  }

  void add(const CountBlock& block, const BoundBlock& columns, Index row, Pair pair,
           std::vector<Evidence>& to) const {
    const CountParameters& p = block.parameters();
    const bool presence = p.kind == CountParameters::Kind::bernoulli;
    if (columns.sparse) {
      const SparseColumns& sparse = rows_.table->sparse[*columns.sparse];
      if (!sparse.missing.empty() && sparse.missing[at(row)]) return;
    }
    std::vector<std::uint8_t> there(presence ? p.terms.size() : 0);
    double total = 0, missing_best = 0, missing_second = 0;
    const auto visit = [&](Index term, double count) {
      if (count == 0) return;
      if (std::isnan(count)) {
        missing_best += p.probabilities(pair.best, term);
        missing_second += p.probabilities(pair.second, term);
        if (presence) there[at(term)] = 2;
        return;
      }
      total += count;
      if (presence) {
        there[at(term)] = 1;
        return;
      }
      const auto weights = block.density().weights(term);
      to.push_back({query::term_name(model_, p, term),
                    count * (weights[at(pair.best)] - weights[at(pair.second)])});
    };
    if (columns.sparse) {
      each_entry(columns, row, visit);
    } else {
      for (std::size_t j = 0; j < columns.numbers.size(); ++j)
        visit(static_cast<Index>(j), rows_.numbers(row, columns.numbers[j]));
    }
    if (p.kind == CountParameters::Kind::multinomial && missing_best > 0 && total > 0 &&
        missing_best < 1 && missing_second < 1)
      to.push_back(
          {"(missing counts)", total * (std::log1p(-missing_second) - std::log1p(-missing_best))});
    for (Index term = 0; term < std::ssize(there); ++term) {
      if (there[at(term)] == 2) continue;
      const double best = p.probabilities(pair.best, term);
      const double second = p.probabilities(pair.second, term);
      const bool here = there[at(term)] != 0;
      to.push_back(
          {(here ? "" : "!") + query::term_name(model_, p, term),
           here ? std::log(best) - std::log(second) : std::log1p(-best) - std::log1p(-second)});
    }
  }

  const Model& model_;
  query::Rows rows_;
  std::map<std::size_t, query::GaussianEvidence> gaussian_;  // by block
  std::map<std::size_t, Matrix> mixtures_;                   // by block: log densities, n x K
};

Pair best_two(const Answers& said, Index row) {
  const Index best = said.labels[at(row)];
  Index second = -1;
  for (Index k = 0; k < said.log_joint.columns(); ++k) {
    if (k == best) continue;
    if (second < 0 || said.log_joint(row, k) > said.log_joint(row, second)) second = k;
  }
  return {best, second};
}

Explanation explanation(const Model& model, const Explainer& explainer, const Answers& said,
                        Index row, Index most) {
  const Pair pair = best_two(said, row);
  Explanation result{.best = static_cast<std::int32_t>(pair.best),
                     .second = static_cast<std::int32_t>(pair.second)};
  if (pair.second < 0) return result;
  const bool impossible = std::isinf(said.log_joint(row, pair.best));
  result.base = impossible
                    ? model.prior().log()[at(pair.best)] - model.prior().log()[at(pair.second)]
                    : explainer.base(row, pair);
  result.log_odds = result.base;
  if (impossible) return result;
  result.log_odds = said.log_joint(row, pair.best) - said.log_joint(row, pair.second);
  result.evidence = explainer.evidence(row, pair);
  result.rest = query::keep_largest(result.evidence, most, true);
  return result;
}

}  // namespace

std::vector<Explanation> explain(const Model& model, const Table& table, Index most,
                                 const QueryOptions& options) {
  const Answers said = answers(model, table, options);
  const Explainer explainer(model, table, options);
  std::vector<Explanation> explanations(at(table.rows()));
  constexpr Index rows_per_task = 64;
  kernel::parallel_for((table.rows() + rows_per_task - 1) / rows_per_task, options.threads,
                       [&](Index task) {
                         const Index end = std::min(table.rows(), (task + 1) * rows_per_task);
                         for (Index row = task * rows_per_task; row < end; ++row)
                           explanations[at(row)] = explanation(model, explainer, said, row, most);
                       });
  return explanations;
}

}  // namespace genera
