#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Reading of the JSON output of other commands.
namespace genera::cli {

/// A value of a document. Missing members are not errors.
class JsonTree {
 public:
  using Members = std::vector<std::pair<std::string, JsonTree>>;
  std::variant<std::monostate, bool, double, std::string, std::vector<JsonTree>, Members> value{};

  /// The member of an object; null if there is none, or this is not an object.
  [[nodiscard]] const JsonTree* find(std::string_view key) const;
  /// The items of an array; empty if this is not an array.
  [[nodiscard]] const std::vector<JsonTree>& items() const;

  /// The value of a member; NaN, "" or false if it is missing or of another type.
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key) const;
};

/// Empty if the text is not JSON.
[[nodiscard]] std::optional<JsonTree> parse_json(const std::string& text);
/// Throws Error (bad_data) if the file cannot be read or is not JSON.
[[nodiscard]] JsonTree read_json(const std::string& path);

}  // namespace genera::cli
