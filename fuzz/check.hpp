#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <genera/classifier.hpp>
#include <genera/error.hpp>
#include <genera/rows.hpp>
#include <genera/table.hpp>

/// What every fuzz target needs: promises that are kept or end the program, and choices read from
/// the input.
namespace genera::fuzz {

/// Ends the program, as a crash would, if a promise is broken.
void require(bool kept, std::string_view promise);

/// Runs `act`. Refusing is right if the refusal is an Error with a sentence and a hint: returns
/// the sentence, or nothing if `act` went through. Any other exception ends the program.
template <class Act>
[[nodiscard]] std::string refusal(Act&& act) {
  try {
    act();
  } catch (const Error& e) {
    require(std::string_view(e.what()).size() > 0, "an error says what is wrong");
    require(!in_words(e.hint()).empty(), "an error says what to do");
    return e.what();
  }
  return {};
}

/// The bytes of an input; the first ones are choices.
class Input {
 public:
  explicit Input(std::string_view bytes) : rest_(bytes) {}
  /// The next choice, below `n`; 0 if there are no more bytes.
  [[nodiscard]] std::size_t choice(std::size_t n);
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// A number that depends on all bytes: to do what takes long only now and then.
[[nodiscard]] std::uint64_t hash_of(std::string_view bytes);

/// Labels, codes, entries and cells of a table lie where they may, and no number is infinite.
void check_table(const Table& table);

/// No answer to a question about these rows is NaN or out of range, and all ways to ask agree.
void check_answers(ClassifierRef model, const Rows& rows);

/// Bytes and back give the same model, in both formats; it describes itself; samples, holes and
/// parameters can be drawn from it or are refused.
void check_model(const Classifier& model, std::uint64_t hash);

}  // namespace genera::fuzz
