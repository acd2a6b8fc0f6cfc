#pragma once

#include <string>
#include <vector>

/// What a verb is: its texts, from which the parser, the help and the nearest names of a mistyped
/// option are all made, and the function that runs it.
namespace genera::cli {

class Words;

struct OptionText {
  std::string names;  ///< "--model" or "-o,--output"; the last is the one the program uses
  std::string value;  ///< what follows it, as help shows it; empty: nothing, it is a switch
  std::string text;
  std::vector<std::string>
      choices{};  ///< what the value may be, if these are few: shells offer them

  [[nodiscard]] std::string long_name() const;
};

struct OptionGroup {
  std::string title;
  std::vector<OptionText> options;
};

struct ArgumentText {
  std::string name;
  std::string text;
  std::size_t min = 1;
  std::size_t max = 1;
  std::string needs{};    ///< what is missing without it, in words; empty: its name
  std::string correct{};  ///< a command that has it; empty: made of the names
};

struct VerbText {
  std::string name;
  std::string summary;      ///< one line, for the list of verbs
  std::string description;  ///< a paragraph
  std::vector<ArgumentText> arguments;
  std::vector<OptionGroup> groups;
  std::vector<std::string> examples;  ///< run one after the other in an empty folder
  std::vector<ArgumentText> kinds{};  ///< what the first argument may be, with the others

  [[nodiscard]] std::vector<std::string> option_names() const;
};

struct Verb {
  VerbText text;
  /// Throws Error (bad_argument) if the words make no sense, before anything is read or written.
  void (*run)(const Words& words);
};

}  // namespace genera::cli
