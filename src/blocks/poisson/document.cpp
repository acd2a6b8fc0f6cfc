#include "blocks/documents.hpp"

#include "blocks/poisson/kind.hpp"

namespace genera::blocks {

Members PoissonKind::to_document(const Block& block) {
  const PoissonParameters& parameters = block.parameters();
  Members members;
  members["type"] = Value{std::string(types.front())};
  members["features"] = texts(parameters.columns);
  members["rates"] = rows_of(parameters.rates);
  members["smoothing"] = Value{parameters.smoothing};
  return members;
}

bool PoissonKind::reads(const Field& block) { return has_type(block, types); }

PoissonBlock PoissonKind::from_document(const Field& block, const DocumentClasses& classes) {
  block.allow_only({"type", "features", "rates", "smoothing", "counts"});
  PoissonParameters p;
  p.columns = block["features"].distinct_texts();
  p.rates = block["rates"].matrix(classes.size(), std::ssize(p.columns));
  p.smoothing = read_smoothing(block);
  p.counts = read_counts(block, classes);
  return at_place(place_of(block), [&] { return PoissonBlock(p); });
}

}  // namespace genera::blocks
