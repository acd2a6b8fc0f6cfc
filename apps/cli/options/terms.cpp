#include "options/terms.hpp"

#include "lists.hpp"
#include "options/model.hpp"
#include "values.hpp"

#include <algorithm>
#include <cctype>

namespace genera::cli {
namespace {

/// `2`, or `1-3`.
TextOptions::Lengths parse_lengths(const std::string& option, const std::string& text) {
  const std::size_t dash = text.find('-');
  int least = 0, most = 0;
  const bool one = dash == std::string::npos;
  const std::string_view whole(text);
  if (read_whole(whole.substr(0, dash), least) && (one || read_whole(whole.substr(dash + 1), most)))
    return {least, one ? least : most};
  throw Error(Errc::bad_argument, option + " is '" + text + "', expected lengths such as 1-2",
              "write the least and the largest length of a term, as in " + option + " 1-3");
}

/// `english`, or a list of words.
std::vector<std::string> parse_stop_words(const std::string& text) {
  if (text == "english") return english_stop_words();
  std::vector<std::string> words = split_list("--stop-words", text);
  for (std::string& word : words)  // terms are in lower case
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
      return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
    });
  return words;
}

}  // namespace

std::vector<OptionText> cutting_texts() {
  return {{"--ngrams", "A-B", "terms of text: so many words in a row (default 1)"},
          {"--chars", "A-B", "terms of text: so many characters in a row, instead of words"},
          {"--hash-bits", "B", "2^B places for all terms, named #1, #2, …: bounds the memory"}};
}

TextOptions text_of(const Words& words) {
  TextOptions text;
  if (words.has("--ngrams") && words.has("--chars"))
    throw Error(Errc::bad_argument, "--ngrams counts words and --chars characters: not both",
                "leave one of them out");
  if (const auto ngrams = words.value("--ngrams")) text.words = parse_lengths("--ngrams", *ngrams);
  if (const auto chars = words.value("--chars")) text.chars = parse_lengths("--chars", *chars);
  constexpr Index too_many_bits = 1000;  // for validate to refuse
  if (const auto bits = words.value("--hash-bits"))
    text.hash_bits =
        static_cast<int>(std::min(too_many_bits, parse_whole_number("--hash-bits", *bits, 0)));
  validate(text);
  return text;
}

OptionGroup terms_texts() {
  OptionGroup group{"Categories, counts and text",
                    {{"--smoothing", "S", "added to every count (default 1; 0: none)"}}};
  for (OptionText& option : cutting_texts()) group.options.push_back(std::move(option));
  group.options.push_back({"--min-count", "N", "leave out terms that occur less often in total"});
  group.options.push_back({"--max-terms", "N", "only the N most frequent terms"});
  group.options.push_back(
      {"--stop-words", "WORDS", "leave out terms with these words: english, or a list"});
  return group;
}

DiscreteOptions discrete_of(const Words& words, const NamedModel& model) {
  DiscreteOptions discrete = model.discrete();
  if (const auto smoothing = words.value("--smoothing"))
    discrete.smoothing = parse_number("--smoothing", *smoothing);
  if (const auto count = words.value("--min-count"))
    discrete.min_count = parse_number("--min-count", *count);
  if (const auto most = words.value("--max-terms"))
    discrete.max_terms = parse_whole_number("--max-terms", *most, 1);
  if (const auto stop = words.value("--stop-words")) discrete.stop_words = parse_stop_words(*stop);
  validate(discrete);
  return discrete;
}

}  // namespace genera::cli
