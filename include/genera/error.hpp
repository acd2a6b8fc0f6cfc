#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace genera {

/// What has to change before the call can succeed: the request, the data, or the model.
enum class Errc {
  bad_argument,  ///< an option or an argument is wrong
  bad_data,      ///< the data or a file cannot be used
  bad_model,     ///< a model cannot be built or loaded, or does not support the query
  stopped,       ///< the caller stopped the call: see Control
};

/// An option mentioned in a message: its name in snake_case (`missing_token`) and the values to
/// give it, if any.
struct OptionUse {
  std::string name;
  std::vector<std::string> values{};
  friend bool operator==(const OptionUse&, const OptionUse&) = default;
};

/// A message that mentions options. Each edge writes them in its own form (`--shrinkage oas`,
/// `shrinkage="oas"`): see in_words.
struct Advice {
  std::string text{};  ///< each `{}` is replaced by the next option; literal braces are doubled
  std::vector<OptionUse> options{};

  Advice() = default;
  Advice(const char* sentence);         ///< a message without options, verbatim
  Advice(const std::string& sentence);  ///< the same
  Advice(OptionUse option) : text("{}"), options{std::move(option)} {}
  /// The number of `{}` in `text` must equal the number of `options`.
  Advice(std::string text, std::vector<OptionUse> options);

  Advice& operator+=(Advice more);
  friend Advice operator+(Advice first, Advice second) { return first += std::move(second); }
  friend bool operator==(const Advice&, const Advice&) = default;
};

/// The message with each option formatted by `word`.
[[nodiscard]] std::string in_words(const Advice& advice,
                                   const std::function<std::string(const OptionUse&)>& word);
/// The message with options as C++ assignments: `shrinkage = oas`, `drop = a, b`, `weights`.
[[nodiscard]] std::string in_words(const Advice& advice);

/// The only exception that the library throws.
class Error : public std::runtime_error {
 public:
  /// `problem`: one sentence that states what is wrong and where. `hint`: one sentence with the
  /// remedy.
  Error(Errc code, Advice problem, Advice hint);
  Error(const Error&);  // these five are defined in one source, to keep callers small
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error() override;

  [[nodiscard]] Errc code() const { return code_; }
  /// The text of what(), in which each edge formats the options.
  [[nodiscard]] const Advice& problem() const { return problem_; }
  [[nodiscard]] const Advice& hint() const { return hint_; }

 private:
  Errc code_;
  Advice problem_, hint_;
};

/// A hint for a mistyped name: "did you mean 'a' or 'b'?", or `otherwise` if none of `candidates`
/// is near.
[[nodiscard]] std::string suggest(std::string_view word, const std::vector<std::string>& candidates,
                                  std::string_view otherwise);

/// "a, b or c".
[[nodiscard]] std::string alternatives(const std::vector<std::string>& names);

/// "1 row", "3 rows"; `many` where it is not `one` and an s: "2 classes", "5 rows are".
[[nodiscard]] std::string counted(std::ptrdiff_t count, std::string_view one,
                                  std::string_view many = {});

}  // namespace genera
