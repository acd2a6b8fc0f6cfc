#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

/// Sources of text that contains rows. For rows in the memory of a program see <genera/rows.hpp>,
/// and CallbackRows in <genera/row_source.hpp>.
namespace genera {

namespace data {
struct FileAccess;
/// Opens files and pipes; null in a program that links only the core.
[[nodiscard]] const FileAccess* file_access() noexcept;
}  // namespace data

/// A CSV, TSV, JSON lines or svmlight text, plain or gzip: a file, standard input, a built-in data
/// set, a text in memory, or a function that reads. A small value: nothing is opened or copied
/// before it is used.
class Source {
 public:
  /// json_lines: one flat JSON object per line; its keys are the columns.
  enum class Format { csv, svmlight, json_lines };
  /// Writes up to `size` bytes to `to` and returns their number; 0 only at the end. Called by one
  /// thread at a time. Its exceptions leave the stream unchanged.
  using Read = std::function<std::size_t(char* to, std::size_t size)>;

  /// The path of a file, "-" for standard input, or a built-in data set such as "@iris". Files
  /// named .svm, .libsvm or .svmlight are svmlight, those named .jsonl or .ndjson JSON lines (also
  /// followed by .gz); all others are CSV.
  template <std::convertible_to<std::string> Name>
  Source(
      Name&& path)  // NOLINT(google-explicit-constructor, bugprone-forwarding-reference-overload)
      : Source(Path{static_cast<std::string>(std::forward<Name>(path))}, {}, {},
               data::file_access()) {}
  /// The same with a given format, which overrides the one implied by the name.
  [[nodiscard]] static Source path(std::string path, std::optional<Format> format = {}) {
    return {Path{std::move(path)}, {}, format, data::file_access()};
  }

  /// A text in memory, which must outlive the readers. Messages call it `name`, which also implies
  /// the format unless one is given.
  [[nodiscard]] static Source text(std::string_view text, std::string name = "text",
                                   std::optional<Format> format = {}) {
    return {text, std::move(name), format, data::file_access()};
  }

  /// The bytes returned by `read`. If rows may be needed again (types are guessed, or
  /// StreamOptions::reread), they are copied to a temporary file, or to memory in a program that
  /// links only the core.
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
  // requests the file access, so that the linker keeps it
  Source(Bytes bytes, std::string name, std::optional<Format> format,
         const data::FileAccess* access);

  Bytes bytes_;
  std::string name_;
  Format format_;
  const data::FileAccess* access_;
};

}  // namespace genera
