#include <cctype>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <genera/random.hpp>

#include "kernel/bytes.hpp"
#include "kernel/word_edges.hpp"

namespace genera::word_edges_test {
namespace {

struct Found {
  std::string lower;
  std::vector<std::size_t> edges;
};

Found found_in(const std::string& text) {
  std::string lower(text.size() + kernel::edge_block, '\xff');
  std::vector<std::size_t> edges(text.size() + kernel::more_edges);
  const std::ptrdiff_t count = kernel::word_edges(text, lower.data(), edges.data());
  EXPECT_GE(count, 0);
  edges.resize(static_cast<std::size_t>(count));
  return {lower.substr(0, text.size()), edges};
}

/// Of all lengths around the blocks that are read at once; every byte is somewhere.
TEST(WordEdges, AreThoseOfAPlainLoop) {
  Rng rng(1);
  for (std::size_t size = 0; size < 300; ++size) {
    std::string text(size, ' ');
    for (char& c : text) c = static_cast<char>(rng.uniform() * 128);
    std::string lower;
    std::vector<std::size_t> edges;
    bool before = false;
    for (std::size_t i = 0; i <= size; ++i) {
      const bool inside =
          i < size && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
      if (inside != before) edges.push_back(i);
      before = inside;
      if (i < size) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    }
    const Found found = found_in(text);
    EXPECT_EQ(found.lower, lower);
    EXPECT_EQ(found.edges, edges) << text;
  }
}

TEST(WordEdges, OfOneLetterWordsAndOfOneLongWordFit) {
  std::string short_words, word(1000, 'A');
  for (int i = 0; i < 500; ++i) short_words += "a ";
  EXPECT_EQ(found_in(short_words).edges.size(), 1000);
  EXPECT_EQ(found_in(word).edges, (std::vector<std::size_t>{0, 1000}));
  EXPECT_EQ(found_in(word).lower, std::string(1000, 'a'));
}

TEST(WordEdges, AreNotSoughtBeyondAscii) {
  for (std::size_t at = 0; at < 200; ++at) {
    std::string text(200, 'a'), lower(300, ' ');
    text[at] = '\x80';
    std::vector<std::size_t> edges(300);
    EXPECT_EQ(kernel::word_edges(text, lower.data(), edges.data()), -1);
  }
}

TEST(CountByte, CountsAllAndNoOthers) {
  for (std::size_t size = 0; size < 5000; size = size * 5 / 4 + 1) {
    std::string text(size, '\n');
    EXPECT_EQ(kernel::count_byte(text.data(), text.data() + size, '\n'), std::ssize(text));
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 37);
    EXPECT_EQ(kernel::count_byte(text.data(), text.data() + size, '\n'),
              std::count(text.begin(), text.end(), '\n'));
  }
}

}  // namespace
}  // namespace genera::word_edges_test
