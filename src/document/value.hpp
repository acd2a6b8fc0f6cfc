#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <genera/format.hpp>

/// Documents: values <-> JSON text or CBOR bytes. Their contents are defined in io/ and blocks/.
/// Only parse.cpp includes the JSON library, which is slow to compile.
namespace genera::document {

inline constexpr std::string_view model_format = "genera-model";
inline constexpr std::string_view statistics_format = "genera-statistics";
inline constexpr std::string_view observed_format = "genera-observed";
inline constexpr std::string_view expected_format = "genera-expected";
inline constexpr std::string_view patterns_format = "genera-patterns";
inline constexpr double format_version = 1;

struct Value;
using Numbers = std::vector<double>;
using List = std::vector<Value>;
using Members = std::map<std::string, Value>;

/// A JSON value. An array that contains only numbers (or nothing) is stored as `Numbers`, eight
/// bytes per entry; any other array is a `List`.
struct Value {
  std::variant<std::nullptr_t, bool, double, std::string, Numbers, List, Members> data;
};

/// Description of a document for error messages.
struct Contents {
  std::string_view what = "file";
  std::string_view again = "write or copy it again";  ///< the remedy if it is damaged
};

/// Parses JSON, or CBOR if the first byte indicates it. `place` begins every message. Throws Error
/// (bad_model) with line and column.
[[nodiscard]] Value parse(std::string_view bytes, const std::string& place,
                          const Contents& contents = {});

/// Indents by two spaces, sorts keys, writes an array of scalars on one line, and ends with a
/// newline.
void print_json(const Value& value, std::ostream& out);
void print_cbor(const Value& value, std::ostream& out);
inline void print(const Value& value, Format format, std::ostream& out) {
  format == Format::cbor ? print_cbor(value, out) : print_json(value, out);
}

/// `text` as a JSON string; empty if it is not UTF-8.
[[nodiscard]] std::optional<std::string> quoted(const std::string& text);
/// Throws Error (bad_data) for text that is not UTF-8, which could be written but not read.
void require_utf8(const std::string& text);

/// The shortest text that reads back as `x`; infinities (and NaN) are JSON strings.
[[nodiscard]] std::string number_text(double x);

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

}  // namespace genera::document
