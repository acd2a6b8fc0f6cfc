#include "tour/runner.hpp"

#include "command.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <string_view>

namespace genera::cli::tour {
namespace {

/// Redirects standard output to an unnamed file during its lifetime.
class CapturedOutput {
 public:
  CapturedOutput() : file_(std::tmpfile()), saved_(::dup(STDOUT_FILENO)) {
    if (file_ == nullptr || saved_ < 0 || ::dup2(::fileno(file_), STDOUT_FILENO) < 0)
      throw Error(Errc::bad_data, "a temporary file cannot be made", "make room in /tmp");
  }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;
  ~CapturedOutput() {
    ::dup2(saved_, STDOUT_FILENO);
    ::close(saved_);
    std::fclose(file_);
  }

  [[nodiscard]] std::string text() const {
    std::string all;
    std::rewind(file_);
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) all += static_cast<char>(c);
    return all;
  }

 private:
  std::FILE* file_;
  int saved_;
};

/// The position of the first of these characters outside single quotes, or the size of the text.
std::size_t find_unquoted(std::string_view text, std::string_view characters) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') quoted = !quoted;
    if (!quoted && characters.find(text[i]) != std::string_view::npos) return i;
  }
  return text.size();
}

std::vector<std::string> commands_in(std::string_view text) {
  std::vector<std::string> commands;
  while (!text.empty()) {
    const std::size_t end = find_unquoted(text, "\n");
    if (end > 0) commands.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return commands;
}

void append_new(std::vector<std::string>& lines, const std::string& line) {
  if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
}

/// The word after an unquoted > or -o; empty: the line makes no file.
std::string file_made_by(const std::string& line) {
  const std::vector<std::string> words = words_of(line.substr(find_unquoted(line, ">")));
  if (words.size() > 1) return words[1];
  const std::size_t option = line.find(" -o ");
  return option == line.npos ? "" : words_of(line.substr(option + 4)).front();
}

void run_shell(const std::string& line, const std::string& input) {
  std::FILE* shell = ::popen(line.c_str(), "w");
  if (shell == nullptr)
    throw Error(Errc::bad_data, "a shell cannot be started", "close other programs");
  std::fwrite(input.data(), 1, input.size(), shell);
  if (::pclose(shell) != 0)
    throw Error(Errc::bad_data, "this command of the tour failed: " + line,
                "run it in a shell, and install the programs that it lacks");
}

}  // namespace

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string CommandRunner::complete(const std::string& text) {
  std::vector<std::string> all;
  for (const std::string& line : commands_in(text)) {
    const std::vector<std::string> words = words_of(line);
    std::vector<std::string> needed;
    for (const std::string& word : words) {
      const auto made = makers_.find(word);
      if (made == makers_.end()) continue;
      for (const std::string& earlier : made->second) append_new(needed, earlier);
    }
    append_new(needed, line);
    if (const std::string file = file_made_by(line); !file.empty())
      makers_.try_emplace(file, needed);
    for (const std::string& one : needed) append_new(all, one);
  }
  return fmt::format("{}", fmt::join(all, "\n"));
}

std::string CommandRunner::run(const std::string& text) {
  std::string last;
  for (const std::string& line : commands_in(complete(text))) {
    if (!outputs_.contains(line)) outputs_[line] = output_of(line);
    last = line;
  }
  return outputs_[last];
}

std::string CommandRunner::output_of(const std::string& line) const {
  const bool ours = line.starts_with("genera ");
  const std::size_t end = ours ? find_unquoted(line, "|>") : 0;
  std::string output;
  if (ours) {
    std::vector<std::string> words = words_of(line.substr(0, end));
    words.erase(words.begin());
    words.insert(words.end(), {"--quiet", "--threads", std::to_string(threads_)});
    const CapturedOutput captured;
    run_command(words);
    output = captured.text();
  }
  if (end == line.size()) return output;
  const std::string rest = line.substr(end);
  const CapturedOutput captured;
  run_shell(rest.front() == '>'   ? "cat " + rest
            : rest.front() == '|' ? rest.substr(1)
                                  : rest,
            output);
  return captured.text();
}

}  // namespace genera::cli::tour
