#include "document/value.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <ostream>

/// CBOR (RFC 8949) of a document: definite lengths, whole numbers as integers, other numbers as
/// doubles.
namespace genera::document {
namespace {

enum class Major : unsigned { natural = 0, negative = 1, text = 3, list = 4, map = 5, simple = 7 };

class CborWriter {
 public:
  explicit CborWriter(std::ostream& out) : out_(out) {}

  void write(const Value& value) {
    std::visit(overloaded{
                   [&](std::nullptr_t) { head(Major::simple, 22); },
                   [&](bool flag) { head(Major::simple, flag ? 21 : 20); },
                   [&](double x) { number(x); },
                   [&](const std::string& value_text) { text(value_text); },
                   [&](const Numbers& numbers) {
                     head(Major::list, numbers.size());
                     for (const double x : numbers) number(x);
                   },
                   [&](const List& list) {
                     head(Major::list, list.size());
                     for (const Value& item : list) write(item);
                   },
                   [&](const Members& members) {
                     head(Major::map, members.size());
                     for (const auto& [key, member] : members) {
                       text(key);
                       write(member);
                     }
                   },
               },
               value.data);
  }

 private:
  void text(const std::string& value) {
    require_utf8(value);
    head(Major::text, value.size());
    out_ << value;
  }

  void number(double x) {
    constexpr double largest_exact = 9007199254740992;  // 2^53
    const bool whole = std::abs(x) <= largest_exact && x == std::trunc(x);
    if (whole && !std::signbit(x)) return head(Major::natural, static_cast<std::uint64_t>(x));
    if (whole && x < 0) return head(Major::negative, static_cast<std::uint64_t>(-x) - 1);
    put(Major::simple, 27);
    big_endian(std::bit_cast<std::uint64_t>(x), 8);
  }

  void head(Major major, std::uint64_t argument) {
    if (argument < 24) return put(major, static_cast<unsigned>(argument));
    unsigned log_bytes = 0;
    while (log_bytes < 3 && argument >> (8U << log_bytes) != 0) ++log_bytes;
    put(major, 24 + log_bytes);
    big_endian(argument, 1U << log_bytes);
  }

  void put(Major major, unsigned info) {
    out_.put(static_cast<char>(static_cast<unsigned>(major) << 5U | info));
  }

  void big_endian(std::uint64_t value, unsigned bytes) {
    std::array<char, 8> text{};
    for (unsigned i = 0; i < bytes; ++i)
      text[i] = static_cast<char>(value >> (8U * (bytes - 1 - i)) & 0xFFU);
    out_.write(text.data(), bytes);
  }

  std::ostream& out_;
};

}  // namespace

void print_cbor(const Value& value, std::ostream& out) { CborWriter(out).write(value); }

}  // namespace genera::document
