#pragma once

#include <optional>
#include <string>
#include <vector>

#include <genera/blocks.hpp>
#include <genera/prior.hpp>
#include <genera/table.hpp>

namespace genera {

/// Properties of the file of the training rows, so that other files are read alike.
struct Origin {
  /// Cells that mean "missing" in addition to empty ones; empty: unknown.
  std::optional<std::vector<std::string>> missing_tokens{};
  /// Limits between the classes of a numeric target, ascending; see Roles::target_edges.
  Vector target_edges{};
  std::string fingerprint{};  ///< of the rows, see RowStream::fingerprint; empty: unknown
  friend bool operator==(const Origin&, const Origin&) = default;
};

/// A joint distribution of class and features: a prior times a product of blocks.
class Model {
 public:
  /// Throws Error (bad_model) if blocks have different numbers of classes or share a column.
  Model(std::vector<std::string> classes, Prior prior, std::vector<Block> blocks,
        std::string target = "class", std::vector<std::string> notes = {});
  Model(const Model&);  // these five are defined in one source, to keep callers small
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();

  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }
  [[nodiscard]] const Prior& prior() const { return prior_; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] LabelType label_type() const { return label_type_; }
  [[nodiscard]] const Origin& origin() const { return origin_; }
  [[nodiscard]] const std::vector<Column>& features() const {
    return features_;
  }  ///< of all blocks
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// Indices into features(), in the column order of the training table; 0, 1, ... unless set.
  [[nodiscard]] std::vector<Index> column_order() const;
  /// Sets the column order to `names`, the columns of a table. Names that are not features are
  /// ignored; features that are not in `names` come last.
  [[nodiscard]] Model with_column_order(const std::vector<std::string>& names) const;

  /// How text columns become terms.
  [[nodiscard]] TextOptions text_options() const;
  /// Weight of the training rows of each class; empty if the parameters were given, not estimated.
  [[nodiscard]] const Vector& counts() const;

  /// Divisor of the evidence when classes are compared: posteriors and labels use log prior + log
  /// density / temperature. Densities, draws and imputations ignore it.
  [[nodiscard]] double temperature() const { return temperature_; }
  /// Throws Error (bad_model) if it is below 1 or not finite.
  [[nodiscard]] Model with_temperature(double temperature) const&;
  [[nodiscard]] Model with_temperature(double temperature) &&;

  /// The same densities with another prior.
  [[nodiscard]] Model with_prior(Prior prior) const;
  [[nodiscard]] Model with_notes(std::vector<std::string> notes) const&;
  [[nodiscard]] Model with_notes(std::vector<std::string> notes) &&;
  [[nodiscard]] Model with_label_type(LabelType type) const;
  [[nodiscard]] Model with_origin(Origin origin) const;

  [[nodiscard]] ParameterCount free_parameters() const;
  /// True if the model contains training rows, as kernel densities do.
  [[nodiscard]] bool keeps_rows() const;

  friend bool operator==(const Model&, const Model&) = default;

 private:
  std::vector<std::string> classes_;
  Prior prior_;
  std::vector<Block> blocks_;
  std::string target_;
  std::vector<std::string> notes_;
  std::vector<Column> features_;
  double temperature_ = 1;
  LabelType label_type_ = LabelType::unknown;
  Origin origin_;
  std::vector<Index> order_;  // empty: that of the features
};

}  // namespace genera
