#include "command_line.hpp"
#include "help.hpp"
#include "manual.hpp"
#include "options/common.hpp"
#include "show/output.hpp"
#include "values.hpp"
#include "verbs/registry.hpp"

namespace genera::cli {
namespace {

VerbText help_text() {
  return {
      "help",
      "this text, or more about one verb",
      "Explains a verb: its arguments, its options, and examples that run as they are. The same "
      "texts make the manual page and the completion of shells, which 'make install' installs.",
      {{"VERB", "what to explain", 0, 1}},
      {{"Other forms",
        {{"--man", "", "the manual page, as man reads it"},
         {"--completion",
          "SHELL",
          "a script that completes commands in bash, zsh or fish",
          {"bash", "zsh", "fish"}}}},
       {"General",
        {{"-o,--output", "FILE", "write to FILE; default: standard output"},
         {"-h,--help", "", "this text"}}}},
      {"genera help fit", "genera help --man -o genera.1",
       "genera help --completion bash -o genera.bash"}};
}

std::string wanted_text(const Words& words) {
  const auto shell = words.value("--completion");
  if (static_cast<int>(words.has("--man")) + static_cast<int>(shell.has_value()) +
          static_cast<int>(!words.arguments.empty()) >
      1)
    throw Error(Errc::bad_argument, "VERB, --man and --completion are different questions",
                "ask one of them");
  if (words.has("--man")) return manual_page(verbs());
  if (shell)
    return completion_script(
        verbs(),
        choose<Shell>("--completion", *shell,
                      {{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}}));
  return words.arguments.empty() ? help(verbs()) : help(verb_named(words.arguments[0]).text);
}

void run_help(const Words& words) {
  Common common;
  common.output = words.value("--output");
  write_output(common, wanted_text(words));
}

}  // namespace

Verb help_verb() { return {help_text(), run_help}; }

}  // namespace genera::cli
