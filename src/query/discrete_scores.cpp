#include "query/discrete_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/bytes.hpp"
#include "model/joint_table.hpp"
#include "model/level_tables.hpp"
#include "model/term_weights.hpp"

namespace genera::query {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

DiscreteScores::DiscreteScores(const Model& model, const Rows& rows)
    : table_(rows.table),
      classes_(std::ssize(model.classes())),
      hits_(model.classes().size()),
      missing_shares_(model.classes().size()) {
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const Block& block = model.blocks()[b];
    if (std::holds_alternative<GaussianBlock>(block) || std::holds_alternative<MixtureBlock>(block))
      continue;
    blocks_.push_back({&block, &rows.blocks[b]});
    if (const auto* joint = std::get_if<JointBlock>(&block))
      cells_.resize(std::max(cells_.size(), joint->parameters().columns.size()));
  }
}

bool DiscreteScores::add(const MatrixView& numbers, Index row, double* scores) {
  bool usable = true;
  for (const Bound& bound : blocks_) {
    if (const auto* categorical = std::get_if<CategoricalBlock>(bound.block))
      add(*categorical, *bound.columns, numbers, row, scores);
    if (const auto* joint = std::get_if<JointBlock>(bound.block))
      add(*joint, *bound.columns, numbers, row, scores);
    if (const auto* counts = std::get_if<CountBlock>(bound.block))
      usable = add(*counts, *bound.columns, numbers, row, scores) && usable;
  }
  return usable;
}

std::int32_t DiscreteScores::level(const BoundBlock& columns, const MatrixView& numbers, Index row,
                                   std::size_t j, Index levels) {
  std::int32_t found = -1;
  if (columns.codes.empty()) {
    const double number = numbers(row, columns.numbers[j]);
    if (std::isnan(number)) return -1;
    const bool known =
        number >= 0 && number < static_cast<double>(levels) && number == std::floor(number);
    found = known ? static_cast<std::int32_t>(number) : -1;
  } else {
    const std::int32_t code = table_->codes(row, columns.codes[j]);
    if (code < 0) return -1;
    found = columns.levels[j][static_cast<std::size_t>(code)];
  }
  if (found < 0) ++unseen_;
  return found;
}

void DiscreteScores::add(const CategoricalBlock& block, const BoundBlock& columns,
                         const MatrixView& numbers, Index row, double* scores) {
  const detail::LevelTables& tables = block.density();
  for (Index j = 0; j < tables.columns(); ++j) {
    const std::int32_t found = level(columns, numbers, row, at(j), tables.levels(j));
    if (found < 0) continue;
    const double* logs = tables.logs(j, found).data();
    for (Index k = 0; k < classes_; ++k) scores[k] += logs[k];
  }
}

void DiscreteScores::add(const JointBlock& block, const BoundBlock& columns,
                         const MatrixView& numbers, Index row, double* scores) {
  const detail::JointTable& table = block.density();
  const std::span<std::int32_t> cells(cells_.data(), at(table.columns()));
  for (Index j = 0; j < table.columns(); ++j)
    cells[at(j)] = level(columns, numbers, row, at(j), table.levels(j));
  for (Index k = 0; k < classes_; ++k) scores[k] += table.log_probability(k, cells);
}

template <class Visit>
void DiscreteScores::each_term(const BoundBlock& columns, const MatrixView& numbers, Index row,
                               Visit visit) const {
  if (!columns.sparse) {
    for (std::size_t j = 0; j < columns.numbers.size(); ++j) {
      const double count = numbers(row, columns.numbers[j]);
      if (count != 0 && !std::isnan(count)) visit(static_cast<Index>(j), count);
    }
    return;
  }
  const SparseColumns& sparse = table_->sparse[*columns.sparse];
  for (auto e = at(sparse.begins[at(row)]); e < at(sparse.begins[at(row) + 1]); ++e) {
    const std::int32_t term = columns.terms[static_cast<std::size_t>(sparse.places[e])];
    if (term >= 0) visit(Index{term}, sparse.values[e]);
  }
}

