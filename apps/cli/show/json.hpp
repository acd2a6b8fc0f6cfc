#pragma once

#include <genera/types.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// JSON that other programs rely on: stable keys, exact numbers, infinities as strings.
namespace genera::cli {

/// A value of a document; members of objects stay in the order in which they are added.
class Json {
 public:
  Json();  ///< null
  Json(bool value);
  Json(Index value);
  Json(const char* text);
  Json(std::string_view text);
  Json(const std::string& text);
  Json(Json&&) noexcept;
  Json& operator=(Json&&) noexcept;
  ~Json();

  /// Whole numbers are written without a point, infinities as strings.
  [[nodiscard]] static Json number(double value);
  /// With a point always: 0.0
  [[nodiscard]] static Json decimal(double value);
  [[nodiscard]] static Json numbers(std::span<const double> values);
  [[nodiscard]] static Json rows(const Matrix& matrix);
  [[nodiscard]] static Json texts(const std::vector<std::string>& texts);
  [[nodiscard]] static Json array();
  [[nodiscard]] static Json object();

  /// To an array.
  Json& push(Json value);
  Json& append(std::span<const double> numbers);
  /// To an object.
  Json& add(std::string_view key, Json value) &;
  [[nodiscard]] Json add(std::string_view key, Json value) &&;

  /// As a text: two blanks a level; an array of numbers or texts stays on one line.
  [[nodiscard]] std::string document() const;

 private:
  struct Value;  // hides the JSON library, which is slow to compile
  explicit Json(Value value);
  std::unique_ptr<Value> value_;
};

/// A JSON string, quotes included.
[[nodiscard]] std::string json_string(const std::string& text);
/// A JSON number that reads back as the same; infinities as strings.
void append_json_number(std::string& text, double value);
/// , "key": {name: value, …}; the names are JSON strings already.
void append_json_members(std::string& text, std::string_view key,
                         const std::vector<std::string>& names, std::span<const double> values);

}  // namespace genera::cli
