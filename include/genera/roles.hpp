#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <genera/table.hpp>

/// Roles of the columns of a source: `Roles` are set by the user, `ExpectedRoles` are required by a
/// model, `Kept` are copied to the output.
namespace genera {

/// The names of the classes into which ascending limits divide numbers; see Roles::target_edges.
[[nodiscard]] std::vector<std::string> names_of_bins(const Vector& edges);

/// The column of labels.
class Target {
 public:
  Target() = default;  ///< guessed from names and positions
  /// The column `name`.
  Target(std::string name) : name_(std::move(name)) {}  // NOLINT(google-explicit-constructor)
  Target(const char* name) : name_(name) {}             // NOLINT(google-explicit-constructor)
  /// The column `name` if it exists; otherwise no labels.
  [[nodiscard]] static Target if_present(std::string name);
  /// The only column named label, class, target, or y (unless it holds numbers); otherwise no
  /// labels.
  [[nodiscard]] static Target if_named();
  /// No labels.
  [[nodiscard]] static Target none();

  [[nodiscard]] const std::optional<std::string>& name() const { return name_; }
  [[nodiscard]] bool used() const { return need_ != Need::none; }
  [[nodiscard]] bool required() const { return need_ == Need::required; }
  friend bool operator==(const Target&, const Target&) = default;

 private:
  enum class Need { required, if_present, none };
  std::optional<std::string> name_;
  Need need_ = Need::required;
};

/// Roles set by the user. Names in `features`, `drop` and `types` that are not columns may be
/// patterns: * matches any characters, ? matches one. A type set by name overrides types set by
/// patterns.
struct Roles {
  Target target{};
  std::optional<std::string> weights{};  ///< column of row weights
  bool frequencies = false;  ///< the weights are frequencies: 7 stands for seven equal rows
  /// Limits that divide a numeric target into classes, ascending: limits 10 and 20 make the classes
  /// "1: below 10", "2: 10 to 20" and "3: from 20" (a value on a limit belongs to the upper class).
  Vector target_edges{};
  /// Throw Error (bad_data) if the labels look like measurements: see looks_measured.
  bool refuse_measured_target = false;
  std::vector<std::string> features{};  ///< only these columns; empty: all
  std::vector<std::string> drop{};      ///< columns to leave out
  /// types that are set instead of guessed
  std::vector<std::pair<std::string, ColumnType>> types{};
  /// Type of every feature without a type in `types`. Text columns stay text unless this is
  /// categorical; columns of words become text if this is count.
  std::optional<ColumnType> default_type{};
  TextOptions text{};  ///< how text columns become terms
};

/// The features that a model or existing statistics require, with their types, matched by name.
/// Nothing is guessed; other columns are ignored.
class ExpectedRoles {
 public:
  explicit ExpectedRoles(std::vector<Column> columns) : features(std::move(columns)) {}

  std::vector<Column> features;
  Target target = Target::none();
  std::optional<std::string> weights{};  ///< column of row weights
  bool frequencies = false;              ///< as in Roles
  Vector target_edges{};                 ///< as in Roles
  TextOptions text{};                    ///< how text columns become terms
};

/// The cells of these columns as CSV text; empty: of all columns.
struct KeptCells {
  std::vector<std::string> columns{};
  friend bool operator==(const KeptCells&, const KeptCells&) = default;
};
/// Complete records with the bytes of the source: see Table::kept and Table::cells. Not available
/// for svmlight files.
struct KeptRecords {
  friend bool operator==(const KeptRecords&, const KeptRecords&) = default;
};
/// Parts of the input that are copied to the output.
using Kept = std::variant<std::monostate, KeptCells, KeptRecords>;

}  // namespace genera
