#pragma once

#include "options/common.hpp"
#include "tour/page.hpp"

#include <genera/classifier.hpp>
#include <genera/control.hpp>
#include <genera/query.hpp>
#include <genera/table.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace genera::cli::tour {

/// One line of a shell, which can be copied: genera with its words, or something that writes a
/// file.
struct Command {
  std::string line;
  std::string file{};     ///< what it writes; empty: genera
  std::string content{};  ///< into it
};
/// genera and words without blanks in them; the last two may be > FILE.
[[nodiscard]] Command genera_command(const std::string& words);
/// printf '…' > file
[[nodiscard]] Command file_command(const std::string& file, const std::string& content);
/// The lines of @iris in which `species` does not occur: grep -v.
[[nodiscard]] Command iris_without(const std::string& file, const std::string& species);
/// @iris with every species called unknown: sed.
[[nodiscard]] Command unlabelled_iris(const std::string& file);

using Commands = std::vector<Command>;
[[nodiscard]] Commands operator+(Commands first, const Commands& then);
/// As one types them, a line each.
[[nodiscard]] std::string typed(const Commands& commands);

/// A folder in which commands are run, each once, and their results read again.
class Workshop {
 public:
  Workshop(std::string folder, const Common& common);

  void run(const Commands& commands);
  /// Runs them; what the last one prints.
  [[nodiscard]] std::string printed(const Commands& commands);
  /// Runs them; the last one draws the figure that its -o names.
  [[nodiscard]] Figure figure(const Commands& commands, std::string caption,
                              std::string description);

  [[nodiscard]] Classifier classifier(const std::string& name) const;
  [[nodiscard]] Model model(const std::string& name) const;
  /// The rows of a file of the folder, or of a built-in set, for a model.
  [[nodiscard]] Table rows(const std::string& data, ClassifierRef model,
                           Purpose purpose = Purpose::evaluate) const;
  [[nodiscard]] std::string text(const std::string& name) const;
  [[nodiscard]] Control control() const;

 private:
  [[nodiscard]] std::string path(const std::string& name) const;
  void run(const Command& command);

  std::string folder_;
  const Common& common_;
  std::set<std::string> done_;                  ///< lines
  std::map<std::string, std::string> printed_;  ///< by them
  std::set<std::string> made_;                  ///< files of the folder
};

}  // namespace genera::cli::tour
