#include "verb.hpp"

namespace genera::cli {

std::string OptionText::long_name() const {
  const std::size_t comma = names.find(',');
  return comma == std::string::npos ? names : names.substr(comma + 1);
}

std::vector<std::string> VerbText::option_names() const {
  std::vector<std::string> names;
  for (const OptionGroup& group : groups)
    for (const OptionText& option : group.options) names.push_back(option.long_name());
  return names;
}

}  // namespace genera::cli
