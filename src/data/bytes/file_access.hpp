#pragma once

#include <memory>
#include <string>

#include <genera/source.hpp>
#include "data/bytes/bytes.hpp"

namespace genera::data {

/// What lies outside of memory. The core knows only that somebody may offer it: the library
/// `genera` does (data/files/), and `file_access` tells whether it is linked.
struct FileAccess {
  /// A file, or standard input ("-"). Throws Error (bad_data) if it cannot be opened.
  std::unique_ptr<Bytes> (*open)(const std::string& path, Reread reread);
  /// `name` begins the messages.
  std::unique_ptr<Bytes> (*unpack_gzip)(std::unique_ptr<Bytes> packed, const std::string& name);
  /// In a temporary file.
  std::unique_ptr<Spool> (*make_spool)(const std::string& name);
};

}  // namespace genera::data
