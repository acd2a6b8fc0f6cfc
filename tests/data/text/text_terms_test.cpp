#include "data/text/text_terms.hpp"

#include <cctype>
#include <map>
#include <numeric>
#include <regex>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <genera/discrete.hpp>
#include <genera/error.hpp>
#include <genera/stats.hpp>

namespace genera::data::text_terms_test {
namespace {

using Counts = std::map<std::string, double>;
using Names = std::vector<std::string>;

SparseColumns terms_of(const std::vector<std::string>& rows, const TextOptions& options = {}) {
  TermCounter counter(options);
  for (const std::string& row : rows) counter.add(row);
  return std::move(counter).take("text");
}

Counts counts_of(const SparseColumns& columns, std::size_t row) {
  Counts counts;
  for (auto i = static_cast<std::size_t>(columns.begins[row]);
       i < static_cast<std::size_t>(columns.begins[row + 1]); ++i) {
    const auto& term = columns.terms[static_cast<std::size_t>(columns.places[i])];
    EXPECT_TRUE(counts.emplace(term, columns.values[i]).second) << term << " twice in a row";
  }
  return counts;
}

Counts counts_of(const std::string& text, const TextOptions& options = {}) {
  return counts_of(terms_of({text}, options), 0);
}

double total(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0,
                         [](double sum, const auto& term) { return sum + term.second; });
}

TextOptions chars(int min, int max) { return {.chars = TextOptions::Lengths{min, max}}; }

/// Texts with much of what matters: words, blanks, letters of 2 to 4 bytes, and broken ones.
rc::Gen<std::string> any_text() {
  const auto piece = rc::gen::element<std::string>(
      "a", "Zq", "the", "_", "7", " ", "\t\n", ".", "'", "\u00c9", "\u0301", "\u00a0", "\u023a",
      "\u6771", "\u3000", "\U0001d54f", "\U0001f600", "\xff", "\xc3", "\xe2\x82", "\xed\xa0\x80");
  return rc::gen::map(rc::gen::container<Names>(piece), [](const Names& pieces) {
    return std::accumulate(pieces.begin(), pieces.end(), std::string());
  });
}

RC_GTEST_PROP(Words, OfAsciiAreThoseOfARegularExpression, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::weightedOneOf<char>({{3, rc::gen::inRange<char>('A', 'D')},
                                    {3, rc::gen::inRange<char>('a', 'd')},
                                    {2, rc::gen::element(' ', '_', '9', '-', '\n')},
                                    {1, rc::gen::inRange<char>(0, 127)}}));
  static const std::regex word("[a-z0-9_]{2,}");
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  Counts expected;
  for (std::sregex_iterator it(lower.begin(), lower.end(), word), end; it != end; ++it)
    expected[it->str()] += 1;
  RC_ASSERT(counts_of(text) == expected);
}

TEST(Words, EveryAsciiByteIsInAWordOrApart) {
  for (int c = 0; c < 128; ++c) {
    const auto byte = static_cast<char>(c);
    const bool inside = std::isalnum(c) != 0 || byte == '_';
    const std::string middle(1, static_cast<char>(std::tolower(c)));
    EXPECT_EQ(terms_of({std::string("ab") + byte + "cd"}).terms,
              inside ? Names{"ab" + middle + "cd"} : (Names{"ab", "cd"}))
        << c;
  }
}

TEST(Words, OfOtherScriptsAreThoseOfPython) {  // re.findall(r"(?u)\b\w\w+\b", text.lower()), 3.11
  EXPECT_EQ(terms_of({"Straße ΑΘΗΝΑ ÉCOLE x² Ⅷ_A 東京 ٣٤ naïve№ Ǆungla d'été ½¼ a b"}).terms,
            (Names{"straße", "αθηνα", "école", "x²", "ⅷ_a", "東京", "٣٤", "naïve", "ǆungla", "été",
                   "½¼"}));
}

TEST(Words, AreContinuedByCombiningMarksButNotBegunOrLengthened) {
  EXPECT_EQ(terms_of({"cafe\u0301s \u0301ab e\u0301 हिन्दी"}).terms,
            (Names{"cafe\u0301s", "ab", "हिन्दी"}));
}

TEST(Words, MayGrowInLowerCase) {  // U+023A has 2 bytes, its lower case U+2C65 has 3
  std::string upper, lower;
  for (int i = 0; i < 1000; ++i) {
    upper += "\u023a";
    lower += "\u2c65";
  }
  EXPECT_EQ(terms_of({upper}).terms, Names{lower});
  EXPECT_EQ(terms_of({upper}, chars(1, 1)).terms, Names{"\u2c65"});
}

