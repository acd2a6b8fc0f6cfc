#include "options/terms.hpp"

#include "options/model.hpp"
#include "values.hpp"

#include <algorithm>

namespace genera::cli {
namespace {

/// `2`, or `1-3`.
TextOptions::Lengths parse_lengths(const std::string& option, const std::string& text) {
  const std::size_t dash = text.find('-');
  int min = 0, max = 0;
  const bool one = dash == std::string::npos;
  const std::string_view whole(text);
  if (read_whole(whole.substr(0, dash), min) && (one || read_whole(whole.substr(dash + 1), max)))
    return {min, one ? min : max};
  throw Error(Errc::bad_argument, option + " is '" + text + "', expected lengths such as 1-2",
              "give the minimum and the maximum length of a term, as in " + option + " 1-3");
}

}  // namespace

std::vector<OptionText> cutting_texts() {
  return {
      {"--ngrams", "A-B", "terms of text: sequences of A to B words (default: 1)"},
      {"--chars", "A-B", "terms of text: sequences of A to B characters instead of words"},
      {"--hash-bits", "B", "hash terms into 2^B columns named #1, #2, …, which bounds the memory"}};
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
  OptionGroup group{"Categories, counts and text", cutting_texts()};
  for (const OptionSpec& option : model_options())
    if (option.group == OptionSpec::Group::terms) group.options.push_back(option_text(option));
  return group;
}

}  // namespace genera::cli
