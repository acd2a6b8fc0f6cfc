// Packed bytes are read as the plain ones are, in one member or several; damaged packings are
// refused, or read as zlib itself unpacks them.
#include "../check.hpp"
#include "../targets.hpp"
#include "same_rows.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <zlib.h>

#include <genera/stream.hpp>

namespace genera::fuzz {
namespace {

constexpr std::size_t max_unpacked = std::size_t{1} << 20;

std::string packed(std::string_view plain, int level) {
  z_stream stream{};
  require(deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK,
          "zlib packs");
  std::string in(plain);
  std::string out(deflateBound(&stream, static_cast<uLong>(in.size())) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  require(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib packs all");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// What one whole member unpacks to; empty if it is damaged, not the only one, or too long.
std::optional<std::string> unpacked(std::string_view bytes) {
  z_stream stream{};
  require(inflateInit2(&stream, 15 + 16) == Z_OK, "zlib unpacks");
  std::string in(bytes);
  std::string out(max_unpacked, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  const bool whole = status == Z_STREAM_END && stream.avail_in == 0;
  out.resize(stream.total_out);
  inflateEnd(&stream);
  if (!whole) return std::nullopt;
  return out;
}

Read table_of(const Source& source) {
  return read_of([&] { return read_csv(source, {.target = Target::if_named()}); });
}

}  // namespace

void gzip(std::string_view bytes) {
  Input input(bytes);
  const std::size_t mode = input.choice(4);
  const std::size_t piece = 1 + input.choice(9);
  if (mode == 0) {  // damaged, as likely as not
    const auto plain = unpacked(input.rest());
    const Read read = table_of(Source::text(input.rest(), "in"));
    require_same(read, table_of(in_pieces(input.rest(), piece, Source::Format::csv)));
    if (plain && !plain->starts_with("\x1f\x8b"))
      require_same(read, table_of(Source::text(*plain, "in")));
    return;
  }
  const std::size_t wanted = input.choice(200);
  const std::string_view plain = input.rest();
  const std::size_t first = std::min(wanted, plain.size());
  if (plain.starts_with("\x1f\x8b")) return;  // is unpacked itself when it is read
  const std::string one = mode == 1
                              ? packed(plain, 6)
                              : packed(plain.substr(0, first), 0) + packed(plain.substr(first), 9) +
                                    std::string(mode == 3 ? first : 0, '\0');
  const Read read = table_of(Source::text(one, "in"));
  require_same(table_of(Source::text(plain, "in")), read);
  require_same(read, table_of(in_pieces(one, piece, Source::Format::csv)));
}

}  // namespace genera::fuzz
