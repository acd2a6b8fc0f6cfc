#pragma once

#include <string>
#include <vector>

/// Every verb with its arguments, options and examples, said once: the parser, the help and the
/// nearest names of a mistyped option are all made from this.
namespace genera::cli {

struct OptionText {
  std::string names;  ///< "--model" or "-o,--output"; the last is the one the program uses
  std::string value;  ///< what follows it, as help shows it; empty: nothing, it is a switch
  std::string text;

  [[nodiscard]] std::string long_name() const;
};

struct OptionGroup {
  std::string title;
  std::vector<OptionText> options;
};

struct ArgumentText {
  std::string name;
  std::string text;
  std::size_t least = 1;
  std::size_t most = 1;
};

struct VerbText {
  std::string name;
  std::string summary;      ///< one line, for the list of verbs
  std::string description;  ///< a paragraph
  std::vector<ArgumentText> arguments;
  std::vector<OptionGroup> groups;
  std::vector<std::string> examples;  ///< run one after the other in an empty folder

  [[nodiscard]] std::vector<std::string> option_names() const;
};

/// In the order of a first session. A new verb is a new entry here, a struct in arguments.hpp and a
/// file in verbs/.
[[nodiscard]] const std::vector<VerbText>& verb_texts();

/// Throws Error (bad_argument) with the nearest verbs.
[[nodiscard]] const VerbText& verb_text(const std::string& name);

/// What `genera help` and `genera help VERB` print.
[[nodiscard]] std::string help();
[[nodiscard]] std::string help(const VerbText& verb);

}  // namespace genera::cli
