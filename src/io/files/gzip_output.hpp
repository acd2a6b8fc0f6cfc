#pragma once

#include <functional>
#include <iosfwd>

namespace genera::io {

/// Calls `write` with a stream whose bytes go to `out` packed by gzip: the same bytes for the same
/// text, without a name or a time.
void write_packed(std::ostream& out, const std::function<void(std::ostream&)>& write);

}  // namespace genera::io
