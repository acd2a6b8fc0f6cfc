#include "data/text/text_pieces.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include <utf8proc.h>

#include "kernel/bytes.hpp"
#include "kernel/word_edges.hpp"

namespace genera::data {
namespace {

constexpr char separator = 0, beyond_ascii = 1;

/// For each byte: its lower case if it can be part of a word, otherwise its category.
constexpr std::array<char, 256> word_bytes = [] {
  std::array<char, 256> bytes{};
  for (std::size_t i = 0x80; i < 0x100; ++i) bytes[i] = beyond_ascii;
  for (char c = '0'; c <= '9'; ++c) bytes[static_cast<unsigned char>(c)] = c;
  for (char c = 'a'; c <= 'z'; ++c) bytes[static_cast<unsigned char>(c)] = c;
  for (char c = 'A'; c <= 'Z'; ++c)
    bytes[static_cast<unsigned char>(c)] = static_cast<char>(c - 'A' + 'a');
  bytes[static_cast<unsigned char>('_')] = '_';
  return bytes;
}();

char word_byte(char byte) { return word_bytes[static_cast<unsigned char>(byte)]; }

struct Cursor {
  const char* at;
  const char* end;
  char* out;
  bool malformed = false;
};

/// Advances by one code point, or by one byte that does not begin one; -1: not UTF-8.
utf8proc_int32_t next_code_point(Cursor& cursor) {
  if (static_cast<unsigned char>(*cursor.at) < 0x80) return *cursor.at++;
  utf8proc_int32_t code = -1;
  const utf8proc_ssize_t bytes = utf8proc_iterate(
      reinterpret_cast<const utf8proc_uint8_t*>(cursor.at), cursor.end - cursor.at, &code);
  cursor.at += bytes > 0 ? bytes : 1;
  if (bytes > 0) return code;
  cursor.malformed = true;
  return -1;
}

void put_lower(Cursor& cursor, utf8proc_int32_t code) {
  if (code < 0x80)
    *cursor.out++ = static_cast<char>(code >= 'A' && code <= 'Z' ? code - 'A' + 'a' : code);
  else
    cursor.out += utf8proc_encode_char(utf8proc_tolower(code),
                                       reinterpret_cast<utf8proc_uint8_t*>(cursor.out));
}

enum class Role { apart, mark, letter };

Role role_in_words(utf8proc_int32_t code) {
  const utf8proc_category_t category = code < 0 ? UTF8PROC_CATEGORY_CN : utf8proc_category(code);
  if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) return Role::letter;
  if (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO) return Role::letter;
  if (category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME) return Role::mark;
  return Role::apart;
}

constexpr std::uint64_t ones = 0x0101010101010101U, tops = 0x80 * ones;

/// Sets the top bit of each byte in [first, last]; bytes must be ASCII.
constexpr std::uint64_t between(std::uint64_t bytes, char first, char last) {
  const auto reaches = [bytes](int min) {
    return bytes + static_cast<std::uint64_t>(0x80 - min) * ones;
  };
  return reaches(first) & ~reaches(last + 1) & tops;
}

/// Copies ASCII characters of a word, eight bytes at a time, so that most words end without an
/// unpredictable branch.
void copy_ascii(Cursor& cursor) {
  while (cursor.end - cursor.at >= 8) {
    const std::uint64_t bytes = kernel::eight_bytes(cursor.at);
    if ((bytes & tops) != 0) break;
    const std::uint64_t letters = between(bytes | 0x20 * ones, 'a', 'z');
    const std::uint64_t inside = letters | between(bytes, '0', '9') | between(bytes, '_', '_');
    kernel::put_eight_bytes(cursor.out, bytes | letters >> 2U);
    const int length = std::countr_zero(inside ^ tops) / 8;
    cursor.at += length;
    cursor.out += length;
    if (length < 8) return;
  }
  for (; cursor.at != cursor.end && word_byte(*cursor.at) > beyond_ascii; ++cursor.at)
    *cursor.out++ = word_byte(*cursor.at);
}

/// Copies a word, if there is one; returns its number of letters, digits and underscores.
std::ptrdiff_t copy_word(Cursor& cursor) {
  std::ptrdiff_t letters = 0;
  for (;;) {
    const char* const begin = cursor.at;
    copy_ascii(cursor);
    letters += cursor.at - begin;
    if (cursor.at == cursor.end || word_byte(*cursor.at) == separator) return letters;
    const utf8proc_int32_t code = next_code_point(cursor);
    const Role role = role_in_words(code);
    if (role == Role::apart || (role == Role::mark && letters == 0)) return letters;
    put_lower(cursor, code);
    letters += role == Role::letter;
  }
}

/// The Unicode property White_Space.
bool is_space(utf8proc_int32_t code) {
  if (code < 0x80) return code == ' ' || (code >= '\t' && code <= '\r');
  const utf8proc_category_t category = utf8proc_category(code);
  return code == 0x85 || (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP);
}

}  // namespace

