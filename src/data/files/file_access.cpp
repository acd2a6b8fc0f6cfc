#include "data/bytes/file_access.hpp"

#include "data/files/files.hpp"

namespace genera::data {

// Replaces the weak definition in data/source.cpp. Every Source refers to it, so a linker that
// searches `genera` before the core finds this one.
const FileAccess* file_access() noexcept {
  static constexpr FileAccess files{open_file_or_pipe, unpack_gzip, make_temporary_file};
  return &files;
}

}  // namespace genera::data
