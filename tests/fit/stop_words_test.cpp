#include <algorithm>

#include <gtest/gtest.h>

#include <genera/fit.hpp>

#include "data/text/text_terms.hpp"

namespace genera::stop_words_test {
namespace {

TEST(EnglishStopWords, AreSortedAndDistinct) {
  const auto& words = english_stop_words();
  EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

TEST(EnglishStopWords, AreWordsAsTextsAreCutIntoThem) {
  for (const std::string& word : english_stop_words()) {
    data::TermCounter counter({});
    counter.add(word);
    EXPECT_EQ(std::move(counter).take("").terms, std::vector<std::string>{word});
  }
}

TEST(EnglishStopWords, LeaveWhatASentenceIsAbout) {
  const auto& words = english_stop_words();
  data::TermCounter counter({});
  counter.add("They didn't know that the engine of the car would have been in our garage");
  std::vector<std::string> left;
  for (const std::string& term : std::move(counter).take("").terms)
    if (!std::binary_search(words.begin(), words.end(), term)) left.push_back(term);
  EXPECT_EQ(left, (std::vector<std::string>{"know", "engine", "car", "garage"}));
}

}  // namespace
}  // namespace genera::stop_words_test
