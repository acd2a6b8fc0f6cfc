#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// JSON that other runs of the program have written.
namespace genera::cli {

/// A value of a document. Whatever a document lacks reads as nothing.
class JsonTree {
 public:
  using Members = std::vector<std::pair<std::string, JsonTree>>;
  std::variant<std::monostate, bool, double, std::string, std::vector<JsonTree>, Members> value{};

  /// The member of an object; null: there is none, or this is not an object.
  [[nodiscard]] const JsonTree* find(std::string_view key) const;
  /// The items of an array; none of anything else.
  [[nodiscard]] const std::vector<JsonTree>& items() const;

  /// Members; NaN, "" or false if it is something else.
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key) const;
};

/// Nothing if the text is not JSON.
[[nodiscard]] std::optional<JsonTree> parse_json(const std::string& text);
/// Throws Error (bad_data) if the file cannot be read or is not JSON.
[[nodiscard]] JsonTree read_json(const std::string& path);

}  // namespace genera::cli
