#pragma once

namespace genera {

/// How a document is written. Reading tells the two apart by the first bytes.
enum class Format {
  json,  ///< text: readable and diffable
  cbor,  ///< the same document in fewer bytes
};

}  // namespace genera
