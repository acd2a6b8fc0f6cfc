#include "show/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace genera::cli {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool continues(std::string_view text, std::size_t i) {
  return i < text.size() && (byte_at(text, i) & 0xC0U) == 0x80U;
}

struct Character {
  char32_t code;
  std::size_t bytes;  ///< 0: not UTF-8
};

Character character_at(std::string_view text, std::size_t i) {
  const unsigned head = byte_at(text, i);
  if (head < 0x80) return {head, 1};
  const std::size_t bytes = head >= 0xF0 ? 4 : head >= 0xE0 ? 3 : 2;
  if (head < 0xC2 || head > 0xF4) return {0, 0};
  char32_t code = head & (0x7FU >> bytes);
  for (std::size_t j = 1; j < bytes; ++j) {
    if (!continues(text, i + j)) return {0, 0};
    code = code << 6U | (byte_at(text, i + j) & 0x3FU);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool no_character = (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF;
  return {code, overlong || no_character ? 0 : bytes};
}

/// Characters that move the cursor, end a line or change the direction of writing.
bool controls(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

void append_escaped(std::string& to, std::string_view bytes) {
  for (const char c : bytes) {
    if (c == '\n')
      to += "\\n";
    else if (c == '\t')
      to += "\\t";
    else if (c == '\r')
      to += "\\r";
    else
      fmt::format_to(std::back_inserter(to), "\\x{:02x}", static_cast<unsigned char>(c));
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, bytes] = character_at(text, i);
    const std::string_view all = text.substr(i, std::max<std::size_t>(bytes, 1));
    if (bytes > 0 && !controls(code))
      result += all;
    else
      append_escaped(result, all);
    i += all.size();
  }
  return result;
}

std::size_t places_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string clipped(std::string_view text, std::size_t max) {
  const std::string whole = printable(text);
  const std::size_t places = places_of(whole);
  if (places <= max) return whole;
  const std::size_t head = max / 2, tail = max - 1 - head;
  std::size_t end = 0, begin = 0;
  for (std::size_t at = 0, place = 0; at < whole.size(); ++place) {
    if (place == head) end = at;
    if (place == places - tail) begin = at;
    ++at;
    while (continues(whole, at)) ++at;
  }
  return whole.substr(0, end) + "…" + (tail > 0 ? whole.substr(begin) : "");
}

std::string shortened(std::string_view text, std::size_t max) {
  if (text.size() <= max) return std::string(text);
  std::size_t head = max * 3 / 4, tail = text.size() - max / 4;
  while (head > 0 && continues(text, head)) --head;  // whole characters
  while (continues(text, tail)) ++tail;
  return fmt::format("{} … ({} bytes) … {}", text.substr(0, head), text.size(), text.substr(tail));
}

std::string brief(std::string_view name) {
  constexpr std::size_t longest = 200;
  return printable(shortened(name, longest));
}

std::string readable_sentence(std::string_view sentence) {
  constexpr std::size_t longest_piece = 500, longest = 8000;
  std::string text;
  for (std::size_t begin = 0; begin <= sentence.size() && text.size() <= longest;) {
    const std::size_t end = std::min(sentence.find('\'', begin), sentence.size());
    text += shortened(sentence.substr(begin, end - begin), longest_piece);
    if (end < sentence.size()) text += '\'';
    begin = end + 1;
  }
  return printable(shortened(text, longest));
}

}  // namespace genera::cli
