#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace genera {

/// Who can mend it: the person who typed the request, or the person who owns the data.
enum class Errc {
  bad_argument,  ///< an option or an argument is wrong
  bad_data,      ///< the data (or a file) cannot be used as they are
  bad_model,     ///< a model cannot be built, loaded or asked this
};

/// The only exception that leaves the library.
class Error : public std::runtime_error {
 public:
  /// `what`: one sentence of what is wrong and where. `hint`: one sentence of what to do.
  Error(Errc code, const std::string& what, std::string hint)
      : std::runtime_error(what), code_(code), hint_(std::move(hint)) {}

  [[nodiscard]] Errc code() const { return code_; }
  [[nodiscard]] const std::string& hint() const { return hint_; }

 private:
  Errc code_;
  std::string hint_;
};

/// A hint for a mistyped name: "did you mean 'a' or 'b'?", or `otherwise` if none of `candidates`
/// is near.
[[nodiscard]] std::string suggest(std::string_view word, const std::vector<std::string>& candidates,
                                  std::string_view otherwise);

}  // namespace genera
