#include "blocks/documents.hpp"

#include <fmt/format.h>

#include "blocks/joint/kind.hpp"

namespace genera::blocks {

Members JointKind::to_document(const Block& block) {
  const JointParameters& parameters = block.parameters();
  Members members;
  members["type"] = Value{"joint"};
  members["features"] = texts(parameters.columns);
  members["levels"] = lists_of_texts(parameters.levels);
  members["probabilities"] = rows_of(parameters.probabilities);
  members["smoothing"] = Value{parameters.smoothing};
  return members;
}

bool JointKind::reads(const Field& block) { return has_type(block, types); }

JointBlock JointKind::from_document(const Field& block, const DocumentClasses& classes) {
  block.allow_only({"type", "features", "levels", "probabilities", "smoothing", "counts"});
  JointParameters p;
  p.columns = block["features"].distinct_texts();
  p.levels = read_levels(block["levels"], std::ssize(p.columns));
  double cells = 1;
  for (const auto& levels : p.levels) cells *= static_cast<double>(levels.size());
  constexpr double max_cells = 1e9;
  if (cells > max_cells)
    block["levels"].refuse(fmt::format("make {:.4g} cells", cells), "give fewer columns or levels");
  p.probabilities = block["probabilities"].matrix(classes.size(), static_cast<Index>(cells));
  p.smoothing = read_smoothing(block);
  p.counts = read_counts(block, classes);
  return at_place(place_of(block), [&] { return JointBlock(p); });
}

}  // namespace genera::blocks
