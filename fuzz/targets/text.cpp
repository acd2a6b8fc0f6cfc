// Texts, one in a line, as terms: words and characters in any length, hashed or not; then a model
// of them.
#include "../check.hpp"
#include "../targets.hpp"

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <genera/fit.hpp>
#include <genera/table.hpp>

namespace genera::fuzz {
namespace {

TextOptions some_options(Input& input) {
  TextOptions options;
  const auto min = static_cast<int>(input.choice(5));
  const TextOptions::Lengths lengths{.min = min, .max = min + static_cast<int>(input.choice(4))};
  if (input.choice(2) == 0)
    options.words = lengths;
  else
    options.chars = lengths;
  options.hash_bits = static_cast<int>(input.choice(8));
  return options;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

double total(const SparseColumns& terms) {
  return std::accumulate(terms.values.begin(), terms.values.end(), 0.0);
}

/// A term is already in lower case and cut: as a text it is itself.
void check_terms(const Table& table, const TextOptions& options) {
  const SparseColumns& sparse = table.sparse.front();
  if (options.hash_bits > 0 || options.chars || options.words.min != 1 || options.words.max != 1)
    return;
  const Table again = make_text_table("t", sparse.terms, {}, options);
  require(again.sparse.front().terms == sparse.terms, "a word is a text of one word, itself");
}

void learn(const Table& table, std::uint64_t hash) {
  for (const AnyRecipe& recipe :
       {AnyRecipe(multinomial()), AnyRecipe(bernoulli()), AnyRecipe(complement())}) {
    std::optional<Classifier> model;
    const std::string refused = refusal([&] { model = fit(table, recipe).model; });
    if (!model) continue;
    check_answers(*model, table);
    check_model(*model, hash);
  }
}

}  // namespace

void text(std::string_view bytes) {
  Input input(bytes);
  const TextOptions options = some_options(input);
  const std::vector<std::string> texts = lines_of(input.rest());
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < texts.size(); ++i) labels.emplace_back(i % 2 == 0 ? "a" : "b");
  Table table;
  const std::string refused =
      refusal([&] { table = make_text_table("t", texts, labels, options); });
  if (!refused.empty()) return;
  check_table(table);
  check_terms(table, options);
  TextOptions hashed = options;
  hashed.hash_bits = 3;
  const Table coarse = make_text_table("t", texts, labels, hashed);
  require(total(coarse.sparse.front()) == total(table.sparse.front()),
          "hashing moves terms and loses none");
  learn(table, hash_of(bytes));
}

}  // namespace genera::fuzz
