#include "show/terminal.hpp"

#include <unistd.h>

#include <cstdlib>

namespace genera::cli {
namespace {

constexpr std::string_view plain_again = "\033[0m";

std::string in_style(std::string_view style, std::string_view text) {
  return std::string(style).append(text).append(plain_again);
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// Removes the first line from `rest` and returns it without its line end.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

bool is_heading(std::string_view line, std::string_view next) {
  return !line.empty() && line.front() != ' ' && next.starts_with("  ");
}

}  // namespace

bool shows_colours(int descriptor) {
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return ::isatty(descriptor) == 1 && !dumb && !is_set("NO_COLOR");
}

std::string coloured(std::string_view text) {
  constexpr std::string_view warning = "warning:";
  if (text.starts_with('{') || text.starts_with('[')) return std::string(text);
  std::string result;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with(warning))
      result += yellow(warning).append(line.substr(warning.size()));
    else if (is_heading(line, text))
      result += in_style("\033[1m", line);
    else
      result += line;
    result += '\n';
  }
  return result;
}

std::string yellow(std::string_view word) { return in_style("\033[33m", word); }
std::string red(std::string_view word) { return in_style("\033[31m", word); }

}  // namespace genera::cli
