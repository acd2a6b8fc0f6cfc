#pragma once

#include <memory>
#include <string>

#include <genera/source.hpp>
#include "data/bytes/bytes.hpp"

namespace genera::data {

/// Access to files, pipes and gzip, which the core does not contain. The library `genera` provides
/// it (data/files/); `file_access` returns null if only the core is linked.
struct FileAccess {
  /// Opens a file, or standard input ("-"). Throws Error (bad_data) if it cannot be opened.
  std::unique_ptr<Bytes> (*open)(const std::string& path, Reread reread);
  /// `name` begins the messages.
  std::unique_ptr<Bytes> (*unpack_gzip)(std::unique_ptr<Bytes> packed, const std::string& name);
  /// Uses a temporary file.
  std::unique_ptr<Spool> (*make_spool)(const std::string& name);
};

}  // namespace genera::data
