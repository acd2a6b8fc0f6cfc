#pragma once

#include <string>
#include <variant>

#include <genera/stream.hpp>

namespace genera::data {

/// What a RowStream was asked for.
struct RowRequest {
  Source source;
  CsvOptions csv;
  std::variant<Roles, ExpectedRoles> roles;
  StreamOptions options;

  /// What a person said; null if somebody expects certain columns.
  [[nodiscard]] const Roles* given() const { return std::get_if<Roles>(&roles); }
  /// Null if a person chose the columns.
  [[nodiscard]] const ExpectedRoles* expected() const { return std::get_if<ExpectedRoles>(&roles); }

  [[nodiscard]] const Target& target() const {
    return std::visit([](const auto& r) -> const Target& { return r.target; }, roles);
  }
  [[nodiscard]] const std::optional<std::string>& weights() const {
    return std::visit(
        [](const auto& r) -> const auto& { return r.weights; }, roles);
  }
  [[nodiscard]] bool frequencies() const {
    return std::visit([](const auto& r) { return r.frequencies; }, roles);
  }
  /// The option that named the column of weights.
  [[nodiscard]] const char* weights_option() const { return frequencies() ? "counts" : "weights"; }
  [[nodiscard]] const Vector& target_edges() const {
    return std::visit([](const auto& r) -> const Vector& { return r.target_edges; }, roles);
  }
  [[nodiscard]] const TextOptions& text() const {
    return std::visit([](const auto& r) -> const TextOptions& { return r.text; }, roles);
  }

  /// Whether rows are answered one by one as they come. Where labels are needed, sums over rows are
  /// wanted, whose bits must not depend on when the rows arrive.
  [[nodiscard]] bool answers_rows() const {
    return expected() && !options.reread && !target().required();
  }
  /// Guessed types may need a second pass.
  [[nodiscard]] bool may_reread() const { return !expected() || options.reread; }
};

}  // namespace genera::data
