#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <genera/blocks.hpp>
#include <genera/error.hpp>
#include <genera/table.hpp>

#include "document/fields.hpp"

/// Common parts of the documents of several kinds of blocks.
namespace genera::blocks {

using document::Field;
using document::List;
using document::Members;
using document::Numbers;
using document::Value;

/// The classes of a document whose blocks are read.
struct DocumentClasses {
  std::vector<Field> fields;
  std::vector<std::string> names;
  Vector counts;  ///< empty if absent
  [[nodiscard]] Index size() const { return static_cast<Index>(fields.size()); }
};

/// The block of a document in the short handwritten form: mean and covariance are members of their
/// class, a shared covariance is at the top.
[[nodiscard]] Block hand_written_block(const Field& root, const DocumentClasses& classes);

/// True if the type of the block is one of `types`.
[[nodiscard]] bool has_type(const Field& block, std::span<const std::string_view> types);

[[nodiscard]] Value texts(std::span<const std::string> names);
[[nodiscard]] Value lists_of_texts(const std::vector<std::vector<std::string>>& lists);
[[nodiscard]] Numbers row_of(const Matrix& matrix, Index i);
[[nodiscard]] Value rows_of(const Matrix& matrix);
[[nodiscard]] Value text_document(const TextOptions& options);

[[nodiscard]] Value cut_document(const Cut& cut);
[[nodiscard]] Cut read_cut(const Field& field);

[[nodiscard]] std::vector<std::vector<std::string>> read_levels(const Field& field, Index columns);
[[nodiscard]] double read_smoothing(const Field& block);
/// Counts of the classes: those of the block, or else those of the document.
[[nodiscard]] Vector read_counts(const Field& block, const DocumentClasses& classes);
[[nodiscard]] TextOptions read_text_options(const Field& field);

/// "iris.json: blocks[0]"
[[nodiscard]] std::string place_of(const Field& field);

/// Calls `make` and adds the place to its errors.
template <class Make>
auto at_place(const std::string& place, Make make) {
  try {
    return make();
  } catch (const Error& e) {
    throw Error(Errc::bad_model, place + ": " + e.what(), e.hint());
  }
}

}  // namespace genera::blocks
