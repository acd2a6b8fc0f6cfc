#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/table.hpp>

namespace genera {
namespace {

constexpr int max_words = 8, max_characters = 16, min_bits = 1, max_bits = 24;

void check_lengths(std::string_view what, TextOptions::Lengths lengths, int max,
                   const Advice& hint) {
  if (1 <= lengths.min && lengths.min <= lengths.max && lengths.max <= max) return;
  throw Error(Errc::bad_argument,
              fmt::format("terms of {} to {} {} are not possible", lengths.min, lengths.max, what),
              hint);
}

}  // namespace

void validate(const TextOptions& options) {
  check_lengths(
      "words", options.words, max_words,
      {"give {} one length or two, such as 1-2, from 1 to 8, the smaller first", {{"ngrams"}}});
  if (options.chars)
    check_lengths(
        "characters", *options.chars, max_characters,
        {"give {} one length or two, such as 3-5, from 1 to 16, the smaller first", {{"chars"}}});
  if (options.chars && !(options.words == TextOptions::Lengths{}))
    throw Error(Errc::bad_argument, "terms are words or characters, not both",
                {"leave {} or {} out", {{"ngrams"}, {"chars"}}});
  const int bits = options.hash_bits;
  if (bits != 0 && (bits < min_bits || bits > max_bits))
    throw Error(Errc::bad_argument, fmt::format("terms cannot be hashed to {} bits", bits),
                {"give {} a number from 1 to 24, or 0 to keep every term apart", {{"hash_bits"}}});
}

}  // namespace genera
