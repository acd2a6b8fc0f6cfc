#include <genera/roles.hpp>

#include <fmt/format.h>

namespace genera {

/// The numbers have equally many digits, so that the names sort as the limits do.
std::vector<std::string> names_of_bins(const Vector& edges) {
  const std::size_t width = std::to_string(edges.size() + 1).size();
  std::vector<std::string> names;
  for (std::size_t i = 0; i <= edges.size(); ++i) {
    const std::string number = fmt::format("{:0{}}: ", i + 1, width);
    if (edges.empty())
      names.push_back(number + "all");
    else if (i == 0)
      names.push_back(fmt::format("{}below {}", number, edges[0]));
    else if (i == edges.size())
      names.push_back(fmt::format("{}from {}", number, edges[i - 1]));
    else
      names.push_back(fmt::format("{}{} to {}", number, edges[i - 1], edges[i]));
  }
  return names;
}

Target Target::if_present(std::string name) {
  Target target(std::move(name));
  target.need_ = Need::if_present;
  return target;
}

Target Target::if_named() {
  Target target;
  target.need_ = Need::if_present;
  return target;
}

Target Target::none() {
  Target target;
  target.need_ = Need::none;
  return target;
}

}  // namespace genera
