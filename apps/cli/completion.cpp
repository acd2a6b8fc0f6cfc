#include "manual.hpp"

#include "show/printable.hpp"

#include <genera/stream.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace genera::cli {
namespace {

/// The beginning of a text, as an entry of a menu.
std::string in_short(const std::string& text) {
  constexpr std::size_t longest = 60;
  const std::size_t end =
      std::min({text.find("; "), text.find(" ("), text.find(": "), text.size()});
  return clipped(text.substr(0, end), longest);
}

/// The text in single quotes; quotes inside become `quote`.
std::string quoted(const std::string& text, const std::string& quote) {
  std::string safe = "'";
  for (const char c : text) c == '\'' ? safe += quote : safe += c;
  return safe + "'";
}
std::string for_posix(const std::string& text) { return quoted(text, "'\\''"); }
std::string for_fish(const std::string& text) { return quoted(text, "\\'"); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> verb_names(const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.text.name);
  return names;
}

std::vector<std::string> dataset_names() {
  std::vector<std::string> names;
  for (const BuiltinDataset& one : builtin_datasets()) names.push_back('@' + one.name);
  return names;
}

/// The known values of the first argument.
std::vector<std::string> first_words(const VerbText& verb, const std::vector<Verb>& verbs) {
  std::vector<std::string> words;
  for (const ArgumentText& kind : verb.kinds)
    words.push_back(kind.name.substr(0, kind.name.find(' ')));
  return verb.name == "help" ? verb_names(verbs) : words;
}

std::vector<std::string> names_of_option(const OptionText& option) {
  const std::size_t comma = option.names.find(',');
  if (comma == std::string::npos) return {option.names};
  return {option.names.substr(0, comma), option.long_name()};
}

bool takes_file(const OptionText& option) {
  return option.value.find("FILE") != std::string::npos ||
         option.value.find("DIR") != std::string::npos;
}

std::vector<std::string> all_names(const VerbText& verb) {
  std::vector<std::string> names;
  for (const OptionGroup& group : verb.groups)
    for (const OptionText& option : group.options)
      for (const std::string& name : names_of_option(option)) names.push_back(name);
  return names;
}

/// Calls `visit(option)` for the options with a value.
template <class Visit>
void each_valued(const VerbText& verb, Visit visit) {
  for (const OptionGroup& group : verb.groups)
    for (const OptionText& option : group.options)
      if (!option.value.empty()) visit(option);
}

/// The branch of a case statement with the values of the options of a verb, for bash and zsh.
std::string value_cases(const VerbText& verb, const std::string& words, const std::string& files) {
  std::string text;
  each_valued(verb, [&](const OptionText& option) {
    std::string pattern;
    for (const std::string& name : names_of_option(option))
      pattern += (pattern.empty() ? "" : "|") + name;
    const std::string action = !option.choices.empty()
                                   ? fmt::format(fmt::runtime(words), joined(option.choices))
                               : takes_file(option) ? files
                                                    : std::string(":");
    text += fmt::format("        {}) {}; return ;;\n", pattern, action);
  });
  return text;
}

std::string bash_script(const std::vector<Verb>& verbs) {
  std::string text = fmt::format(
      "# bash completion for genera\n"
      "_genera() {{\n"
      "  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} "
      "verb=${{COMP_WORDS[1]}}\n"
      "  local options='' first=''\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$cur\"))\n"
      "    return\n"
      "  fi\n"
      "  case $verb in\n",
      joined(verb_names(verbs)));
  for (const Verb& verb : verbs) {
    text += fmt::format("    {})\n      options='{}'\n      first='{}'\n      case $prev in\n",
                        verb.text.name, joined(all_names(verb.text)),
                        joined(first_words(verb.text, verbs)));
    text += value_cases(verb.text, "COMPREPLY=($(compgen -W '{}' -- \"$cur\"))",
                        "compopt -o default 2>/dev/null; COMPREPLY=($(compgen -f -- \"$cur\"))");
    text += "      esac ;;\n";
  }
  return text + fmt::format(
                    "  esac\n"
                    "  case $cur in\n"
                    "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
                    "    @*) COMPREPLY=($(compgen -W '{}' -- \"$cur\")) ;;\n"
                    "    *)\n"
                    "      if [ -n \"$first\" ] && [ \"$COMP_CWORD\" -eq 2 ]; then\n"
                    "        COMPREPLY=($(compgen -W \"$first\" -- \"$cur\"))\n"
                    "      else\n"
                    "        compopt -o default 2>/dev/null\n"
                    "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
                    "      fi ;;\n"
                    "  esac\n"
                    "}}\n"
                    "complete -F _genera genera\n",
                    joined(dataset_names()));
}

/// 'name:description'; colons in the name are escaped.
std::string zsh_entry(const std::string& name, const std::string& text) {
  return for_posix(name + ':' + in_short(text));
}

std::string zsh_script(const std::vector<Verb>& verbs) {
  std::string text =
      "#compdef genera\n\n_genera() {\n  local -a verbs options first sets\n  verbs=(\n";
  for (const Verb& verb : verbs)
    text += "    " + zsh_entry(verb.text.name, verb.text.summary) + '\n';
  text += fmt::format(
      "  )\n  sets=({})\n"
      "  if (( CURRENT == 2 )); then\n    _describe -t verbs verb verbs\n    return\n  fi\n"
      "  case $words[2] in\n",
      joined(dataset_names()));
  for (const Verb& verb : verbs) {
    text += fmt::format("    {})\n      options=(\n", verb.text.name);
    for (const OptionGroup& group : verb.text.groups)
      for (const OptionText& option : group.options)
        text += "        " + zsh_entry(option.long_name(), option.text) + '\n';
    text += fmt::format("      )\n      first=({})\n      case $words[CURRENT-1] in\n",
                        joined(first_words(verb.text, verbs)));
    text += value_cases(verb.text, "compadd -- {}", "_files");
    text += "      esac ;;\n";
  }
  return text +
         "  esac\n"
         "  case $words[CURRENT] in\n"
         "    -*) _describe -t options option options ;;\n"
         "    @*) compadd -- $sets ;;\n"
         "    *)\n"
         "      if (( CURRENT == 3 && $#first )); then compadd -- $first; else _files; fi ;;\n"
         "  esac\n"
         "}\n\n"
         "_genera \"$@\"\n";
}

std::string fish_option(const std::string& verb, const OptionText& option) {
  const std::vector<std::string> names = names_of_option(option);
  std::string line = fmt::format("complete -c genera -n '__fish_seen_subcommand_from {}'", verb);
  for (const std::string& name : names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.choices.empty())
    line += " -x -a " + for_fish(joined(option.choices));
  else if (!option.value.empty())
    line += takes_file(option) ? " -r -F" : " -x";
  return line + " -d " + for_fish(in_short(option.text)) + '\n';
}

std::string fish_script(const std::vector<Verb>& verbs) {
  std::string text = "# fish completion for genera\n";
  for (const Verb& verb : verbs)
    text += fmt::format("complete -c genera -f -n __fish_use_subcommand -a {} -d {}\n",
                        verb.text.name, for_fish(in_short(verb.text.summary)));
  text += "complete -c genera -n __fish_use_subcommand -l help -d 'this text'\n";
  text += "complete -c genera -n __fish_use_subcommand -l version -d 'the version'\n";
  text += fmt::format(
      "complete -c genera -n 'not __fish_use_subcommand; and string match -q \"@*\" -- "
      "(commandline -ct)' -a '{}'\n",
      joined(dataset_names()));
  for (const Verb& verb : verbs) {
    if (const auto first = first_words(verb.text, verbs); !first.empty())
      text += fmt::format("complete -c genera -f -n '__fish_seen_subcommand_from {}' -a '{}'\n",
                          verb.text.name, joined(first));
    for (const OptionGroup& group : verb.text.groups)
      for (const OptionText& option : group.options) text += fish_option(verb.text.name, option);
  }
  return text;
}

}  // namespace

std::string completion_script(const std::vector<Verb>& verbs, Shell shell) {
  switch (shell) {
    case Shell::bash:
      return bash_script(verbs);
    case Shell::zsh:
      return zsh_script(verbs);
    case Shell::fish:
      return fish_script(verbs);
  }
  return {};
}

}  // namespace genera::cli
