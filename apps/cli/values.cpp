#include "values.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace genera::cli {

double parse_number(const std::string& option, const std::string& text) {
  double value = 0;
  if (read_whole(text, value) && std::isfinite(value)) return value;
  throw Error(Errc::bad_argument, option + " is '" + text + "', which is not a number",
              "write a finite number such as 0.25");
}

double parse_probability(const std::string& option, const std::string& text) {
  const double value = parse_number(option, text);
  if (value >= 0 && value <= 1) return value;
  throw Error(Errc::bad_argument, option + " is " + text + ", expected a number from 0 to 1",
              "write a probability such as 0.9");
}

double parse_inner_probability(const std::string& option, const std::string& text) {
  const double value = parse_number(option, text);
  if (value > 0 && value < 1) return value;
  throw Error(Errc::bad_argument, option + " is " + text + ", expected a number between 0 and 1",
              "write a small probability such as 0.01");
}

Index parse_whole_number(const std::string& option, const std::string& text, Index min) {
  Index value = 0;
  if (read_whole(text, value) && value >= min) return value;
  throw Error(
      Errc::bad_argument,
      option + " is '" + text + "', expected a whole number of at least " + std::to_string(min),
      "write a number such as " + std::to_string(min + 10));
}

Index parse_count(const std::string& option, const std::optional<std::string>& text) {
  return text ? parse_whole_number(option, *text, 1) : 0;
}

template <class Number>
bool read_whole(std::string_view text, Number& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}
template bool read_whole(std::string_view, int&);
template bool read_whole(std::string_view, Index&);
template bool read_whole(std::string_view, std::uint64_t&);
template bool read_whole(std::string_view, double&);

void refuse_choice(const std::string& option, const std::string& text,
                   const std::vector<std::string>& names) {
  throw Error(Errc::bad_argument, option + " is '" + text + "', expected " + alternatives(names),
              suggest(text, names, "choose " + alternatives(names)));
}

}  // namespace genera::cli