void TextPieces::make_room(std::string_view text) {
  count_ = 0;
  malformed_ = false;
  if (bytes_ && text.size() <= room_) return;
  room_ = std::max(text.size(), 2 * room_);
  // Lower case needs at most 3 bytes for 2 (U+023A); whole blocks are written at once.
  bytes_ = std::make_unique_for_overwrite<char[]>(2 * room_ + kernel::edge_block);
  edges_ = std::make_unique_for_overwrite<std::size_t[]>(2 * room_ + kernel::more_edges);
}

void TextPieces::add_piece(const char* begin, const char* end) {
  edges_[2 * count_] = static_cast<std::size_t>(begin - bytes_.get());
  edges_[2 * count_ + 1] = static_cast<std::size_t>(end - bytes_.get());
  ++count_;
}

bool TextPieces::cut_ascii_words(std::string_view text) {
  const std::ptrdiff_t found = kernel::word_edges(text, bytes_.get(), edges_.get());
  if (found < 0) return false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(found); i += 2) {  // without a branch
    const std::size_t begin = edges_[i], end = edges_[i + 1];
    edges_[2 * count_] = begin;
    edges_[2 * count_ + 1] = end;
    count_ += end - begin >= 2 ? 1 : 0;
  }
  return true;
}

/// Moves words to the left so that single blanks separate them.
void TextPieces::join_words() {
  char* to = bytes_.get();
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t length = edges_[2 * i + 1] - edges_[2 * i];
    std::memmove(to, bytes_.get() + edges_[2 * i], length);
    edges_[2 * i] = static_cast<std::size_t>(to - bytes_.get());
    edges_[2 * i + 1] = edges_[2 * i] + length;
    to[length] = ' ';
    to += length + 1;
  }
}

void TextPieces::cut_words(std::string_view text, Words words) {
  make_room(text);
  if (cut_ascii_words(text)) {
    if (words == Words::joined) join_words();
    return;
  }
  Cursor cursor{text.data(), text.data() + text.size(), bytes_.get()};
  while (cursor.at != cursor.end) {
    if (word_byte(*cursor.at) == separator) {
      ++cursor.at;
      continue;
    }
    char* const begin = cursor.out;
    if (copy_word(cursor) < 2) {
      cursor.out = begin;
      continue;
    }
    add_piece(begin, cursor.out);
    *cursor.out++ = ' ';
  }
  malformed_ = cursor.malformed;
}

void TextPieces::cut_characters(std::string_view text) {
  make_room(text);
  Cursor cursor{text.data(), text.data() + text.size(), bytes_.get()};
  bool blank = false;
  while (cursor.at != cursor.end) {
    const utf8proc_int32_t code = next_code_point(cursor);
    if (code < 0 || is_space(code)) {
      blank = true;
      continue;
    }
    if (blank && count_ > 0) {
      *cursor.out++ = ' ';
      add_piece(cursor.out - 1, cursor.out);
    }
    blank = false;
    const char* const begin = cursor.out;
    put_lower(cursor, code);
    add_piece(begin, cursor.out);
  }
  malformed_ = cursor.malformed;
}

}  // namespace genera::data
