#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <genera/error.hpp>
#include <genera/stream.hpp>

namespace genera::builtin_test {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(BuiltinDatasets, EqualTheirFilesByteForByte) {
  for (const BuiltinDataset& set : builtin_datasets()) {
    const std::string file = bytes_of(GENERA_DATA "/" + set.name + ".csv");
    EXPECT_TRUE(builtin_dataset(set.name) == file) << set.name;
    EXPECT_GT(file.size(), 0u) << set.name;
  }
}

TEST(BuiltinDatasets, AreSortedDescribedAndComplete) {
  const std::vector<BuiltinDataset> sets = builtin_datasets();
  EXPECT_EQ(sets.size(), 19u);
  EXPECT_TRUE(std::is_sorted(sets.begin(), sets.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const BuiltinDataset& set : sets) {
    EXPECT_FALSE(set.description.empty()) << set.name;
    EXPECT_EQ(set.description.find('\n'), std::string::npos) << set.name;
  }
}

TEST(BuiltinDatasets, StateTheirNumberOfRows) {
  for (const BuiltinDataset& set : builtin_datasets()) {
    const std::string_view text = builtin_dataset(set.name);
    const std::string_view header = text.substr(0, text.find('\n'));
    const auto rows = std::count(text.begin(), text.end(), '\n') - 1;
    const auto fields = std::count(header.begin(), header.end(), ',') + 1;
    const auto features = fields - (set.name == "faithful_unlabelled" ? 0 : 1);
    const std::string size = std::to_string(rows) + " x " + std::to_string(features);
    EXPECT_NE(set.description.find(", " + size), std::string::npos)
        << set.name << " is " << size << ": " << set.description;
  }
}

TEST(BuiltinDatasets, UnknownNameIsRefusedWithTheNearest) {
  try {
    (void)builtin_dataset("irsi");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::bad_argument);
    EXPECT_STREQ(error.what(), "there is no built-in data set '@irsi'");
    EXPECT_EQ(in_words(error.hint()), "did you mean 'iris'?");
  }
}

TEST(BuiltinDatasets, UnknownNameNearNothingIsToldAllOfThem) {
  try {
    (void)builtin_dataset("no such thing at all");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_TRUE(in_words(error.hint()).starts_with("there are 'boston', "))
        << in_words(error.hint());
    EXPECT_NE(in_words(error.hint()).find("'wine'"), std::string::npos);
  }
}

}  // namespace
}  // namespace genera::builtin_test