TEST(Words, AreSeparatedByBytesThatAreNotUtf8) {
  TermCounter counter({});
  for (const char* text : {"ab\xff"
                           "cd",
                           "fine", "caf\xe9 latin", "ab\xc3", "\xc0\x80", "\xed\xa0\x80"})
    counter.add(text);
  EXPECT_EQ(counter.malformed(), 5);
  EXPECT_EQ(std::move(counter).take("").terms, (Names{"ab", "cd", "fine", "caf", "latin"}));
}

TEST(Words, InARowAreJoinedByOneBlank) {
  const SparseColumns columns = terms_of({"To be,  or NOT to be?"}, {.words = {1, 2}});
  EXPECT_EQ(columns.terms, (Names{"to", "to be", "be", "be or", "or", "or not", "not", "not to"}));
  EXPECT_EQ(columns.values, (Vector{2, 2, 2, 1, 1, 1, 1, 1}));
  EXPECT_EQ(terms_of({"one two three"}, {.words = {3, 8}}).terms, Names{"one two three"});
  EXPECT_TRUE(terms_of({"one two"}, {.words = {3, 3}}).terms.empty());
}

TEST(Characters, AreCodePointsWithBlanksSqueezed) {
  EXPECT_EQ(terms_of({" \u00c9t\u00a0 \t\u00c9! "}, chars(2, 3)).terms,
            (Names{"ét", "ét ", "t ", "t é", " é", " é!", "é!"}));
  EXPECT_EQ(terms_of({"a\xff\xfe"
                      "b"},
                     chars(3, 3))
                .terms,
            Names{"a b"});
  EXPECT_TRUE(terms_of({"", " ", "\u3000\n", "\x80"}, chars(1, 2)).terms.empty());
}

