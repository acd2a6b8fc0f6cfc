#include <genera/fit.hpp>

namespace genera {

/// Function words: articles, pronouns, prepositions, conjunctions, auxiliary verbs, and the parts
/// of their contractions before and after an apostrophe ("didn't", "they'll").
const std::vector<std::string>& english_stop_words() {
  static const std::vector<std::string> words{
      "about",      "above",   "after",  "against", "all",   "also",      "am",      "an",
      "and",        "another", "any",    "are",     "aren",  "around",    "as",      "at",
      "be",         "because", "been",   "before",  "being", "below",     "between", "both",
      "but",        "by",      "can",    "cannot",  "could", "couldn",    "did",     "didn",
      "do",         "does",    "doesn",  "don",     "down",  "during",    "each",    "every",
      "few",        "for",     "from",   "had",     "hadn",  "has",       "hasn",    "have",
      "haven",      "having",  "he",     "her",     "here",  "herself",   "him",     "himself",
      "his",        "how",     "if",     "in",      "into",  "is",        "isn",     "it",
      "its",        "itself",  "just",   "ll",      "many",  "may",       "me",      "might",
      "more",       "most",    "much",   "must",    "my",    "myself",    "never",   "no",
      "nor",        "not",     "now",    "of",      "off",   "on",        "one",     "only",
      "or",         "other",   "others", "our",     "ours",  "ourselves", "out",     "over",
      "own",        "re",      "same",   "shall",   "she",   "should",    "shouldn", "since",
      "so",         "some",    "such",   "than",    "that",  "the",       "their",   "them",
      "themselves", "then",    "there",  "these",   "they",  "this",      "those",   "though",
      "through",    "to",      "too",    "under",   "until", "up",        "us",      "ve",
      "very",       "was",     "wasn",   "we",      "were",  "weren",     "what",    "when",
      "where",      "whether", "which",  "while",   "who",   "whom",      "whose",   "why",
      "will",       "with",    "within", "without", "would", "wouldn",    "you",     "your",
      "yours",      "yourself"};
  return words;
}

}  // namespace genera
