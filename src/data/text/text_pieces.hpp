#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <genera/types.hpp>

namespace genera::data {

/// A text, in lower case, cut into the pieces that terms are runs of. Memory is kept from text to
/// text. Bytes that are not UTF-8 act as blanks.
class TextPieces {
 public:
  enum class Words { apart, joined };

  /// Pieces are words: runs of two or more letters, digits or underscores. Combining marks continue
  /// a word, but neither begin nor lengthen it. A run of several words can be asked for only if
  /// they are to be joined.
  void cut_words(std::string_view text, Words words);

  /// Pieces are characters: code points. A run of white space is one blank, at both ends none.
  void cut_characters(std::string_view text);

  [[nodiscard]] Index count() const { return static_cast<Index>(count_); }
  [[nodiscard]] bool malformed() const { return malformed_; }

  /// The pieces [first, first + length) as one text; words are joined by blanks. Sixteen bytes can
  /// be read from its beginning.
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

  std::size_t room_ = 0;                  // for a text of so many bytes
  std::unique_ptr<char[]> bytes_;         // neither is touched before it is written:
  std::unique_ptr<std::size_t[]> edges_;  // where each piece begins and ends
  std::size_t count_ = 0;                 // of pieces
  bool malformed_ = false;
};

}  // namespace genera::data
