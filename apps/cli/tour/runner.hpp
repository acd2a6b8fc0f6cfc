#pragma once

#include <map>
#include <string>
#include <vector>

namespace genera::cli::tour {

/// Runs lines of a shell in the working folder, each line once. `genera WORDS` runs in this
/// process; the rest of a line, from an unquoted | or > on, runs in a shell, as do other lines.
class CommandRunner {
 public:
  explicit CommandRunner(int threads) : threads_(threads) {}

  /// The lines of a text, preceded by the earlier lines that made the files which they name.
  /// Line breaks in single quotes do not end a line.
  [[nodiscard]] std::string complete(const std::string& text);
  /// Runs the lines; returns what the last one prints. Throws Error (bad_data) if a shell fails.
  std::string run(const std::string& text);

 private:
  [[nodiscard]] std::string output_of(const std::string& line) const;

  int threads_;
  std::map<std::string, std::string> outputs_;              ///< of the lines that have run
  std::map<std::string, std::vector<std::string>> makers_;  ///< the lines that make a file
};

/// The words of a line: split at white space.
[[nodiscard]] std::vector<std::string> words_of(const std::string& line);

}  // namespace genera::cli::tour
