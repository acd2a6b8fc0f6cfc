#pragma once

#include <genera/types.hpp>

#include "document/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace genera::document {

/// A value of a document together with its path ("iris.json", "classes[1].mean") for error
/// messages. Every getter throws Error (bad_model) if the value is of another type or out of range.
class Field {
 public:
  Field(const Value& value, std::string file, std::string path = {})
      : value_(&value), file_(std::move(file)), path_(std::move(path)) {}

  [[nodiscard]] bool has(const std::string& key) const;
  [[nodiscard]] Field operator[](const std::string& key) const;
  /// The elements of a list; `expected` describes them in the message.
  [[nodiscard]] std::vector<Field> elements(std::string_view expected) const;
  [[nodiscard]] std::vector<Field> elements(std::string_view expected, Index length) const;

  [[nodiscard]] bool is_number() const;
  [[nodiscard]] double number() const;                     ///< finite
  [[nodiscard]] double number_at_least(double low) const;  ///< finite and >= low
  [[nodiscard]] double fraction() const;                   ///< in [0, 1]
  [[nodiscard]] Index count() const;                       ///< whole and >= 0
  [[nodiscard]] bool flag() const;
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] std::vector<std::string> texts() const;
  [[nodiscard]] std::vector<std::string> distinct_texts() const;

  /// Finite numbers. A plain number is accepted for a list of one and for a 1 x 1 matrix.
  [[nodiscard]] Vector numbers() const;
  [[nodiscard]] Vector numbers(Index length) const;
  [[nodiscard]] Vector weights(Index length) const;  ///< each >= 0
  [[nodiscard]] Matrix matrix(Index rows, Index columns) const;
  void require_positive() const;

  /// Refuses members whose key is not in `keys`, with the nearest key.
  void allow_only(const std::vector<std::string>& keys) const;

  /// Throws the error "iris.json: 'classes[1].mean' " followed by `what`.
  [[noreturn]] void refuse(const std::string& what, const std::string& hint) const;

  [[nodiscard]] const Value& value() const { return *value_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  [[nodiscard]] const Members& members() const;
  [[nodiscard]] std::string path_of(const std::string& key) const;
  [[nodiscard]] std::string path_of(std::size_t element) const;
  [[noreturn]] void refuse_type(std::string_view expected) const;
  [[noreturn]] void refuse_element(std::size_t element, std::string_view what) const;
  void check_length(std::size_t found, Index expected) const;

  const Value* value_;
  std::string file_;
  std::string path_;
};

/// A matrix with these rows.
[[nodiscard]] Matrix stacked(const std::vector<Field>& rows, Index columns);

/// Refuses a document of another format or of a newer version.
void check_format(const Field& root, std::string_view format);

}  // namespace genera::document
