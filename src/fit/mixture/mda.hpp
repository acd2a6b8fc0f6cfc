#pragma once

#include <optional>
#include <string>
#include <vector>

#include <genera/fit.hpp>

namespace genera::fit_detail {

/// What a mixture for each class is made of.
struct MixtureInput {
  const Table& table;
  const Statistics& statistics;  ///< of its usable rows
  const Recipe& recipe;          ///< with a mixture
  Missing missing;
  const Control& control;
};

/// The mixtures of the numeric columns; nothing if all of them are constant. What was chosen and
/// left out is added to `report`.
[[nodiscard]] std::optional<Block> mixture_block(const MixtureInput& from, Report& report);

}  // namespace genera::fit_detail
