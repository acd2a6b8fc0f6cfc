#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

/// Where the text of rows comes from. Rows that a program has, or makes, need no text: see
/// <genera/rows.hpp> and CallbackRows in <genera/row_source.hpp>.
namespace genera {

namespace data {
struct FileAccess;
/// How files and pipes are opened; null in a program that links the core alone.
[[nodiscard]] const FileAccess* file_access() noexcept;
}  // namespace data

/// A CSV/TSV or svmlight text, plain or gzip: a file, standard input, a built-in data set, a text
/// in memory or whatever a function reads. A small value: nothing is opened or copied yet.
class Source {
 public:
  enum class Format { csv, svmlight };
  /// Puts up to `size` bytes at `to` and returns how many: 0 at the end, and only there. Called
  /// from one thread at a time; what it throws comes out of the stream.
  using Read = std::function<std::size_t(char* to, std::size_t size)>;

  /// The path of a file, "-" for standard input, or a built-in data set such as "@iris". Files
  /// named .svm, .libsvm or .svmlight (perhaps with .gz behind it) are svmlight, all others CSV.
  template <std::convertible_to<std::string> Name>
  Source(
      Name&& path)  // NOLINT(google-explicit-constructor, bugprone-forwarding-reference-overload)
      : Source(Path{static_cast<std::string>(std::forward<Name>(path))}, {}, {},
               data::file_access()) {}
  /// The same; a format that is given is not told from the name.
  [[nodiscard]] static Source path(std::string path, std::optional<Format> format = {}) {
    return {Path{std::move(path)}, {}, format, data::file_access()};
  }

  /// A text that stays where it is and must outlive its readers. Messages call it `name`,
  /// which also tells the format, as that of a file would, unless it is given.
  [[nodiscard]] static Source text(std::string_view text, std::string name = "text",
                                   std::optional<Format> format = {}) {
    return {text, std::move(name), format, data::file_access()};
  }

  /// What `read` gives. If rows may be needed again (types are guessed, or
  /// StreamOptions::reread), a copy is kept meanwhile: in a temporary file or, in the core alone,
  /// in memory.
  [[nodiscard]] static Source callback(Read read, std::string name = "callback",
                                       std::optional<Format> format = {}) {
    return {std::move(read), std::move(name), format, data::file_access()};
  }

  [[nodiscard]] const std::string& name() const { return name_; }  ///< in messages
  [[nodiscard]] Format format() const { return format_; }

  struct Path {
    std::string path;
  };
  using Bytes = std::variant<Path, std::string_view, Read>;
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }
  [[nodiscard]] const data::FileAccess* access() const { return access_; }

 private:
  // Who makes a source asks for the access to files, so that the linker looks for it.
  Source(Bytes bytes, std::string name, std::optional<Format> format,
         const data::FileAccess* access);

  Bytes bytes_;
  std::string name_;
  Format format_;
  const data::FileAccess* access_;
};

}  // namespace genera
