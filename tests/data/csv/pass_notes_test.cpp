// Targets that are not classes.
#include <gtest/gtest.h>

#include "data/csv_support.hpp"

namespace genera::csv_pass_notes_test {
namespace {

/// a, kind and a target that `value` makes of the row's number.
template <class Value>
std::string table(Value value) {
  std::string text = "a,kind,t\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i % 7) + "," + "uv"[i % 2] + "," + value(i) + "\n";
  return text;
}

testing::Caught refused(const std::string& text, Roles roles = {}) {
  roles.refuse_measured_target = true;
  return testing::caught([&] { const RowStream rows(Source::text(text, "t.csv"), {}, roles); });
}

TEST(CsvTargets, IdentifiersAndDatesAreRefusedBeforeThePass) {
  const std::string words = table([](int i) { return "w" + std::to_string(i * 37); });
  EXPECT_EQ(refused(words).what,
            "t.csv: the target 't', the last column, looks like an identifier (every cell a "
            "different word)");
  EXPECT_EQ(refused(words).hint,
            "use target = kind to predict a column of classes ('kind'), or type = t=categorical if "
            "each value is a class");
  EXPECT_EQ(refused(words, {.target = "t"}).hint,
            "name a column of classes with target, or use type = t=categorical if each value is a "
            "class");
  EXPECT_EQ(refused(words, {.types = {{"t", ColumnType::categorical}}}).what,
            testing::Caught{}.what);
  EXPECT_EQ(refused(words, {.target = "kind"}).what, testing::Caught{}.what);
  const std::string dates = table([](int i) { return "2024-01-" + std::to_string(10 + i % 20); });
  EXPECT_EQ(refused(dates).what, "t.csv: the target 't', the last column, looks like a date");
  const std::string numbers = table([](int i) { return std::to_string(i + 1); });
  EXPECT_NE(refused(numbers).what.find("consecutive whole numbers"), std::string::npos);
  const std::string mostly = table([](int i) { return "some w" + std::to_string(i * 3 / 4); });
  EXPECT_NE(refused(mostly).what.find("names its rows: 45 of its first 60 cells are different"),
            std::string::npos);
}

TEST(CsvTargets, ClassesAreNot) {
  EXPECT_EQ(refused(table([](int i) { return "w" + std::to_string(i % 20); })).what,
            testing::Caught{}.what);
  const RowStream rows(
      Source::text(table([](int i) { return "w" + std::to_string(i * 37); }), "t.csv"), {},
      Roles{});
  EXPECT_TRUE(rows.target_refusal().has_value());  // asked for, it is not thrown
}

}  // namespace
}  // namespace genera::csv_pass_notes_test
