#include "document/value.hpp"

#include <genera/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ostream>
#include <utility>

namespace genera::document {
namespace {

class Printer {
 public:
  explicit Printer(std::ostream& out) : out_(out) {}

  void print(const Value& value, std::size_t indent) {
    std::visit(overloaded{
                   [&](std::nullptr_t) { out_ << "null"; },
                   [&](bool flag) { out_ << (flag ? "true" : "false"); },
                   [&](double x) { out_ << number_text(x); },
                   [&](const std::string& text) { print_text(text); },
                   [&](const Numbers& numbers) { print_numbers(numbers); },
                   [&](const List& list) { print_list(list, indent); },
                   [&](const Members& members) { print_members(members, indent); },
               },
               value.data);
  }

 private:
  void print_text(const std::string& text) {
    require_utf8(text);
    out_ << *quoted(text);
  }

  void print_numbers(const Numbers& numbers) {
    out_ << '[';
    for (std::size_t i = 0; i < numbers.size(); ++i)
      out_ << (i > 0 ? ", " : "") << number_text(numbers[i]);
    out_ << ']';
  }

  void print_list(const List& list, std::size_t indent) {
    const bool flat = std::none_of(list.begin(), list.end(), [](const Value& value) {
      return std::holds_alternative<Numbers>(value.data) ||
             std::holds_alternative<List>(value.data) ||
             std::holds_alternative<Members>(value.data);
    });
    out_ << '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out_ << (flat ? ", " : ",");
      if (!flat) start_line(indent + 1);
      print(list[i], indent + 1);
    }
    if (!flat) start_line(indent);
    out_ << ']';
  }

  void print_members(const Members& members, std::size_t indent) {
    out_ << '{';
    const char* separator = "";
    for (const auto& [key, value] : members) {
      out_ << std::exchange(separator, ",");
      start_line(indent + 1);
      print_text(key);
      out_ << ": ";
      print(value, indent + 1);
    }
    if (!members.empty()) start_line(indent);
    out_ << '}';
  }

  void start_line(std::size_t indent) { out_ << '\n' << std::string(2 * indent, ' '); }

  std::ostream& out_;
};

}  // namespace

void require_utf8(const std::string& text) {
  if (quoted(text)) return;
  throw Error(Errc::bad_data,
              "the name '" + text + "' is not valid UTF-8 and cannot be written to a file",
              "convert the data first, for instance with iconv -f latin1 -t utf-8");
}

void print_json(const Value& value, std::ostream& out) {
  Printer(out).print(value, 0);
  out << '\n';
}

std::string number_text(double x) {
  if (std::isnan(x)) return "\"nan\"";
  if (std::isinf(x)) return x > 0 ? "\"inf\"" : "\"-inf\"";
  if (x == 0) return std::signbit(x) ? "-0.0" : "0";  // a parser would read -0 as the integer 0
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x).ptr;
  return {text.data(), end};
}

}  // namespace genera::document
