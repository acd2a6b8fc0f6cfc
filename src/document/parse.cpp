#include "document/value.hpp"

#include <genera/error.hpp>

#include "kernel/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace genera::document {
namespace {

using Json = nlohmann::json;

constexpr std::size_t deepest = 32;  // our own files need 6

/// Receives the events of the JSON library's parsers; each handler returns false to stop.
class Builder {
 public:
  bool null() { return add(Value{nullptr}); }
  bool boolean(bool value) { return add(Value{value}); }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return number(value); }
  bool string(std::string& value) { return check_text(value) && add(Value{std::move(value)}); }
  bool binary(Json::binary_t&) { return refuse("holds bytes, which no field has"); }

  bool start_object(std::size_t) { return open(Value{Members{}}); }
  bool start_array(std::size_t) { return open(Value{Numbers{}}); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (!check_text(name)) return false;
    Open& top = open_.back();
    top.key = std::move(name);
    if (!std::get<Members>(top.value.data).contains(top.key)) return true;
    return refuse(fmt::format("the key '{}' is there twice", path()));
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) {
    position_ = position;
    return refuse(e.what());
  }

  [[nodiscard]] Value take() { return std::move(root_); }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::optional<std::size_t> position() const { return position_; }

 private:
  struct Open {
    Value value;
    std::string key = {};
  };

  bool number(double x) {
    if (!open_.empty())
      if (auto* numbers = std::get_if<Numbers>(&open_.back().value.data)) {
        numbers->push_back(x);
        return true;
      }
    return add(Value{x});
  }

  bool add(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Open& top = open_.back();
    if (auto* members = std::get_if<Members>(&top.value.data)) {
      (*members)[top.key] = std::move(value);
      return true;
    }
    if (const auto* numbers = std::get_if<Numbers>(&top.value.data)) {
      List list;
      for (const double x : *numbers) list.push_back(Value{x});
      top.value.data = std::move(list);
    }
    std::get<List>(top.value.data).push_back(std::move(value));
    return true;
  }

  bool open(Value value) {
    if (open_.size() == deepest)
      return refuse(fmt::format("is nested deeper than {} levels", deepest));
    open_.push_back({std::move(value)});
    return true;
  }

  bool close() {
    Value value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value));
  }

  // JSON text is validated by the library, the strings of CBOR are not.
  bool check_text(const std::string& text) {
    return quoted(text) || refuse("holds text that is not valid UTF-8");
  }

  bool refuse(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  [[nodiscard]] std::string path() const {
    std::string text;
    for (const Open& level : open_) {
      if (const auto* list = std::get_if<List>(&level.value.data))
        text += fmt::format("[{}]", list->size());
      else if (const auto* numbers = std::get_if<Numbers>(&level.value.data))
        text += fmt::format("[{}]", numbers->size());
      else
        text += (text.empty() ? "" : ".") + level.key;
    }
    return text;
  }

  std::vector<Open> open_;
  Value root_;
  std::string problem_;
  std::optional<std::size_t> position_;
};

/// The message of the JSON library without its prefix, the bytes it repeats and its position.
std::string reason_in(std::string text) {
  if (const auto end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
  if (text.starts_with("parse error at "))
    if (const auto end = text.find(": "); end != std::string::npos) text.erase(0, end + 2);
  if (const auto begin = text.find("; last read: '"); begin != std::string::npos) {
    const auto end = text.rfind("'; expected ");
    text.erase(begin, end == std::string::npos ? end : end + 1 - begin);
  }
  constexpr std::size_t longest = 200;
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw Error(Errc::bad_model, what, hint);
}

[[noreturn]] void refuse_truncated(const std::string& place, const Contents& contents) {
  refuse(fmt::format("{}: the {} ends too early", place, contents.what),
         fmt::format("it was cut off: {}", contents.again));
}

Value parse_json(std::string_view text, const std::string& place, const Contents& contents) {
  Builder builder;
  if (Json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  if (!builder.position())
    refuse(place + ": " + builder.problem(), "fix the file (docs/file-format.md shows its form)");
  const std::size_t read = *builder.position();  // characters, including the wrong one
  if (read > text.size()) refuse_truncated(place, contents);
  const std::string_view before = text.substr(0, std::max<std::size_t>(read, 1) - 1);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  refuse(fmt::format("{}:{}:{}: not JSON: {}", place, line, column, reason_in(builder.problem())),
         "fix the place, or give a file that genera wrote");
}

/// True if a string of indefinite length occurs: the library parses those recursively, to any
/// depth. Items follow each other without gaps, so their nesting need not be known.
bool has_endless_string(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const auto head = static_cast<unsigned char>(bytes[at++]);
    const unsigned major = head >> 5U;
    const unsigned info = head & 31U;
    const bool is_string = major == 2 || major == 3;
    if (info == 31 && is_string) return true;
    const std::size_t width = info >= 24 && info <= 27 ? std::size_t{1} << (info - 24) : 0;
    if (width > bytes.size() - at) return false;
    std::size_t argument = width == 0 ? info : 0;
    for (std::size_t i = 0; i < width; ++i)
      argument = argument << 8U | static_cast<unsigned char>(bytes[at + i]);
    at += width;
    if (is_string) {
      if (argument > bytes.size() - at) return false;
      at += argument;
    }
  }
  return false;
}

Value parse_cbor(std::string_view bytes, const std::string& place, const Contents& contents) {
  const std::string hint = "give a file that genera wrote, or its JSON form";
  if (has_endless_string(bytes)) refuse(place + ": not CBOR: a string without a length", hint);
  Builder builder;
  if (Json::sax_parse(bytes.begin(), bytes.end(), &builder, Json::input_format_t::cbor))
    return builder.take();
  if (!builder.position()) refuse(place + ": " + builder.problem(), hint);
  if (*builder.position() > bytes.size()) refuse_truncated(place, contents);
  refuse(fmt::format("{}: byte {}: not CBOR: {}", place, *builder.position(),
                     reason_in(builder.problem())),
         hint);
}

}  // namespace

namespace {

/// Replaces DEL and the controls U+0080 to U+009F, which terminals interpret but JSON permits.
std::string without_controls(std::string_view json) {
  std::string text;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = [&](std::size_t j) -> unsigned {
      return j < json.size() ? static_cast<unsigned char>(json[j]) : 0;
    };
    if (byte(i) == 0x7F)
      text += "\\u007f";
    else if (byte(i) == 0xC2 && byte(i + 1) >= 0x80 && byte(i + 1) < 0xA0)
      text += fmt::format("\\u{:04x}", byte(++i));
    else
      text += json[i];
  }
  return text;
}

}  // namespace

std::optional<std::string> quoted(const std::string& text) {
  try {
    return without_controls(Json(text).dump());
  } catch (const Json::type_error&) {  // 316: not UTF-8
    return std::nullopt;
  }
}

Value parse(std::string_view bytes, const std::string& place, const Contents& contents) {
  const std::string again(contents.again);
  if (bytes.empty()) refuse(fmt::format("{}: the {} is empty", place, contents.what), again);
  if (kernel::is_all_nul(bytes))
    refuse(fmt::format("{}: the {} holds NUL bytes only", place, contents.what),
           "it is damaged: " + again);
  const bool begins_cbor_map = static_cast<unsigned char>(bytes.front()) >> 5U == 5;
  return begins_cbor_map ? parse_cbor(bytes, place, contents) : parse_json(bytes, place, contents);
}

}  // namespace genera::document
