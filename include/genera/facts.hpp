#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <genera/error.hpp>
#include <genera/types.hpp>

/// Results as data: `facts(result)` names every value of a result once. Each edge writes them in
/// its own form (JSON, Python dicts).
namespace genera {

/// A matrix that is zero off its diagonal.
struct Diagonal {
  Vector entries;
  friend bool operator==(const Diagonal&, const Diagonal&) = default;
};
[[nodiscard]] Matrix full_matrix(const Diagonal& diagonal);

struct Fact;
using Facts = std::vector<Fact>;  ///< an object: its members in display order

/// A named value.
struct Fact {
  struct Value;
  using List = std::vector<Value>;
  using Names = std::vector<std::string>;
  using Codes = std::vector<std::int32_t>;
  /// NaN and an empty optional become null. Each edge formats the options of an Advice.
  struct Value {
    std::variant<std::monostate, bool, Index, double, std::string, Advice, Names, Codes, Vector,
                 Matrix, Diagonal, Facts, List>
        is{};

    // NOLINTBEGIN(google-explicit-constructor): facts are written as plain values
    Value() = default;  ///< null
    Value(double number) {
      if (!std::isnan(number)) is = number;
    }
    template <class T>
    requires std::same_as<T, bool> Value(T flag) : is(flag) {}
    template <std::integral T>
    requires(!std::same_as<T, bool>) Value(T count) : is(static_cast<Index>(count)) {}
    Value(const char* text) : is(std::string(text)) {}
    Value(std::string_view text) : is(std::string(text)) {}
    Value(std::string text) : is(std::move(text)) {}
    Value(Advice sentence) : is(std::move(sentence)) {}
    Value(Names names) : is(std::move(names)) {}
    Value(Codes codes) : is(std::move(codes)) {}
    Value(Vector numbers) : is(std::move(numbers)) {}
    Value(Matrix numbers) : is(std::move(numbers)) {}
    Value(Diagonal numbers) : is(std::move(numbers)) {}
    Value(Facts object) : is(std::move(object)) {}
    Value(List list) : is(std::move(list)) {}
    template <class T>
    Value(const std::vector<T>& items) : Value(List(items.begin(), items.end())) {}
    template <class T>
    Value(const std::optional<T>& value) : Value(value ? Value(*value) : Value()) {}
    template <class... T>
    Value(const std::variant<T...>& any)
        : Value(std::visit([](const auto& known) { return Value(known); }, any)) {}
    // NOLINTEND(google-explicit-constructor)

    friend bool operator==(const Value&, const Value&) = default;
  };

  std::string key;
  Value value;
  friend bool operator==(const Fact&, const Fact&) = default;
};

/// A list of `make(item)` for each item.
template <class Items, class Make>
[[nodiscard]] Fact::List list_of(const Items& items, Make make) {
  Fact::List list;
  for (const auto& item : items) list.emplace_back(make(item));
  return list;
}

void append(Facts& to, Facts more);

}  // namespace genera
