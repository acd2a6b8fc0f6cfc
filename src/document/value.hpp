#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <genera/format.hpp>

/// Documents: values <-> JSON text or CBOR bytes. What is in them is up to io/ and blocks/.
/// The JSON library is slow to compile and known to parse.cpp alone.
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

/// A JSON value. An array of nothing but numbers (or of nothing) is `Numbers`, so that a large
/// matrix costs eight bytes an entry; any other array is a `List`.
struct Value {
  std::variant<std::nullptr_t, bool, double, std::string, Numbers, List, Members> data;
};

/// What a document is read as, for messages.
struct Contents {
  std::string_view what = "file";
  std::string_view again = "write or copy it again";  ///< what to do if it is damaged
};

/// JSON, or CBOR if the first byte says so. `place` begins every message.
/// Throws Error (bad_model) with line and column of what cannot be read.
[[nodiscard]] Value parse(std::string_view bytes, const std::string& place,
                          const Contents& contents = {});

/// Two spaces of indent, sorted keys, an array of scalars on one line, a final newline.
void print_json(const Value& value, std::ostream& out);
void print_cbor(const Value& value, std::ostream& out);
inline void print(const Value& value, Format format, std::ostream& out) {
  format == Format::cbor ? print_cbor(value, out) : print_json(value, out);
}

/// `text` as a JSON string, nothing if it is not UTF-8.
[[nodiscard]] std::optional<std::string> quoted(const std::string& text);
/// Throws Error (bad_data): what is not UTF-8 could be written but never read.
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
