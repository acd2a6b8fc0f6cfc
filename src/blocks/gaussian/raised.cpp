#include "blocks/gaussian/raised.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "kernel/text.hpp"

namespace genera::blocks {
namespace {

/// More columns than these are not listed in an option.
constexpr std::size_t most_typed = 8;

/// Whether a column holds nothing but 0 and 1: its mean square is its mean in every class.
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

OptionUse as_binary(const std::vector<std::string>& flags) {
  if (flags.size() > most_typed) return {"type", {"COL=binary"}};
  OptionUse use{"type"};
  for (const std::string& name : flags) use.values.push_back(name + "=binary");
  return use;
}

/// A variance prior, and what flags are if they are not numbers.
Advice cures_for_floor(const GaussianOptions& options, const std::vector<std::string>& flags) {
  Advice cure = options.variance_prior > 0 ? Advice("use a larger {}", {{"variance_prior"}})
                                           : Advice("use {}", {{"variance_prior", {"1"}}});
  if (flags.empty()) return cure;
  return cure + Advice(flags.size() > most_typed ? ", or {} for those of 0 and 1" : ", or {}",
                       {as_binary(flags)});
}

void add_note(Index raised, Index variances, const std::string& where, Advice cure,
              Report& report) {
  report.variances_raised += raised;
  report.notes.push_back(
      {Advice(fmt::format("{} of {} variances {} raised to the variance floor{}, which makes "
                          "posteriors too certain: ",
                          raised, variances, raised == 1 ? "is" : "are", where)) +
           std::move(cure),
       Note::Kind::warning});
}

}  // namespace

void report_raised(const GaussianInput& input, const GaussianOptions& options,
                   const std::vector<Index>& raised, Report& report) {
  const Index total = std::accumulate(raised.begin(), raised.end(), Index{0});
  if (total == 0) return;
  std::vector<std::string> columns, flags;
  for (std::size_t j = 0; j < raised.size(); ++j) {
    if (raised[j] == 0) continue;
    columns.push_back(input.columns[j]);
    if (!input.sparse && is_flag(input, j)) flags.push_back(input.columns[j]);
  }
  add_note(total, std::ssize(input.classes) * input.dimension(),
           fmt::format(" ({})", kernel::quoted_list(columns)), cures_for_floor(options, flags),
           report);
  report.columns_raised.insert(report.columns_raised.end(), columns.begin(), columns.end());
}

void report_raised(const GaussianInput& input, const GaussianOptions& options, Index raised,
                   Report& report) {
  if (raised > 0)
    add_note(raised, std::ssize(input.classes), "", cures_for_floor(options, {}), report);
}

}  // namespace genera::blocks
