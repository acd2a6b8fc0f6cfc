#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <genera/types.hpp>

namespace genera::data {

/// Cuts a text into lower-case pieces, from which terms are formed. Reuses memory from text to
/// text. Bytes that are not UTF-8 act as blanks.
class TextPieces {
 public:
  enum class Words { apart, joined };

  /// Pieces are words: runs of two or more letters, digits or underscores. Combining marks continue
  /// a word but neither begin nor lengthen it. Runs of several words require `words` to join them.
  void cut_words(std::string_view text, Words words);

  /// Pieces are code points. A run of white space is one blank, and none at the ends.
  void cut_characters(std::string_view text);

  [[nodiscard]] Index count() const { return static_cast<Index>(count_); }
  [[nodiscard]] bool malformed() const { return malformed_; }

  /// The pieces [first, first + length) as one text; words are joined by blanks. Sixteen bytes are
  /// readable from its beginning.
  [[nodiscard]] std::string_view run(Index first, Index length) const {
    const std::size_t begin = edges_[2 * static_cast<std::size_t>(first)];
    const std::size_t end = edges_[2 * static_cast<std::size_t>(first + length) - 1];
    return {bytes_.get() + begin, end - begin};
  }

 private:
  void make_room(std::string_view text);
  [[nodiscard]] bool cut_ascii_words(std::string_view text);
  void join_words();
  void add_piece(const char* begin, const char* end);

  std::size_t room_ = 0;           // capacity in bytes of text
  std::unique_ptr<char[]> bytes_;  // bytes_ and edges_ are not touched before they are written
  std::unique_ptr<std::size_t[]> edges_;  // begin and end of each piece
  std::size_t count_ = 0;                 // number of pieces
  bool malformed_ = false;
};

}  // namespace genera::data
