#include "blocks/documents.hpp"

#include "blocks/counts/kind.hpp"

namespace genera::blocks {

Members CountsKind::to_document(const Block& block) {
  const CountParameters& parameters = block.parameters();
  Members members;
  members["type"] = Value{std::string(name_of(parameters.kind))};
  members["terms"] = texts(parameters.terms);
  if (!parameters.text.empty()) {
    members["text"] = Value{parameters.text};
    members["cut"] = text_document(parameters.text_options);
  }
  members["probabilities"] = rows_of(parameters.probabilities);
  members["smoothing"] = Value{parameters.smoothing};
  if (!parameters.lengths.empty()) members["lengths"] = Value{parameters.lengths};
  return members;
}

/// Blocks of two-level columns are also called bernoulli.
bool CountsKind::reads(const Field& block) {
  return has_type(block, types) && (block["type"].text() != "bernoulli" || !block.has("levels"));
}

CountBlock CountsKind::from_document(const Field& block, const DocumentClasses& classes) {
  using Kind = CountParameters::Kind;
  block.allow_only(
      {"type", "text", "cut", "terms", "probabilities", "smoothing", "lengths", "counts"});
  CountParameters p;
  for (const Kind kind : {Kind::multinomial, Kind::bernoulli}) {
    if (block["type"].text() == name_of(kind)) p.kind = kind;
  }
  p.terms = block["terms"].distinct_texts();
  if (block.has("text")) p.text = block["text"].text();
  if (block.has("cut")) p.text_options = read_text_options(block["cut"]);
  p.probabilities = block["probabilities"].matrix(classes.size(), std::ssize(p.terms));
  p.smoothing = read_smoothing(block);
  if (block.has("lengths")) p.lengths = block["lengths"].numbers(classes.size());
  p.counts = read_counts(block, classes);
  return at_place(place_of(block), [&] { return CountBlock(p); });
}

}  // namespace genera::blocks
