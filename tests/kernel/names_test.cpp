#include <genera/names.hpp>

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "kernel/parallel.hpp"

namespace genera::names_test {
namespace {

using Names = std::vector<std::string>;

RC_GTEST_PROP(NameSet, NumbersAnyNamesAsAMapDoes, ()) {  // few bytes, 0 among them: many alike
  const auto name = rc::gen::container<std::string>(rc::gen::element('\0', 'a', '\xff'));
  const auto names = *rc::gen::container<Names>(name);
  NameSet set;
  std::map<std::string, std::int32_t> numbers;
  for (const std::string& each : names) {
    RC_ASSERT(set.find(each).has_value() == numbers.contains(each));
    const auto number = numbers.emplace(each, static_cast<std::int32_t>(numbers.size()));
    RC_ASSERT(set.add(each) == number.first->second);
  }
  for (const auto& [each, number] : numbers) RC_ASSERT(set.find(each) == number);
}

TEST(NameSet, TellsNamesApartThatDifferInOneByte) {
  for (std::size_t length = 1; length <= 40; ++length) {
    NameSet set;
    set.add(std::string(length, 'x'));
    for (std::size_t i = 0; i < length; ++i) {
      std::string other(length, 'x');
      other[i] = 'y';
      EXPECT_EQ(set.add(other), static_cast<std::int32_t>(i + 1)) << other;
    }
    EXPECT_EQ(set.find(std::string(length, 'x')), 0);
    EXPECT_FALSE(set.find(std::string(length + 1, 'x')).has_value());
  }
}

TEST(NameSet, OfAListHasItsNamesOnce) {
  const NameSet set(Names{"b", "a", "b", ""});
  EXPECT_EQ(set.names(), (Names{"b", "a", ""}));
  EXPECT_EQ(set.size(), 3);
  EXPECT_EQ(set, NameSet(Names{"b", "a", ""}));
  EXPECT_FALSE(set == NameSet(Names{"a", "b", ""}));  // the numbers are others
  EXPECT_FALSE(NameSet().find("").has_value());
  EXPECT_EQ(NameSet(set).take_names(), set.names());
}

TEST(NameSet, GrowsAndKeepsItsNumbers) {
  NameSet set;
  for (int i = 0; i < 50000; ++i) ASSERT_EQ(set.add("name " + std::to_string(i)), i);
  for (int i = 0; i < 50000; ++i) ASSERT_EQ(set.find("name " + std::to_string(i)), i);
  EXPECT_FALSE(set.find("name 50000").has_value());
}

TEST(NameSet, PaddedNamesAreThoseOfOthers) {
  constexpr std::size_t read = 16;  // bytes from the beginning of a name
  const std::string text = "abcdefghijklmnopqrstuvwxyz0123456789";
  NameSet set, padded;
  std::vector<std::string_view> views;
  std::vector<std::int32_t> numbers;
  for (std::size_t length = 0; length <= 20; ++length) {
    for (std::size_t first = 0; first + std::max(length, read) <= text.size(); ++first) {
      views.emplace_back(text.data() + first, length);
      numbers.push_back(set.add(views.back()));
    }
  }
  std::vector<std::int32_t> found(views.size());
  padded.add_all_padded(views, found);
  EXPECT_EQ(found, numbers);
  for (std::size_t i = 0; i < views.size(); ++i)
    EXPECT_EQ(padded.find(std::string(views[i])), numbers[i]) << views[i];
}

TEST(NameSet, ManyAtOnceAreAsOneByOne) {
  Names names;
  for (int i = 0; i < 1000; ++i)
    names.push_back((i % 3 == 0 ? "a rather long name " : "n") + std::to_string(i % 700));
  const std::vector<std::string_view> views(names.begin(), names.end());
  for (const bool indexed : {true, false}) {
    NameSet one(Names{"n1", "other"});
    NameSet many = indexed ? one : NameSet::distinct({"n1", "other"});
    std::vector<std::int32_t> found(names.size()), added(names.size());
    many.find_all(views, found);
    for (std::size_t i = 0; i < names.size(); ++i)
      EXPECT_EQ(found[i], one.find(names[i]).value_or(-1)) << names[i];
    many.add_all(views, added);
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(added[i], one.add(names[i]));
    EXPECT_EQ(many, one);
    many.find_all(views, found);
    EXPECT_EQ(found, added);
  }
}

TEST(NameSet, FindsDistinctNamesOnAnyThreadAndWithoutLookingAtAll) {
  constexpr Index count = 100000;  // one after the other they would be looked at for minutes
  Names names;
  for (Index i = 0; i < count; ++i) names.push_back("a name that is long: " + std::to_string(i));
  const NameSet set = NameSet::distinct(names);
  NameSet copy = set;
  std::vector<std::int32_t> found(names.size());
  kernel::parallel_for(count, 4, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    found[at] = (i % 2 == 0 ? set : copy).find(names[at]).value_or(-1);
  });
  for (Index i = 0; i < count; ++i) ASSERT_EQ(found[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(copy.add("one more"), count);
  EXPECT_EQ(copy.find("one more"), count);
  EXPECT_FALSE(set.find("one more"));
}

TEST(NameSet, OfNamesSaidToBeDifferentFindsTheFirstOfEqualOnes) {
  const NameSet set = NameSet::distinct({"a", "b", "a", "c"});
  EXPECT_EQ(set.find("a"), 0);
  EXPECT_EQ(set.find("c"), 3);
}

TEST(NameSet, IsEmptyAfterItsNamesWereTaken) {
  NameSet set = NameSet::distinct({"a", "b"});
  const NameSet copy = set;
  EXPECT_EQ(std::move(set).take_names(), (Names{"a", "b"}));
  EXPECT_EQ(set.add("c"), 0);  // NOLINT(bugprone-use-after-move): that is the question
  EXPECT_EQ(copy.find("b"), 1);
}

TEST(SharedNames, AreCopiedWhenOneOfThemChanges) {
  SharedNames a = NameSet({"x", "y"});
  SharedNames b = a;
  EXPECT_TRUE(a.shared_with(b));
  EXPECT_EQ(b.own().add("z"), 2);
  EXPECT_FALSE(a.shared_with(b));
  EXPECT_EQ(a.names(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(b.find("z"), 2);
  EXPECT_FALSE(a == b);
  EXPECT_EQ(a, SharedNames(NameSet({"x", "y"})));
}

TEST(SharedNames, HoldNoneAtFirst) {
  SharedNames none;
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none, SharedNames(NameSet()));
  EXPECT_EQ(none.own().add("x"), 0);
}

}  // namespace
}  // namespace genera::names_test
