#pragma once

#include <genera/mixture.hpp>

#include <string>

namespace genera::cli {

/// BIC by number of components (rows) and structure (columns), and what was chosen.
[[nodiscard]] std::string cluster_table(const Clustering& clustering);

/// {"best": {...}, "candidates": [{...}, ...]}
[[nodiscard]] std::string cluster_json(const Clustering& clustering);

}  // namespace genera::cli
