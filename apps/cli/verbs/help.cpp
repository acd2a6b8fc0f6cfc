#include "command_line.hpp"
#include "help.hpp"
#include "manual.hpp"
#include "model_help.hpp"
#include "options/common.hpp"
#include "show/output.hpp"
#include "values.hpp"
#include "verbs/registry.hpp"

namespace genera::cli {
namespace {

VerbText help_text() {
  return {
      "help",
      "this text, or more about a verb or a model",
      "Explains a verb: its arguments, its options, and examples that run as they are. 'models' "
      "lists the models, one line each; the name of a model prints its options. The same texts "
      "make the manual page and the completion of shells, which 'make install' installs.",
      {{"TOPIC", "a verb, models, or the name of a model", 0, 1}},
      {{"Other forms",
        {{"--man", "", "the manual page, as man reads it; of one verb if VERB is given"},
         {"--completion",
          "SHELL",
          "a script that completes commands in bash, zsh or fish",
          {"bash", "zsh", "fish"}}}},
       {"General",
        {{"-o,--output", "FILE", "write to FILE; default: standard output"},
         {"-h,--help", "", "this text"}}}},
      {"genera help fit", "genera help models", "genera help rda", "genera help fit --man",
       "genera help --man -o genera.1", "genera help --completion bash -o genera.bash"}};
}

std::string wanted_text(const Words& words) {
  const auto shell = words.value("--completion");
  const bool topic = !words.arguments.empty();
  if (shell && (topic || words.has("--man")))
    throw Error(Errc::bad_argument, "--completion covers all verbs, and is not a manual page",
                "leave the topic and --man out");
  if (words.has("--man"))
    return topic ? manual_page(verb_named(words.arguments[0]).text) : manual_page(verbs());
  if (shell)
    return completion_script(
        verbs(),
        choose<Shell>("--completion", *shell,
                      {{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}}));
  if (!topic) return help(verbs());
  const std::string& name = words.arguments[0];
  if (name == "models") return help_of_models();
  const std::string model = model_in_words(name);
  return model.empty() ? help(verb_named(name).text) : help_of_model(model);
}

void run_help(const Words& words) {
  Common common;
  common.output = words.value("--output");
  write_output(common, wanted_text(words));
}

}  // namespace

Verb help_verb() { return {help_text(), run_help}; }

}  // namespace genera::cli
