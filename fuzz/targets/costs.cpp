// A matrix of costs as CSV: refused, or decisions under it are those of least expected cost.
#include "../check.hpp"
#include "../targets.hpp"
#include "same_rows.hpp"

#include <array>
#include <cmath>
#include <optional>

#include <genera/decisions.hpp>

namespace genera::fuzz {
namespace {

void check_decisions(const Costs& costs) {
  const Matrix posterior(5, 3, {1, 0, 0, 0, 0, 1, 0.5, 0.25, 0.25, 0.1, 0.2, 0.7, 0, 0.5, 0.5});
  DecisionRule rule{.costs = costs};
  const auto decisions = decide(posterior, rule);
  for (Index i = 0; i < posterior.rows(); ++i) {
    std::array<double, 3> risk{};
    for (Index a = 0; a < 3; ++a)
      for (Index k = 0; k < 3; ++k)
        risk[static_cast<std::size_t>(a)] += posterior(i, k) * costs(k, a);
    const std::int32_t chosen = decisions[static_cast<std::size_t>(i)];
    require(chosen >= 0 && chosen < 3, "a decision is a class");
    const double own = risk[static_cast<std::size_t>(chosen)];
    for (const double other : risk)
      require(!(own > other + 1e-9 * (std::abs(own) + std::abs(other))),
              "the decision has the least expected cost");
  }
  rule.reject = 0.6;
  require(decide(posterior, rule)[2] == -1, "below the threshold nothing is decided");
}

}  // namespace

void costs(std::string_view bytes) {
  const std::vector<std::string> classes{"a", "b", "2"};
  std::optional<Costs> found;
  const std::string refused =
      refusal([&] { found = read_costs(Source::text(bytes, "in"), classes); });
  std::optional<Costs> again;
  const std::string in_parts =
      refusal([&] { again = read_costs(in_pieces(bytes, 3, Source::Format::csv), classes); });
  require(refused == in_parts && found == again, "pieces change nothing of the costs");
  if (found) check_decisions(*found);
}

}  // namespace genera::fuzz
