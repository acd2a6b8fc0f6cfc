#include "query/committee/committee_tail.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <genera/error.hpp>
#include <genera/sample.hpp>

#include "blocks/kinds.hpp"
#include "data/join_tables.hpp"
#include "kernel/index.hpp"
#include "query/committee/committee_draws.hpp"

namespace genera::query {
namespace {

using kernel::at;

constexpr Index draws_of_tail = 100'000;  // as for a single model
constexpr Index draws_with_missing = 10'000;

void refuse_lengths(const Committee& committee) {
  for (const DensityMember& member : density_members(committee))
    for (const Block& block : member.model->blocks())
      if (blocks::visit(block, [](auto kind, const auto& b) { return kind.row_length(b); }) !=
          blocks::RowLength::none)
        throw Error(Errc::bad_model,
                    "a committee of models of counts has no outlier tail: it is one among rows of "
                    "the same length",
                    {"ask one of its members, or fit a single model ({})", {{"model", {"best"}}}});
}

double share_at_most(const Vector& sorted, double value) {
  const auto count = std::ranges::upper_bound(sorted, value) - sorted.begin();
  return static_cast<double>(1 + count) / static_cast<double>(sorted.size() + 1);
}

}  // namespace

CommitteeTail::CommitteeTail(const Committee& committee, std::uint64_t seed, const Control& control)
    : committee_(committee), control_{control.threads, {}} {
  refuse_lengths(committee);
  // Other draws than those of `sample` with the same seed.
  rows_ = sample(committee, draws_of_tail, Rng(seed).split(1), {}, control);
  complete_ = log_density(committee, rows_, control_);
  std::ranges::sort(complete_);
}

Vector CommitteeTail::of_complete(const Vector& log_density) const {
  Vector tails;
  for (const double density : log_density) tails.push_back(share_at_most(complete_, density));
  return tails;
}

Vector CommitteeTail::operator()(const Rows& rows, const Vector& log_density) const {
  Vector tails = of_complete(log_density);
  for (const score::RowsOfShape& group : score::rows_by_shape(*committee_.leading_model(), rows)) {
    const Vector& drawn = densities_without(group.shape);
    for (const Index row : group.rows) tails[at(row)] = share_at_most(drawn, log_density[at(row)]);
  }
  return tails;
}

const Vector& CommitteeTail::densities_without(const score::RowShape& shape) const {
  const Vector* result = nullptr;
  exclusive_.run([&] {
    const auto known = kept_.find(shape);
    if (known != kept_.end()) {
      result = &known->second;
      return;
    }
    std::vector<Index> first(at(draws_with_missing));
    std::iota(first.begin(), first.end(), Index{0});
    Table some = data::selected(rows_, first);
    for (Index i = 0; i < some.rows(); ++i) {
      for (const Index j : shape.numbers)
        some.numbers(i, j) = std::numeric_limits<double>::quiet_NaN();
      for (const Index j : shape.codes) some.codes(i, j) = -1;
    }
    Vector found = log_density(committee_, some, {.threads = control_.threads});
    std::ranges::sort(found);
    result = &kept_.emplace(shape, std::move(found)).first->second;
  });
  return *result;
}

double CommitteeTail::resolution() const { return 1.0 / static_cast<double>(draws_of_tail + 1); }

double CommitteeTail::resolution_with_missing() const {
  return 1.0 / static_cast<double>(draws_with_missing + 1);
}

}  // namespace genera::query
