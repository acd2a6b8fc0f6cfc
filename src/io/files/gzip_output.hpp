#pragma once

#include <functional>
#include <iosfwd>

namespace genera::io {

/// Calls `write` with a stream that compresses its bytes to `out` by gzip. Equal text gives equal
/// bytes: no file name or time is stored.
void write_packed(std::ostream& out, const std::function<void(std::ostream&)>& write);

}  // namespace genera::io
