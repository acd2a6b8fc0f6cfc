#include "blocks/gaussian/estimate/singular.hpp"

#include <cmath>

#include <fmt/format.h>

#include "blocks/gaussian/estimate/shrink_singular.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/text.hpp"

namespace genera::blocks {
namespace {

constexpr std::size_t max_relations = 3;
constexpr std::size_t max_terms = 4;
/// Covariances in one warning; the block contains all amounts.
constexpr std::size_t max_listed = 3;
/// Coefficients below this part of the largest effect are rounding errors.
constexpr double negligible = 1e-6;

const std::string& name(const GaussianInput& input, Index j) {
  return input.columns[static_cast<std::size_t>(j)];
}

std::vector<std::string> names(const GaussianInput& input, const std::vector<Index>& columns) {
  std::vector<std::string> result;
  for (const Index j : columns) result.push_back(name(input, j));
  return result;
}

/// "perimeter = 2 width + 2 height", up to a constant; empty if it has too many terms.
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
    if (++terms > max_terms) return "";
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
  for (std::size_t i = 0; i < rank.dependent.size() && i < max_relations; ++i) {
    const std::string one = relation(input, rank, i, covariance);
    if (!one.empty()) text += (text.empty() ? " (" : "; ") + one;
  }
  return text.empty() ? "" : text + ")";
}

/// "constant there: 'a'; linearly dependent on the others: 'b' (b = 2 c + constant)"
std::string columns_text(const GaussianInput& input, const kernel::Rank& rank,
                         const Matrix& covariance) {
  std::string text;
  if (!rank.constant.empty())
    text += fmt::format("constant there: {}", kernel::quoted_list(names(input, rank.constant)));
  if (!rank.dependent.empty())
    text += fmt::format("{}linearly dependent on the others: {}{}", text.empty() ? "" : "; ",
                        kernel::quoted_list(names(input, rank.dependent)),
                        relations(input, rank, covariance));
  return text;
}

}  // namespace

Error singular_error(const GaussianInput& input, const SingularCase& found,
                     const Advice& remedies) {
  const kernel::Rank rank = kernel::rank_of(found.covariance);
  const std::string what = fmt::format(
      "{}: the covariance is singular, of rank {} in {}; {}", found.whose, rank.independent.size(),
      counted(std::ssize(input.columns), "column"), columns_text(input, rank, found.covariance));
  return {Errc::bad_model, what, remedies};
}

std::string singular_reason(const GaussianInput& input, const Matrix& covariance, double nu) {
  if (cause_of_singularity(covariance, nu) == SingularCause::few_rows)
    return fmt::format("too few rows for {}", counted(std::ssize(input.columns), "column"));
  return columns_text(input, kernel::rank_of(covariance), covariance);
}

void report_shrunk(const std::vector<std::string>& texts, Report& report) {
  if (texts.empty()) return;
  std::string listed;
  for (std::size_t i = 0; i < texts.size() && i < max_listed; ++i)
    listed += (i > 0 ? "; " : "") + texts[i];
  if (texts.size() > max_listed) listed += fmt::format("; and {} more", texts.size() - max_listed);
  report.notes.push_back({fmt::format("singular {} shrunk toward the pooled variances: {}",
                                      texts.size() == 1 ? "covariance" : "covariances", listed),
                          Note::Kind::warning});
}

}  // namespace genera::blocks
