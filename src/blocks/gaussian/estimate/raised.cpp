#include "blocks/gaussian/estimate/raised.hpp"

#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "blocks/gaussian/estimate/estimate.hpp"
#include "kernel/index.hpp"
#include "kernel/text.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// Longer lists of columns do not fit into an option.
constexpr std::size_t max_typed = 20;

/// Whether a column contains only 0 and 1: the mean square equals the mean in every class.
bool is_flag(const GaussianInput& input, std::size_t j) {
  constexpr double rounding = 1e-9;
  for (std::size_t k = 0; k < input.counts.size(); ++k) {
    const Matrix& scatter = input.scatter[k];
    const double mean = input.means(static_cast<Index>(k), static_cast<Index>(j));
    const double square =
        scatter(scatter.rows() > 1 ? static_cast<Index>(j) : 0, static_cast<Index>(j)) /
            input.counts[k] +
        mean * mean;
    if (!(mean >= 0 && mean <= 1 && std::abs(square - mean) <= rounding * square)) return false;
  }
  return true;
}

/// Suggests the binary type for columns of 0 and 1, if the other columns can be estimated alone.
Advice as_binary(const GaussianInput& input, const GaussianOptions& options,
                 const std::set<Index>& flags) {
  if (flags.empty()) return {};
  const bool all = std::ssize(flags) == input.dimension();
  if (!all && !can_estimate(without_columns(input, flags), options, {})) return {};
  if (flags.size() > max_typed)
    return {"use {} for each column of 0 and 1", {{"type", {"COL=binary"}}}};
  OptionUse use{"type"};
  for (const Index j : flags) use.values.push_back(input.columns[at(j)] + "=binary");
  return {"use {}", {use}};
}

/// The smallest prior, as a power of ten rows, with which no variance is on the floor.
Advice sufficient_prior(const GaussianInput& input, const GaussianOptions& options) {
  constexpr double max = 1e9;
  GaussianOptions other = options;
  for (other.variance_prior = 1; other.variance_prior <= max; other.variance_prior *= 10) {
    if (other.variance_prior <= options.variance_prior) continue;
    const auto tried = try_estimate(input, other, {});
    if (tried && tried->report.variances_raised == 0)
      return OptionUse{"variance_prior", {fmt::format("{}", other.variance_prior)}};
  }
  return {};
}

/// `flags`: the columns on the floor that contain only 0 and 1.
Advice remedies_for_floor(const GaussianInput& input, const GaussianOptions& options,
                          const std::set<Index>& flags, bool all_are_flags) {
  Advice binary = as_binary(input, options, flags);
  const Advice prior = sufficient_prior(input, options);
  if (binary.text.empty() && prior.text.empty())
    return "give more rows, or columns that vary within the classes";
  if (binary.text.empty()) return Advice("use ") + prior;
  if (!all_are_flags && flags.size() <= max_typed) binary += " for what is 0 or 1";
  return prior.text.empty() ? binary : binary + ", or " + prior;
}

void add_note(Index raised, Index variances, const std::string& where, Advice remedy,
              Report& report) {
  report.variances_raised += raised;
  report.notes.push_back(
      {Advice(fmt::format("{} of {} variances {} raised to the variance floor{}, which makes "
                          "posteriors too certain: ",
                          raised, variances, raised == 1 ? "is" : "are", where)) +
           std::move(remedy),
       Note::Kind::warning});
}

}  // namespace

void report_raised(const GaussianInput& input, const GaussianOptions& options,
                   const std::vector<Index>& raised, Report& report) {
  const Index total = std::accumulate(raised.begin(), raised.end(), Index{0});
  if (total == 0) return;
  std::vector<std::string> columns;
  std::set<Index> flags;
  for (std::size_t j = 0; j < raised.size(); ++j) {
    if (raised[j] == 0) continue;
    columns.push_back(input.columns[j]);
    if (!input.sparse && is_flag(input, j)) flags.insert(static_cast<Index>(j));
  }
  add_note(total, std::ssize(input.classes) * input.dimension(),
           fmt::format(" ({})", kernel::quoted_list(columns)),
           remedies_for_floor(input, options, flags, flags.size() == columns.size()), report);
  report.columns_raised.insert(report.columns_raised.end(), columns.begin(), columns.end());
}

void report_raised(const GaussianInput& input, const GaussianOptions& options, Index raised,
                   Report& report) {
  if (raised > 0)
    add_note(raised, std::ssize(input.classes), "", remedies_for_floor(input, options, {}, false),
             report);
}

}  // namespace genera::blocks
