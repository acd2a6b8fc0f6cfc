#pragma once

#include <string>
#include <vector>

/// A verb: its texts, from which the parser, the help and the suggestions for mistyped options are
/// derived, and the function that runs it.
namespace genera::cli {

class Words;

struct OptionText {
  std::string names;  ///< "--model" or "-o,--output"; the program uses the last one
  std::string value;  ///< the name of its value in the help; empty: a switch
  std::string text;
  std::vector<std::string>
      choices{};  ///< the possible values, if they are few; offered by shell completion

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
  std::string needs{};    ///< describes the missing argument in errors; empty: its name
  std::string correct{};  ///< a command that has it; empty: derived from the names
};

struct VerbText {
  std::string name;
  std::string summary;      ///< one line in the list of verbs
  std::string description;  ///< a paragraph
  std::vector<ArgumentText> arguments;
  std::vector<OptionGroup> groups;
  std::vector<std::string> examples;  ///< run one after the other in an empty folder
  std::vector<ArgumentText>
      kinds{};  ///< the values of the first argument, with the arguments they need

  [[nodiscard]] std::vector<std::string> option_names() const;
};

struct Verb {
  VerbText text;
  /// Throws Error (bad_argument) for invalid words before it reads or writes anything.
  void (*run)(const Words& words);
};

}  // namespace genera::cli
