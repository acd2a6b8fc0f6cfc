#include "help.hpp"

#include "show/printable.hpp"

#include <sstream>

namespace genera::cli {
namespace {

constexpr std::size_t page_width = 80;
constexpr std::size_t text_column = 26;

/// Wraps words at `page_width`. The first line begins at column `at`; the others are indented.
std::string wrapped(const std::string& text, std::size_t at, std::size_t indent) {
  std::istringstream words(text);
  std::string lines, word;
  bool first = true;
  while (words >> word) {
    const std::size_t wide = places_of(word);
    if (!first && at + 1 + wide > page_width) {
      lines += '\n' + std::string(indent, ' ');
      at = indent;
    } else if (!first) {
      lines += ' ';
      ++at;
    }
    lines += word;
    at += wide;
    first = false;
  }
  return lines + '\n';
}

std::string entry(const std::string& left, const std::string& text) {
  std::string line = "  " + left;
  if (places_of(line) + 2 > text_column)
    line += '\n' + std::string(text_column, ' ');
  else
    line.resize(text_column + (line.size() - places_of(line)), ' ');
  return line + wrapped(text, text_column, text_column);
}

std::string shown(const OptionText& option) {
  const std::size_t comma = option.names.find(',');
  const std::string names = comma == std::string::npos
                                ? option.names
                                : option.names.substr(0, comma) + ", " + option.long_name();
  return option.value.empty() ? names : names + ' ' + option.value;
}

std::string usage(const VerbText& verb) {
  std::string line = "Usage: genera " + verb.name;
  for (const ArgumentText& argument : verb.arguments) {
    line += argument.min == 0 ? " [" + argument.name + "]" : ' ' + argument.name;
    if (argument.max > 1) line += "…";
  }
  return line + " [OPTIONS]\n";
}

}  // namespace

std::string help_entry(const std::string& left, const std::string& text) {
  return entry(left, text);
}

std::string help_entry(const OptionText& option) { return entry(shown(option), option.text); }

std::string program_summary() {
  return "learns how each class makes its data, and answers from that";
}

std::string program_description() {
  return "DATA is a CSV or TSV file, plain or gzip, - for standard input, or a built-in set such "
         "as "
         "@iris. Results go to standard output unless -o FILE is given, messages to standard "
         "error.";
}

std::string help(const std::vector<Verb>& verbs) {
  std::string text =
      "genera " + program_summary() + ".\n\nUsage: genera VERB ARGUMENTS [OPTIONS]\n\nVerbs:\n";
  for (const Verb& verb : verbs) text += entry(verb.text.name, verb.text.summary);
  text += '\n' + wrapped(program_description() +
                             " Exit status: 0 done, 1 the data or the model cannot be used, 2 the "
                             "command line is wrong.",
                         0, 0);
  text += "\nExamples:\n";
  for (const char* example : {"genera fit @iris -o iris.json", "genera evaluate iris.json @iris",
                              "genera predict iris.json @iris --proba"})
    text += std::string("  ") + example + '\n';
  return text +
         "\n'genera help VERB' tells more, 'genera help models' lists the models, and\n'genera "
         "--version' prints the version.\n";
}

std::string help(const VerbText& verb) {
  std::string text = usage(verb) + '\n' + wrapped(verb.description, 0, 0);
  if (!verb.arguments.empty()) text += "\nArguments:\n";
  for (const ArgumentText& argument : verb.arguments) text += entry(argument.name, argument.text);
  if (!verb.kinds.empty()) text += "\nKinds:\n";
  for (const ArgumentText& kind : verb.kinds) text += entry(kind.name, kind.text);
  for (const OptionGroup& group : verb.groups) {
    text += '\n' + group.title + ":\n";
    for (const OptionText& option : group.options) text += entry(shown(option), option.text);
  }
  text += "\nExamples:\n";
  for (const std::string& example : verb.examples) text += "  " + example + '\n';
  return text;
}

}  // namespace genera::cli
