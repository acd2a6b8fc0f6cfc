#include "command_line.hpp"

#include <genera/error.hpp>

#include <CLI/CLI.hpp>

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace genera::cli {
namespace {

/// Replaces --keep without a value, because CLI11 would take the next word as its value.
constexpr const char* keep_all = "--keep-all";

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

std::string see_help(const VerbText& verb) { return "see 'genera help " + verb.name + "'"; }

/// The parser of one verb and its results.
class Parser {
 public:
  explicit Parser(const VerbText& verb) : verb_(verb) {
    app_.set_help_flag();
    app_.allow_extras();
    app_.add_option("arguments", words_.arguments);
    for (const OptionGroup& group : verb.groups)
      for (const OptionText& option : group.options) add(option);
    if (has_keep()) app_.add_flag(keep_all);
  }

  Words parse(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    try {
      app_.parse(words);
    } catch (const CLI::ArgumentMismatch& error) {
      refuse_without_value(error.what());
    } catch (const CLI::ParseError& error) {
      throw Error(Errc::bad_argument, error.what(), see_help(verb_));
    }
    refuse_unknown(app_.remaining());
    for (const auto& [name, option] : options_)
      if (option->count() > 0) words_.options[name] = option->results();
    for (const std::string& name : switches_) refuse_value_of(name);
    if (has_keep() && app_.count(keep_all) > 0) words_.options["--keep"] = {};
    return std::move(words_);
  }

 private:
  void add(const OptionText& option) {
    const std::string name = option.long_name();
    if (option.value.empty()) {
      options_[name] = app_.add_flag(option.names);
      switches_.push_back(name);
    } else {
      options_[name] =
          app_.add_option(option.names, texts_[name])->allow_extra_args(false)->type_name("");
    }
  }

  [[nodiscard]] bool has_keep() const { return options_.count("--keep") > 0; }

  /// Rejects --quiet=no, which CLI11 would accept as --quiet.
  void refuse_value_of(const std::string& name) const {
    if (!words_.has(name)) return;
    for (const std::string& text : words_.values(name))
      if (text != "true")
        throw Error(Errc::bad_argument,
                    "option '" + name + "' takes no value, but has '" + text + "'",
                    "write " + name + " alone, or leave it out");
  }

  /// The option's name, with which a message of CLI11 begins.
  [[noreturn]] void refuse_without_value(const std::string& message) const {
    const std::string name = message.substr(0, message.find_first_of(": "));
    for (const OptionGroup& group : verb_.groups)
      for (const OptionText& option : group.options)
        if (option.long_name() == name || option.names.substr(0, option.names.find(',')) == name)
          throw Error(Errc::bad_argument, "option '" + name + "' needs a value",
                      "write " + name + ' ' + option.value + ": " + option.text);
    throw Error(Errc::bad_argument, message, see_help(verb_));
  }

  void refuse_unknown(const std::vector<std::string>& extras) const {
    for (const std::string& word : extras) {
      if (!is_option(word)) continue;
      const std::string name = word.substr(0, word.find('='));
      const std::string same = called_elsewhere(name);
      throw Error(
          Errc::bad_argument, "'" + verb_.name + "' has no option '" + name + "'",
          same.empty() ? suggest(name, verb_.option_names(), see_help(verb_)) : "write " + same);
    }
  }

  /// The option of this verb for what other programs call `name`; empty if there is none.
  [[nodiscard]] std::string called_elsewhere(const std::string& name) const {
    static constexpr std::array<std::pair<const char*, const char*>, 8> words{
        {{"--label", "--target"},
         {"-t", "--target"},
         {"--class-column", "--target"},
         {"--out", "--output"},
         {"--probabilities", "--proba"},
         {"--probability", "--proba"},
         {"--threshold", "--reject"},
         {"--na", "--missing-token"}}};
    for (const auto& [theirs, ours] : words)
      if (theirs == name && options_.contains(ours)) return ours;
    return "";
  }

  const VerbText& verb_;
  CLI::App app_;
  std::map<std::string, CLI::Option*> options_;
  std::vector<std::string> switches_;
  std::map<std::string, std::vector<std::string>> texts_;
  Words words_;
};

struct Wanted {
  std::size_t min = 0, max = 0;
};

Wanted arguments_wanted(const VerbText& verb) {
  Wanted wanted;
  for (const ArgumentText& argument : verb.arguments) {
    wanted.min += argument.min;
    wanted.max += argument.max;
  }
  return wanted;
}

/// Whether --keep has no value: at the end, or before another option.
std::vector<std::string> with_bare_keep(std::vector<std::string> words) {
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i)
    if (words[i] == "--keep" && (i + 1 == words.size() || is_option(words[i + 1])))
      words[i] = keep_all;
  return words;
}

/// If all arguments but the last are given.
bool only_data_is_missing(const VerbText& verb) {
  return !verb.arguments.empty() && verb.arguments.back().name == "DATA" &&
         verb.arguments.back().min == 1;
}

/// Whether standard input is a file, or a pipe that brings at least one byte.
bool input_is_given() {
  struct stat about {};
  if (::fstat(STDIN_FILENO, &about) != 0) return false;
  if (S_ISREG(about.st_mode)) return true;
  if (!S_ISFIFO(about.st_mode) && !S_ISSOCK(about.st_mode)) return false;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (::poll(&input, 1, -1) < 0 && errno == EINTR) {
  }
  int bytes = 0;
  return (input.revents & POLLIN) != 0 && ::ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0 && bytes > 0;
}

void refuse_too_few(const VerbText& verb, std::size_t given) {
  std::string command = "genera " + verb.name;
  const ArgumentText* missing = nullptr;
  for (const ArgumentText& argument : verb.arguments) {
    command += ' ' + argument.name;
    if (!missing && argument.min > given) missing = &argument;
    given -= std::min(given, argument.min);
  }
  if (!missing) return;
  throw Error(
      Errc::bad_argument,
      "'" + verb.name + "' needs " + (missing->needs.empty() ? missing->name : missing->needs),
      "write " + (missing->correct.empty() ? command + "; " + see_help(verb) : missing->correct));
}

}  // namespace

std::optional<std::string> Words::value(const std::string& option) const {
  const auto found = options.find(option);
  if (found == options.end()) return std::nullopt;
  if (found->second.size() == 1) return found->second.front();
  throw Error(Errc::bad_argument, "option '" + option + "' is given twice",
              "leave one of them out");
}

std::vector<std::string> Words::values(const std::string& option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

Words take_apart(const VerbText& verb, const std::vector<std::string>& words) {
  const Wanted wanted = arguments_wanted(verb);
  std::vector<std::string> prepared = with_bare_keep(words);
  Words found = Parser(verb).parse(prepared);
  if (found.has("--help")) return found;

  if (found.arguments.size() < wanted.min && found.has("--keep")) {
    std::replace(prepared.begin(), prepared.end(), std::string("--keep"), std::string(keep_all));
    found = Parser(verb).parse(prepared);
  }
  if (found.arguments.size() + 1 == wanted.min && only_data_is_missing(verb) && input_is_given())
    found.arguments.emplace_back("-");
  refuse_too_few(verb, found.arguments.size());
  if (found.arguments.size() > wanted.max)
    throw Error(
        Errc::bad_argument,
        "'" + verb.name + "' has one argument too many: '" + found.arguments[wanted.max] + "'",
        see_help(verb));
  return found;
}

}  // namespace genera::cli
