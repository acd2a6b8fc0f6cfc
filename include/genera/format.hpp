#pragma once

namespace genera {

/// Encoding of a document. Readers detect it by the first bytes.
enum class Format {
  json,  ///< text: readable and diffable
  cbor,  ///< the same document in fewer bytes
};

}  // namespace genera