TEST(Characters, KnowTheWhiteSpaceOfUnicode) {  // PropList.txt, White_Space
  for (const char* blank : {"\t", "\n", "\v", "\f", "\r", " ", "\u0085", "\u00a0", "\u1680",
                            "\u2000", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"})
    EXPECT_EQ(terms_of({std::string("x") + blank + "y"}, chars(3, 3)).terms, Names{"x y"});
  for (const char* other : {"\x01", "\x1f", "\u200b", "\u2060", "\ufeff"})
    EXPECT_EQ(terms_of({std::string("x") + other + "y"}, chars(3, 3)).terms,
              Names{std::string("x") + other + "y"});
}

RC_GTEST_PROP(Terms, AreAsManyAsThereAreRuns, ()) {
  const std::string text = *any_text();
  const int min = *rc::gen::inRange(1, 5), max = *rc::gen::inRange(min, 9);
  const bool by_chars = *rc::gen::arbitrary<bool>();
  const auto with = [&](int a, int b) {
    return by_chars ? chars(a, b) : TextOptions{.words = {a, b}};
  };
  const double pieces = total(counts_of(text, with(1, 1)));
  double runs = 0;
  for (int n = min; n <= max; ++n) runs += std::max(0.0, pieces - n + 1);
  RC_ASSERT(total(counts_of(text, with(min, max))) == runs);
}

RC_GTEST_PROP(Terms, OfARowDoNotDependOnTheOtherRows, ()) {
  const auto rows = *rc::gen::container<Names>(any_text());
  const TextOptions options = *rc::gen::element(TextOptions{.words = {1, 2}}, chars(1, 3),
                                                TextOptions{.words = {1, 2}, .hash_bits = 8});
  const SparseColumns columns = terms_of(rows, options);
  RC_ASSERT(columns.begins.size() == rows.size() + 1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    RC_ASSERT(counts_of(columns, i) == counts_of(rows[i], options));
  std::int32_t next = 0;  // numbered in the order of first appearance
  for (const std::int32_t place : columns.places) {
    RC_ASSERT(place <= next);
    if (place == next) ++next;
  }
  RC_ASSERT(columns.terms.size() == static_cast<std::size_t>(next));
}

RC_GTEST_PROP(Terms, AreTheSameInTheirOwnLowerCase, ()) {
  const std::string text = *any_text();
  for (const TextOptions& options : {TextOptions{}, chars(1, 1)}) {
    std::string again;
    for (const auto& [term, count] : counts_of(text, options))
      for (int i = 0; i < static_cast<int>(count); ++i) again += term + (options.chars ? "" : " ");
    Counts expected = counts_of(text, options);
    if (options.chars) expected.erase(" ");
    Counts found = counts_of(again, options);
    found.erase(" ");
    RC_ASSERT(found == expected);
  }
}

RC_GTEST_PROP(HashedTerms, AddUpInTheirPlaces, ()) {
  const std::string text = *any_text();
  const int bits = *rc::gen::element(8, 16, 24);
  Counts expected;
  for (const auto& [term, count] : counts_of(text, {.words = {1, 2}}))
    expected["#" + std::to_string(term_hash(term) % (1U << static_cast<unsigned>(bits)))] += count;
  RC_ASSERT(counts_of(text, {.words = {1, 2}, .hash_bits = bits}) == expected);
}

TEST(HashedTerms, HaveTheSamePlacesOnEveryMachine) {  // reckoned in Python from the two definitions
  static_assert(term_hash("foobar") == 0x2c22194922d1672b);
  static_assert(term_hash("") == 0xefd01f60ba992926);
  EXPECT_EQ(terms_of({"FooBar straße"}, {.hash_bits = 24}).terms,
            (Names{"#13723435", "#10476834"}));
  EXPECT_EQ(terms_of({"new york"}, {.words = {2, 2}, .hash_bits = 8}).terms, Names{"#117"});
}

TEST(HashedTerms, AreNoMoreThanThereArePlaces) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(10 + i) + ' ';
  const SparseColumns columns = terms_of({text}, {.hash_bits = 8});
  EXPECT_EQ(columns.terms.size(), 256U);
  EXPECT_EQ(total(counts_of(columns, 0)), 20000);
}

TEST(MissingTexts, AreRowsWithoutTerms) {
  TermCounter counter({});
  counter.add("some words");
  counter.add("");
  counter.add_missing();
  counter.add("words");
  const SparseColumns columns = std::move(counter).take("body");
  EXPECT_EQ(columns.name, "body");
  EXPECT_EQ(columns.begins, (std::vector<Index>{0, 2, 2, 2, 3}));
  EXPECT_EQ(columns.missing, (std::vector<std::uint8_t>{0, 0, 1, 0}));
  EXPECT_TRUE(terms_of({"some", ""}).missing.empty());
}

TEST(NoRows, HaveNoTerms) {
  const SparseColumns columns = terms_of({});
  EXPECT_EQ(columns.begins, std::vector<Index>{0});
  EXPECT_TRUE(columns.terms.empty() && columns.places.empty() && columns.missing.empty());
}

std::string refusal(const TextOptions& options) {
  try {
    validate(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::bad_argument);
    return std::string(error.what()) + " | " + in_words(error.hint());
  }
  return "";
}

TEST(TextOptions, OutOfRangeAreRefused) {
  for (const TextOptions::Lengths lengths : {TextOptions::Lengths{0, 1}, {2, 1}, {1, 9}})
    EXPECT_EQ(refusal({.words = lengths}),
              "terms of " + std::to_string(lengths.min) + " to " + std::to_string(lengths.max) +
                  " words are not possible | give ngrams one length or two, such as 1-2, from 1 "
                  "to 8, the smaller first");
  EXPECT_EQ(refusal(chars(3, 17)),
            "terms of 3 to 17 characters are not possible | give chars one length or two, such "
            "as 3-5, from 1 to 16, the smaller first");
  for (const int bits : {-1, 25})
    EXPECT_EQ(refusal({.hash_bits = bits}),
              "terms cannot be hashed to " + std::to_string(bits) +
                  " bits | give hash_bits a number from 1 to 24, or 0 to keep every term apart");
}

TEST(TextOptions, OfBothWordsAndCharactersAreRefusedWhereverTheyComeFrom) {
  const TextOptions both{.words = {1, 2}, .chars = TextOptions::Lengths{3, 5}};
  const std::string said = "terms are words or characters, not both | leave ngrams or chars out";
  EXPECT_EQ(refusal(both), said);
  const auto refused = [](const auto& make) {
    try {
      make();
    } catch (const Error& error) {
      return std::string(error.what()) + " | " + in_words(error.hint());
    }
    return std::string();
  };
  EXPECT_EQ(refused([&] { (void)make_text_table("t", {"a b"}, {"x"}, both); }), said);
  EXPECT_EQ(refused([&] { RowStream("@iris", {}, {.text = both}); }), said);
  EXPECT_EQ(refused([&] { (void)Statistics(StatisticsSchema{.text = both}); }), said);
  EXPECT_EQ(refused([&] {
              (void)CountBlock({.text = "t",
                                .text_options = both,
                                .terms = {"a"},
                                .probabilities = Matrix(1, 1, 1.0)});
            }),
            said);
}

TEST(TextOptions, AtTheEndsOfTheRangesAreFine) {
  for (const TextOptions& options :
       {TextOptions{}, TextOptions{.words = {1, 8}, .hash_bits = 8},
        TextOptions{.words = {8, 8}, .hash_bits = 24}, chars(1, 16), chars(16, 16)})
    EXPECT_EQ(refusal(options), "");
}

}  // namespace
}  // namespace genera::data::text_terms_test
