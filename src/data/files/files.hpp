#pragma once

#include <memory>
#include <string>

#include "data/bytes/bytes.hpp"

/// Code that needs the operating system or zlib; not part of the core.
namespace genera::data {

/// A file, or standard input ("-"). Throws Error (bad_data) if it cannot be opened.
[[nodiscard]] std::unique_ptr<Bytes> open_file_or_pipe(const std::string& path, Reread reread);

/// `name` is the name of the copied data.
[[nodiscard]] std::unique_ptr<Spool> make_temporary_file(const std::string& name);

[[nodiscard]] std::unique_ptr<Bytes> unpack_gzip(std::unique_ptr<Bytes> packed,
                                                 const std::string& name);

}  // namespace genera::data
