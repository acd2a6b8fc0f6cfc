#include "command.hpp"

#include "command_line.hpp"
#include "help.hpp"
#include "show/output.hpp"
#include "verbs/registry.hpp"

#include <genera/error.hpp>
#include <genera/version.hpp>

namespace genera::cli {

void run_command(const std::vector<std::string>& words) {
  if (words.empty())
    throw Error(Errc::bad_argument, "no verb is given",
                "begin with 'genera help', or with 'genera fit @iris'");
  const std::string& first = words.front();
  if (first == "--version") return write_output({}, std::string("genera ") + version + '\n');
  if (first == "--help" || first == "-h") return write_output({}, help(verbs()));
  if (first.size() > 1 && first.front() == '-')
    throw Error(Errc::bad_argument, "'" + first + "' stands where a verb is expected",
                "write the verb first and its options after it; see 'genera help'");

  const Verb& verb = verb_named(first);
  const Words rest = take_apart(verb.text, {words.begin() + 1, words.end()});
  if (rest.has("--help")) return write_output({}, help(verb.text));
  verb.run(rest);
}

}  // namespace genera::cli
