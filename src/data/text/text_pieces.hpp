#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <genera/types.hpp>

namespace genera::data {

/// A text, in lower case, cut into the pieces that terms are runs of. Memory is kept from text to
/// text. Bytes that are not UTF-8 act as blanks.
class TextPieces {
 public:
  /// Pieces are words: runs of two or more letters, digits or underscores. Combining marks continue
  /// a word, but neither begin nor lengthen it.
  void cut_words(std::string_view text);

  /// Pieces are characters: code points. A run of white space is one blank, at both ends none.
  void cut_characters(std::string_view text);

  [[nodiscard]] Index count() const { return static_cast<Index>(begins_.size()) - 1; }
  [[nodiscard]] bool malformed() const { return malformed_; }

  /// The pieces [first, first + length) as one text; words are joined by blanks.
  [[nodiscard]] std::string_view run(Index first, Index length) const {
    const std::size_t begin = begins_[static_cast<std::size_t>(first)];
    const std::size_t next = begins_[static_cast<std::size_t>(first + length)];
    return {bytes_.data() + begin, next - gap_ - begin};
  }

 private:
  void make_room(std::string_view text);

  std::vector<char> bytes_;                // pieces, each followed by `gap_` blanks
  std::vector<std::size_t> begins_ = {0};  // of the pieces, and where the next would begin
  std::size_t gap_ = 0;
  bool malformed_ = false;
};

}  // namespace genera::data
