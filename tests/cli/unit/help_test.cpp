#include "help.hpp"

#include "command.hpp"
#include "refusal.hpp"
#include "words.hpp"

#include <genera/version.hpp>

#include <algorithm>
#include <sstream>

namespace genera::cli::help_test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string printed(const Line& line) {
  ::testing::internal::CaptureStdout();
  run_command(line);
  return ::testing::internal::GetCapturedStdout();
}

TEST(Help, IsTheSameHoweverItIsAskedFor) {
  EXPECT_EQ(printed({"help"}), help(verbs()));
  EXPECT_EQ(printed({"--help"}), help(verbs()));
  for (const auto& [verb, run] : verbs()) {
    EXPECT_EQ(printed({"help", verb.name}), help(verb));
    EXPECT_EQ(printed({verb.name, "--help"}), help(verb));
    EXPECT_EQ(printed({verb.name, "-h"}), help(verb));
  }
}

TEST(Help, OfAnUnknownVerbNamesTheNearest) {
  EXPECT_EQ(refusal_of([] {
              run_command({"help", "predcit"});
            }),
            (Refusal{"there is no verb 'predcit'", "did you mean 'predict'?"}));
}

TEST(Help, NamesEveryVerbOptionAndExample) {
  for (const auto& [verb, run] : verbs()) {
    EXPECT_TRUE(contains(help(verbs()), "  " + verb.name + ' ')) << verb.name;
    const std::string text = help(verb);
    for (const std::string& option : verb.option_names())
      EXPECT_TRUE(contains(text, option)) << option;
    for (const std::string& example : verb.examples)
      EXPECT_TRUE(contains(text, "  " + example + '\n')) << example;
  }
}

TEST(Help, FitsIntoEightyPlacesButForExamples) {
  for (const auto& [verb, run] : verbs()) {
    std::istringstream lines(help(verb));
    for (std::string line; std::getline(lines, line);) {
      const auto places = std::count_if(line.begin(), line.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      });
      const bool example = line.starts_with("  genera ");
      EXPECT_TRUE(example || places <= 80) << line;
    }
  }
}

TEST(Help, ExamplesAreWellFormedCommands) {
  for (const auto& [verb, run] : verbs()) {
    EXPECT_FALSE(verb.examples.empty()) << verb.name;
    for (const std::string& example : verb.examples) {
      std::istringstream text(example);
      Line words;
      for (std::string word; text >> word;) words.push_back(word);
      ASSERT_EQ(words.at(0), "genera");
      words.erase(words.begin());
      EXPECT_NO_THROW((void)words_of(words)) << example;
    }
  }
}

TEST(Version, IsThatOfTheLibrary) {
  EXPECT_EQ(printed({"--version"}), std::string("genera ") + version + '\n');
}

}  // namespace
}  // namespace genera::cli::help_test