void DiscreteScores::ask_for_weights(const BoundBlock& columns, const detail::TermWeights& density,
                                     Index row) const {
  constexpr Index doubles_of_a_line = 8;
  const SparseColumns& sparse = table_->sparse[*columns.sparse];
  for (auto e = at(sparse.begins[at(row)]); e < at(sparse.begins[at(row) + 1]); ++e) {
    const std::int32_t term = columns.terms[static_cast<std::size_t>(sparse.places[e])];
    for (Index k = 0; term >= 0 && k < classes_; k += doubles_of_a_line)
      kernel::prefetch(density.weights(term).data() + k);
  }
}

/// Columns whose count is missing: their share is taken out of the probabilities of the others,
/// whose sum is all that is known of the length; or nothing is said of their presence.
void DiscreteScores::leave_out_missing(const CountBlock& block, const BoundBlock& columns,
                                       const CountedRow& counted, double* scores) {
  const CountParameters& p = block.parameters();
  std::fill(missing_shares_.begin(), missing_shares_.end(), 0.0);
  bool any = false;
  for (std::size_t j = 0; j < columns.numbers.size(); ++j) {
    if (!std::isnan(counted.numbers(counted.row, columns.numbers[j]))) continue;
    any = true;
    for (Index k = 0; k < classes_; ++k) {
      const double probability = p.probabilities(k, static_cast<Index>(j));
      const bool is_certain = p.kind == CountParameters::Kind::bernoulli && probability == 1;
      if (is_certain)
        ++hits_[at(k)];
      else if (p.kind == CountParameters::Kind::bernoulli)
        scores[k] -= std::log1p(-probability);
      else
        missing_shares_[at(k)] += probability;
    }
  }
  if (!any || p.kind != CountParameters::Kind::multinomial || counted.total == 0) return;
  for (Index k = 0; k < classes_; ++k) {
    const double share = std::min(1.0, missing_shares_[at(k)]);
    if (share < 1) scores[k] -= counted.total * std::log1p(-share);
  }
}

bool DiscreteScores::add(const CountBlock& block, const BoundBlock& columns,
                         const MatrixView& numbers, Index row, double* scores) {
  const detail::TermWeights& density = block.density();
  if (columns.sparse) {
    const SparseColumns& sparse = table_->sparse[*columns.sparse];
    if (!sparse.missing.empty() && sparse.missing[at(row)]) return true;
  }
  const bool certain = !density.certain().empty();
  if (certain) std::fill(hits_.begin(), hits_.end(), Index{0});
  bool usable = true;
  double total = 0;
  if (columns.sparse) ask_for_weights(columns, density, row);
  each_term(columns, numbers, row, [&](Index term, double count) {
    usable = usable && (density.only_presence() ? std::isfinite(count) : is_count(count));
    const double x = density.only_presence() ? 1 : count;
    total += x;
    const double* weights = density.weights(term).data();
    for (Index k = 0; k < classes_; ++k) scores[k] += x * weights[k];
    for (Index k = 0; certain && k < classes_; ++k) hits_[at(k)] += density.is_certain(k, term);
  });
  if (!columns.sparse) leave_out_missing(block, columns, {numbers, row, total}, scores);
  for (Index k = 0; k < classes_; ++k) {
    scores[k] += density.base()[at(k)];
    if (certain && hits_[at(k)] < density.certain()[at(k)]) scores[k] = -infinity;
  }
  return usable;
}

double DiscreteScores::log_coefficient(const MatrixView& numbers, Index row) const {
  double sum = 0;
  for (const Bound& bound : blocks_) {
    const auto* counts = std::get_if<CountBlock>(bound.block);
    if (!counts || !counts->density().has_coefficient()) continue;
    detail::LogCoefficient coefficient;
    each_term(*bound.columns, numbers, row, [&](Index, double x) { coefficient.add(x); });
    sum += coefficient.value();
  }
  return sum;
}

}  // namespace genera::query
