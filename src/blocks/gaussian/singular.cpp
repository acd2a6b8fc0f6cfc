#include "blocks/gaussian/singular.hpp"

#include <cmath>

#include <fmt/format.h>

#include "kernel/cholesky.hpp"
#include "kernel/text.hpp"

namespace genera::blocks {
namespace {

constexpr std::size_t most_relations = 3;
constexpr std::size_t most_terms = 4;
/// Coefficients below this part of the largest effect are the rounding of zero.
constexpr double negligible = 1e-6;

const std::string& name(const GaussianInput& input, Index j) {
  return input.columns[static_cast<std::size_t>(j)];
}

std::vector<std::string> names(const GaussianInput& input, const std::vector<Index>& columns) {
  std::vector<std::string> result;
  for (const Index j : columns) result.push_back(name(input, j));
  return result;
}

/// "perimeter = 2 width + 2 height", up to a constant; empty if it would take many terms.
std::string relation(const GaussianInput& input, const kernel::Rank& rank, std::size_t i,
                     const Matrix& covariance) {
  const auto row = rank.relations.row(static_cast<Index>(i));
  const auto sd = [&](Index j) { return std::sqrt(covariance(j, j)); };
  const double scale = sd(rank.dependent[i]);
  std::string text;
  std::size_t terms = 0;
  for (std::size_t p = 0; p < row.size(); ++p) {
    const double effect = row[p] * sd(rank.independent[p]) / scale;
    if (std::abs(effect) < negligible) continue;
    if (++terms > most_terms) return "";
    const std::string sign =
        row[p] < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
    const std::string factor = fmt::format("{:.4g}", std::abs(row[p]));
    text += sign + (factor == "1" ? "" : factor + " ") + name(input, rank.independent[p]);
  }
  return fmt::format("{} = {} + constant", name(input, rank.dependent[i]), text);
}

std::string relations(const GaussianInput& input, const kernel::Rank& rank,
                      const Matrix& covariance) {
  std::string text;
  for (std::size_t i = 0; i < rank.dependent.size() && i < most_relations; ++i) {
    const std::string one = relation(input, rank, i, covariance);
    if (!one.empty()) text += (text.empty() ? " (" : "; ") + one;
  }
  return text.empty() ? "" : text + ")";
}

}  // namespace

Error singular_error(const GaussianInput& input, const SingularCase& found, const Advice& cures) {
  const kernel::Rank rank = kernel::rank_of(found.covariance);
  std::string what =
      fmt::format("{}: the covariance is singular, of rank {} in {}", found.whose,
                  rank.independent.size(), counted(std::ssize(input.columns), "column"));
  if (!rank.constant.empty())
    what += fmt::format("; constant there: {}", kernel::quoted_list(names(input, rank.constant)));
  if (!rank.dependent.empty())
    what += fmt::format("; linearly dependent on the others: {}{}",
                        kernel::quoted_list(names(input, rank.dependent)),
                        relations(input, rank, found.covariance));
  return {Errc::bad_model, what, cures};
}

}  // namespace genera::blocks
