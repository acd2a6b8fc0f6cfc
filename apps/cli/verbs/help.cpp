#include "command_line.hpp"
#include "help.hpp"
#include "show/output.hpp"
#include "verbs/registry.hpp"

namespace genera::cli {
namespace {

VerbText help_text() {
  return {"help",
          "this text, or more about one verb",
          "Explains a verb: its arguments, its options, and examples that run as they are.",
          {{"VERB", "what to explain", 0, 1}},
          {{"General", {{"-h,--help", "", "this text"}}}},
          {"genera help fit"}};
}

void run_help(const Words& words) {
  write_output({},
               words.arguments.empty() ? help(verbs()) : help(verb_named(words.arguments[0]).text));
}

}  // namespace

Verb help_verb() { return {help_text(), run_help}; }

}  // namespace genera::cli
