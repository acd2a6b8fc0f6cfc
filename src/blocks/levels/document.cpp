#include "blocks/documents.hpp"

#include "blocks/levels/kind.hpp"

namespace genera::blocks {

Members LevelsKind::to_document(const Block& block) {
  const CategoricalParameters& parameters = block.parameters();
  Members members;
  members["type"] = Value{std::string(name_of(parameters.kind))};
  members["features"] = texts(parameters.columns);
  members["levels"] = lists_of_texts(parameters.levels);
  List tables;
  for (const Matrix& table : parameters.probabilities) tables.push_back(rows_of(table));
  members["probabilities"] = Value{std::move(tables)};
  members["smoothing"] = Value{parameters.smoothing};
  return members;
}

bool LevelsKind::reads(const Field& block) {
  return has_type(block, types) && (block["type"].text() != "bernoulli" || block.has("levels"));
}

CategoricalBlock LevelsKind::from_document(const Field& block, const DocumentClasses& classes) {
  block.allow_only({"type", "features", "levels", "probabilities", "smoothing", "counts"});
  CategoricalParameters p;
  p.kind = block["type"].text() == "bernoulli" ? CategoricalParameters::Kind::bernoulli
                                               : CategoricalParameters::Kind::categorical;
  p.columns = block["features"].distinct_texts();
  const Index columns = std::ssize(p.columns);
  p.levels = read_levels(block["levels"], columns);
  const std::vector<Field> tables = block["probabilities"].elements("a list", columns);
  for (std::size_t j = 0; j < tables.size(); ++j)
    p.probabilities.push_back(tables[j].matrix(classes.size(), std::ssize(p.levels[j])));
  p.smoothing = read_smoothing(block);
  p.counts = read_counts(block, classes);
  return at_place(place_of(block), [&] { return CategoricalBlock(p); });
}

}  // namespace genera::blocks
