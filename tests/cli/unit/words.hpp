#pragma once

#include "command_line.hpp"
#include "verbs/registry.hpp"

#include <string>
#include <vector>

namespace genera::cli {

using Line = std::vector<std::string>;

/// A command line, the verb first, as its verb receives it.
inline Words words_of(const Line& line) {
  return take_apart(verb_named(line.at(0)).text, {line.begin() + 1, line.end()});
}

/// The options of a command line that has nothing else: {"--model", "qda"}.
inline Words options(const Line& line) {
  Words words;
  for (std::size_t i = 0; i + 1 < line.size(); i += 2)
    words.options[line[i]].push_back(line[i + 1]);
  return words;
}

}  // namespace genera::cli
