#pragma once

#include <string>
#include <variant>

#include <genera/stream.hpp>

namespace genera::data {

/// The arguments of a RowStream.
struct RowRequest {
  Source source;
  CsvOptions csv;
  std::variant<Roles, ExpectedRoles> roles;
  StreamOptions options;

  /// Roles set by the user; null if the columns are determined by a model.
  [[nodiscard]] const Roles* given() const { return std::get_if<Roles>(&roles); }
  /// Roles required by a model; null if the user sets the roles.
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
  /// Name of the option for the weight column.
  [[nodiscard]] const char* weights_option() const { return frequencies() ? "counts" : "weights"; }
  [[nodiscard]] const Vector& target_edges() const {
    return std::visit([](const auto& r) -> const Vector& { return r.target_edges; }, roles);
  }
  [[nodiscard]] const TextOptions& text() const {
    return std::visit([](const auto& r) -> const TextOptions& { return r.text; }, roles);
  }

  /// True if rows are scored as they arrive. If labels are required, rows are summed, and sums must
  /// not depend on when the rows arrive.
  [[nodiscard]] bool answers_rows() const {
    return expected() && !options.reread && !target().required();
  }
  /// True if a second pass may be needed to correct guessed types.
  [[nodiscard]] bool may_reread() const { return !expected() || options.reread; }
};

}  // namespace genera::data
