#include <algorithm>
#include <cmath>

#include "blocks/counts/features.hpp"
#include "blocks/counts/kind.hpp"
#include "blocks/counts/term_weights.hpp"
#include "blocks/describing.hpp"

namespace genera::blocks {
namespace {

std::string meaning_of(const CountParameters& p) {
  const Index terms = std::ssize(p.terms);
  if (p.text.empty()) return counted(terms, "column");
  return fmt::format("{} of '{}'", counted(terms, "term"), p.text);
}

/// The terms whose probabilities differ most between two classes, in the order of the model; ties
/// go to the first.
std::vector<std::size_t> differing_terms(const CountParameters& p, std::size_t count) {
  Vector ranges;
  std::vector<std::size_t> terms;
  for (std::size_t j = 0; j < p.terms.size(); ++j) {
    double low = 1, high = 0;
    for (Index k = 0; k < p.probabilities.rows(); ++k) {
      low = std::min(low, p.probabilities(k, static_cast<Index>(j)));
      high = std::max(high, p.probabilities(k, static_cast<Index>(j)));
    }
    ranges.push_back(high - low);
    terms.push_back(j);
  }
  std::ranges::stable_sort(terms,
                           [&](std::size_t a, std::size_t b) { return ranges[a] > ranges[b]; });
  if (terms.size() > count) terms.resize(count);
  std::ranges::sort(terms);
  return terms;
}

NumberTable table_of(const CountParameters& p, const std::vector<std::string>& classes) {
  constexpr std::size_t max_rows = 60, shown = 20;  // as many as --top usually prints
  const bool some = p.terms.size() > max_rows;
  std::string title = fmt::format("{} ({})", name_of(p.kind), meaning_of(p));
  if (p.kind == CountParameters::Kind::bernoulli) title += ": probability that a row has the term";
  if (some) title += fmt::format(", of the {} terms that differ most between classes", shown);
  NumberTable table{
      .title = std::move(title),
      .remark = {fmt::format("smoothing {}; {{}} shows what separates the classes most",
                             rounded(p.smoothing)),
                 {strongest_features()}}};
  const std::vector<std::size_t> terms = differing_terms(p, some ? shown : max_rows);
  table.columns = classes;
  table.values = Matrix(std::ssize(terms), std::ssize(classes));
  for (std::size_t i = 0; i < terms.size(); ++i) {
    table.rows.push_back(p.terms[terms[i]]);
    for (Index k = 0; k < table.values.columns(); ++k)
      table.values(static_cast<Index>(i), k) = p.probabilities(k, static_cast<Index>(terms[i]));
  }
  return table;
}

Facts facts_of(const CountParameters& p) {
  Facts facts;
  if (!p.text.empty()) facts.push_back({"text", p.text});
  facts.push_back({"terms", p.terms});
  facts.push_back({"smoothing", p.smoothing});
  if (!p.lengths.empty()) facts.push_back({"lengths", p.lengths});
  facts.push_back({"probabilities", p.probabilities});
  return facts;
}

}  // namespace

std::string_view CountsKind::name(const Block& block) { return name_of(block.parameters().kind); }

BlockDescription CountsKind::describe(const Block& block, const std::vector<std::string>& classes) {
  const CountParameters& p = block.parameters();
  return {.type = std::string(name_of(p.kind)),
          .meaning = meaning_of(p),
          .tables = {table_of(p, classes)},
          .facts = facts_of(p)};
}

std::optional<FeatureScores> CountsKind::linear_scores(const Block& block, bool several_texts) {
  const CountParameters& p = block.parameters();
  const genera::detail::TermWeights& weights = block.density();
  FeatureScores scores{.intercepts = weights.base(),
                       .coefficients = Matrix(block.classes(), std::ssize(p.terms))};
  for (Index j = 0; j < std::ssize(p.terms); ++j) {
    scores.names.push_back(count_name(p, present_feature(j), several_texts));
    for (Index k = 0; k < block.classes(); ++k)
      scores.coefficients(k, j) = weights.weights(j)[static_cast<std::size_t>(k)];
  }
  // A row without a term of probability one is impossible in the class.
  for (std::size_t k = 0; k < weights.certain().size(); ++k) {
    if (weights.certain()[k] > 0) scores.intercepts[k] = -HUGE_VAL;
  }
  return scores;
}

ParameterCount CountsKind::free_parameters(const Block& block) {
  return {.probabilities = block.free_parameters()};
}

std::optional<TextOptions> CountsKind::text_options(const Block& block) {
  const CountParameters& p = block.parameters();
  return p.text.empty() ? std::nullopt : std::optional(p.text_options);
}

}  // namespace genera::blocks
