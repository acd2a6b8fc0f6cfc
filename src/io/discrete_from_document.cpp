#include "io/model_fields.hpp"

#include <cmath>

#include <fmt/format.h>

namespace genera::io {
namespace {

std::vector<std::vector<std::string>> read_levels(const Field& field, Index columns) {
  std::vector<std::vector<std::string>> levels;
  for (const Field& one : field.elements("a list of texts", columns))
    levels.push_back(one.distinct_texts());
  return levels;
}

double read_smoothing(const Field& block) {
  return block.has("smoothing") ? block["smoothing"].number_at_least(0) : 1;
}

Vector read_counts(const Field& block, const Classes& classes) {
  return block.has("counts") ? block["counts"].numbers(classes.size()) : classes.counts;
}

std::string place_of(const Field& block) { return block.file() + ": " + block.path(); }

TextOptions::Lengths read_lengths(const Field& field) {
  const Vector numbers = field.numbers(2);
  const auto whole = [&](double x) {
    if (x != std::floor(x) || std::abs(x) > 1000)
      field.refuse(fmt::format("holds {}, expected a whole number", x),
                   "it holds the least and the largest length of a term");
    return static_cast<int>(x);
  };
  return {whole(numbers[0]), whole(numbers[1])};
}

}  // namespace

TextOptions read_text_options(const Field& field) {
  field.allow_only({"words", "chars", "hash_bits"});
  TextOptions options;
  if (field.has("words")) options.words = read_lengths(field["words"]);
  if (field.has("chars")) options.chars = read_lengths(field["chars"]);
  if (field.has("hash_bits")) {
    const double bits = field["hash_bits"].number_at_least(0);
    if (bits != std::floor(bits) || bits > 1000)
      field["hash_bits"].refuse(fmt::format("is {}, expected a whole number", bits),
                                "it is a number of bits");
    options.hash_bits = static_cast<int>(bits);
  }
  at_place(field.file() + ": " + field.path(), [&] {
    validate(options);
    return 0;
  });
  return options;
}

CategoricalBlock read_categorical(const Field& block, const Classes& classes) {
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

JointBlock read_joint(const Field& block, const Classes& classes) {
  block.allow_only({"type", "features", "levels", "probabilities", "smoothing", "counts"});
  JointParameters p;
  p.columns = block["features"].distinct_texts();
  p.levels = read_levels(block["levels"], std::ssize(p.columns));
  double cells = 1;
  for (const auto& levels : p.levels) cells *= static_cast<double>(levels.size());
  constexpr double most_cells = 1e9;
  if (cells > most_cells)
    block["levels"].refuse(fmt::format("make {:.4g} cells", cells), "no file holds so many");
  p.probabilities = block["probabilities"].matrix(classes.size(), static_cast<Index>(cells));
  p.smoothing = read_smoothing(block);
  p.counts = read_counts(block, classes);
  return at_place(place_of(block), [&] { return JointBlock(p); });
}

CountBlock read_count_block(const Field& block, const Classes& classes) {
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

}  // namespace genera::io
