// What the reader notes about a table before it reads all rows.
#include <algorithm>

#include <gtest/gtest.h>

#include "data/csv_support.hpp"

namespace genera::csv_choices_test {
namespace {

std::vector<std::string> notes_of(const std::string& text, const Roles& roles = {}) {
  const RowStream rows(Source::text(text, "t.csv"), {}, roles);
  std::vector<std::string> notes;
  for (const Note& note : rows.notes()) notes.push_back(in_words(note));
  return notes;
}

bool holds(const std::vector<std::string>& notes, const std::string& part) {
  return std::ranges::any_of(
      notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

TEST(CsvChoices, WordsThatAreAlwaysTheSameAreNoted) {
  const std::string note = "always the same in the first 3 rows, which helps no prediction: 'k'";
  EXPECT_TRUE(holds(notes_of("k,a,y\nu,1,p\n,2,q\nu,3,p\n"), note));
  EXPECT_FALSE(holds(notes_of("k,a,y\nu,1,p\nv,2,q\nu,3,p\n"), "always the same"));
  EXPECT_FALSE(holds(notes_of("k,a,y\nu,1,p\nu,2,q\n", {.drop = {"k"}}), "always the same"));
  EXPECT_FALSE(holds(notes_of("k,a,y\n5,1,p\n5,2,q\n"), "always the same"));  // said by the fit
}

TEST(CsvChoices, TheTargetIsNamed) {
  EXPECT_TRUE(holds(notes_of("a,y\n1,u\n2,v\n"), "target: 'y' (by its name)"));
  EXPECT_TRUE(holds(notes_of("a,kind\n1,u\n2,v\n"), "target: 'kind' (the last column)"));
  EXPECT_FALSE(holds(notes_of("a,y\n1,u\n2,v\n", {.target = "y"}), "target"));
}

}  // namespace
}  // namespace genera::csv_choices_test
