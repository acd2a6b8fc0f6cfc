#include "tour/values.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace genera::cli::tour {
namespace {

constexpr std::string_view path_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]";

[[noreturn]] void refuse_expression(std::string_view expression) {
  throw Error(Errc::bad_data, fmt::format("'{}' is not a value of the tour", expression),
              "name a block of values, then keys and indices of its JSON");
}

}  // namespace

std::string formatted(double value, std::string_view format) {
  std::string text = fmt::format(fmt::runtime(fmt::format("{{:{}}}", format)), value);
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

/// Evaluates sums, products and functions of numbers, from left to right.
class Expression {
 public:
  Expression(const Values& values, std::string_view text)
      : values_(values), text_(text), rest_(text) {}

  [[nodiscard]] double value() {
    const double all = sum();
    if (rest_.find_first_not_of(' ') != std::string_view::npos) refuse_expression(text_);
    return all;
  }

 private:
  [[nodiscard]] bool take(std::string_view symbol) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    if (!rest_.starts_with(symbol)) return false;
    rest_.remove_prefix(symbol.size());
    return true;
  }

  [[nodiscard]] double sum() {
    double total = product();
    while (true) {
      if (take("+")) {
        total += product();
      } else if (take("-")) {
        total -= product();
      } else {
        return total;
      }
    }
  }

  [[nodiscard]] double product() {
    double total = factor();
    while (true) {
      if (take("*")) {
        total *= factor();
      } else if (take("/")) {
        total /= factor();
      } else {
        return total;
      }
    }
  }

  [[nodiscard]] double factor() {
    if (take("-")) return -factor();
    if (take("sqrt(")) return std::sqrt(in_parentheses());
    if (take("asin(")) return std::asin(in_parentheses());
    if (take("(")) return in_parentheses();
    const std::string_view path =
        rest_.substr(0, std::min(rest_.find_first_not_of(path_characters), rest_.size()));
    rest_.remove_prefix(path.size());
    const std::string number(path);
    char* end = nullptr;
    const double literal = std::strtod(number.c_str(), &end);
    if (!path.empty() && *end == '\0') return literal;
    if (const double* found = std::get_if<double>(&values_.at(path).value)) return *found;
    refuse_expression(text_);
  }

  [[nodiscard]] double in_parentheses() {
    const double inside = sum();
    if (!take(")")) refuse_expression(text_);
    return inside;
  }

  const Values& values_;
  std::string_view text_, rest_;
};

void Values::add(const std::string& name, const std::string& output) {
  if (std::optional<JsonTree> tree = parse_json(output)) {
    trees_[name] = std::move(*tree);
  } else {
    trees_[name].value = output.substr(0, output.find_last_not_of('\n') + 1);
  }
}

const JsonTree& Values::at(std::string_view path) const {
  std::string_view rest = path;
  const auto key = [&] {
    const std::string_view name = rest.substr(0, std::min(rest.find_first_of(".["), rest.size()));
    rest.remove_prefix(name.size());
    return name;
  };
  const auto found = trees_.find(key());
  const JsonTree* tree = found == trees_.end() ? nullptr : &found->second;
  while (tree != nullptr && !rest.empty()) {
    const bool index = rest.front() == '[';
    rest.remove_prefix(1);
    if (!index) {
      tree = tree->find(key());
      continue;
    }
    const std::string number(rest.substr(0, std::min(rest.find(']'), rest.size())));
    rest.remove_prefix(std::min(number.size() + 1, rest.size()));
    const std::size_t i = std::strtoul(number.c_str(), nullptr, 10);
    tree = i < tree->items().size() ? &tree->items()[i] : nullptr;
  }
  if (tree == nullptr) refuse_expression(path);
  return *tree;
}

std::string Values::value_of(std::string_view expression) const {
  const std::size_t colon = std::min(expression.find(':'), expression.size());
  const std::string_view wanted = expression.substr(0, colon);
  if (wanted.find_first_not_of(path_characters) == std::string_view::npos) {
    if (const auto* text = std::get_if<std::string>(&at(wanted).value)) return *text;
  }
  const double value = Expression(*this, wanted).value();
  return colon == expression.size() ? formatted(value)
                                    : formatted(value, expression.substr(colon + 1));
}

std::string Values::filled(std::string_view text) const {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool script = i > 0 && (text[i - 1] == '_' || text[i - 1] == '^');
    if (text[i] != '{' || script) {
      out += text[i];
      continue;
    }
    const std::size_t end = text.find('}', i);
    if (end == std::string_view::npos) refuse_expression(text.substr(i));
    out += value_of(text.substr(i + 1, end - i - 1));
    i = end;
  }
  return out;
}

std::size_t Values::repetitions(std::string_view text) const {
  const std::size_t star = text.find("[*]");
  if (star == std::string_view::npos) return 0;
  const std::string_view before = text.substr(0, star);
  return at(before.substr(before.find_last_not_of(path_characters) + 1)).items().size();
}

}  // namespace genera::cli::tour
