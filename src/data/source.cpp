#include <genera/source.hpp>

#include <genera/error.hpp>

namespace genera {

// Weak, so that the linker prefers the definition in the library `genera` (data/files/).
[[gnu::weak]] const data::FileAccess* data::file_access() noexcept { return nullptr; }

namespace {

Source::Format format_by_name(std::string_view name) {
  constexpr std::string_view packed = ".gz";
  if (name.ends_with(packed)) name.remove_suffix(packed.size());
  const bool svmlight =
      name.ends_with(".svm") || name.ends_with(".libsvm") || name.ends_with(".svmlight");
  const bool json = name.ends_with(".jsonl") || name.ends_with(".ndjson");
  return svmlight ? Source::Format::svmlight
         : json   ? Source::Format::json_lines
                  : Source::Format::csv;
}

}  // namespace

Source::Source(Bytes bytes, std::string name, std::optional<Format> format,
               const data::FileAccess* access)
    : bytes_(std::move(bytes)), name_(std::move(name)), access_(access) {
  if (const auto* file = std::get_if<Path>(&bytes_))
    name_ = file->path == "-" ? "standard input" : file->path;
  format_ = format ? *format : format_by_name(name_);
  if (const auto* read = std::get_if<Read>(&bytes_); read && !*read)
    throw Error(Errc::bad_argument, name_ + ": there is no function to read with",
                "give a callable");
}

}  // namespace genera
