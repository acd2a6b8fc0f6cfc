#include "data/bytes/file_access.hpp"

#include "data/files/files.hpp"

namespace genera::data {

// Takes the place of the weak definition in data/source.cpp. Whoever makes a Source refers to it,
// so that a linker which goes through `genera` before the core finds this one.
const FileAccess* file_access() noexcept {
  static constexpr FileAccess files{open_file_or_pipe, unpack_gzip, make_temporary_file};
  return &files;
}

}  // namespace genera::data
