#pragma once

#include <string>

#include <genera/discrete.hpp>

namespace genera::blocks {

/// The features of counts: presence and absence of each term, and one for missing counts.
inline constexpr Index missing_counts_feature = -1;
[[nodiscard]] constexpr Index present_feature(Index term) { return 2 * term; }
[[nodiscard]] constexpr Index absent_feature(Index term) { return 2 * term + 1; }

/// The word, "!word" if absent; with the name of its column if the model has several texts.
[[nodiscard]] inline std::string count_name(const CountParameters& p, Index feature,
                                            bool several_texts) {
  if (feature == missing_counts_feature) return "(missing counts)";
  const std::string mark = feature % 2 == 1 ? "!" : "";
  const std::string column = several_texts && !p.text.empty() ? p.text + ":" : "";
  return mark + column + p.terms[static_cast<std::size_t>(feature / 2)];
}

}  // namespace genera::blocks
