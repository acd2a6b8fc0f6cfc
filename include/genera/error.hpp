#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace genera {

/// Who can fix it: the person who typed the request, or the person who owns the data.
enum class Errc {
  bad_argument,  ///< an option or an argument is wrong
  bad_data,      ///< the data (or a file) cannot be used as they are
  bad_model,     ///< a model cannot be built, loaded or asked this
  stopped,       ///< the caller asked for it: see Control
};

/// An option that a sentence speaks of: its name in snake_case (`missing_token`), and perhaps the
/// values to give it.
struct OptionUse {
  std::string name;
  std::vector<std::string> values{};
  friend bool operator==(const OptionUse&, const OptionUse&) = default;
};

/// A sentence for people that speaks of options, which each edge writes in its own words
/// (`--shrinkage oas`, `shrinkage="oas"`): see in_words.
struct Advice {
  std::string text{};  ///< each `{}` is the next option; a brace of the sentence itself is doubled
  std::vector<OptionUse> options{};

  Advice() = default;
  Advice(const char* sentence);         ///< a sentence without options, verbatim
  Advice(const std::string& sentence);  ///< the same
  Advice(OptionUse option) : text("{}"), options{std::move(option)} {}
  /// Each `{}` of `text` stands for one of `options`: there must be as many.
  Advice(std::string text, std::vector<OptionUse> options);

  Advice& operator+=(Advice more);
  friend Advice operator+(Advice first, Advice second) { return first += std::move(second); }
  friend bool operator==(const Advice&, const Advice&) = default;
};

/// The sentence with every option as `word` writes it.
[[nodiscard]] std::string in_words(const Advice& advice,
                                   const std::function<std::string(const OptionUse&)>& word);
/// In the words of C++: `shrinkage = oas`, `drop = a, b`, `weights`.
[[nodiscard]] std::string in_words(const Advice& advice);

/// The only exception that leaves the library.
class Error : public std::runtime_error {
 public:
  /// `problem`: one sentence of what is wrong and where. `hint`: one sentence of what to do.
  Error(Errc code, Advice problem, Advice hint);
  Error(const Error&);  // these five are compiled once, not wherever it is used
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error() override;

  [[nodiscard]] Errc code() const { return code_; }
  /// what(), of which each edge writes the options in its own words.
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
