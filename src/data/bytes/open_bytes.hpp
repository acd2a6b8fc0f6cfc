#pragma once

#include <memory>

#include <genera/source.hpp>
#include "data/bytes/bytes.hpp"

namespace genera::data {

/// The bytes of a source, decompressed if they begin like gzip; JSON
/// lines as CSV. Throws Error (bad_data) if the
/// source cannot be opened or read.
[[nodiscard]] std::unique_ptr<Bytes> open_bytes(const Source& source, Reread reread);

}  // namespace genera::data
