#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <genera/table.hpp>

/// Which column of a source plays which part: `Roles` are what a person says, `ExpectedRoles` what
/// a model demands, `Kept` what is carried along to be written out again.
namespace genera {

/// The names of the classes into which ascending limits divide numbers; see Roles::target_edges.
[[nodiscard]] std::vector<std::string> names_of_bins(const Vector& edges);

/// The column of labels.
class Target {
 public:
  Target() = default;  ///< guessed by name or place
  /// This one.
  Target(std::string name) : name_(std::move(name)) {}  // NOLINT(google-explicit-constructor)
  Target(const char* name) : name_(name) {}             // NOLINT(google-explicit-constructor)
  /// This one if there is a column of that name, none otherwise.
  [[nodiscard]] static Target if_present(std::string name);
  /// The only one that is named as labels are (label, class, target, or y if it holds no numbers),
  /// none otherwise.
  [[nodiscard]] static Target if_named();
  /// There are no labels, or they are not needed.
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

/// What a person says about the columns. In `features`, `drop` and `types` a name that no column
/// has may be a pattern: * stands for any characters, ? for one. A type that is told by name
/// overrides those told by patterns.
struct Roles {
  Target target{};
  std::optional<std::string> weights{};  ///< column of row weights
  bool frequencies = false;  ///< the weights are frequencies: 7 stands for seven equal rows
  /// Limits that divide a numeric target into classes, ascending: limits 10 and 20 make the classes
  /// "1: below 10", "2: 10 to 20" and "3: from 20" (a value on a limit belongs to the upper class).
  Vector target_edges{};
  /// Throw Error (bad_data) if the labels look like measurements: see looks_measured.
  bool refuse_measured_target = false;
  std::vector<std::string> features{};                      ///< only these; empty: all
  std::vector<std::string> drop{};                          ///< not these
  std::vector<std::pair<std::string, ColumnType>> types{};  ///< types that are told, not guessed
  /// Of every feature that is not told otherwise; text stays text unless they are categorical, and
  /// words are text where counts are wanted.
  std::optional<ColumnType> default_type{};
  TextOptions text{};  ///< how text columns become terms
};

/// What a model, or statistics that exist already, demand: exactly these features with these types,
/// found by name. Nothing is guessed, and other columns are ignored.
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

/// The cells of these columns, as CSV text; empty: of all.
struct KeptCells {
  std::vector<std::string> columns{};
  friend bool operator==(const KeptCells&, const KeptCells&) = default;
};
/// Rows whole, as they are in the source: see Table::kept and Table::cells. Not of svmlight files.
struct KeptRecords {
  friend bool operator==(const KeptRecords&, const KeptRecords&) = default;
};
/// What is carried along of the input.
using Kept = std::variant<std::monostate, KeptCells, KeptRecords>;

}  // namespace genera
