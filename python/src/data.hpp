#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include <genera/rows.hpp>

#include "arrays.hpp"
#include "sparse.hpp"

namespace genera::python {

[[nodiscard]] ColumnType column_type(const std::string& name);
/// Numeric or count.
[[nodiscard]] bool is_number(ColumnType type);
[[nodiscard]] LabelType label_type(const std::string& name);

/// Rows as Python has them, piece by piece: arrays, columns of a frame, a sparse matrix, texts,
/// labels, weights. Nothing is copied but texts, whose terms are kept.
class Data {
 public:
  explicit Data(Index rows);

  /// Columns of an array with two dimensions, numbers or counts.
  void add_numbers(nb::handle array, const std::vector<std::string>& names,
                   const std::string& type);
  /// The same of an array that is known to fit.
  void add_numbers(Array array, std::vector<Column> columns);
  /// One column of numbers; `valid` are Arrow's bits, or None.
  void add_number(nb::handle array, const std::string& name, const std::string& type,
                  nb::handle valid);
  /// One column of codes, places in `levels`; negative ones are missing.
  void add_codes(nb::handle array, const std::string& name, std::vector<std::string> levels,
                 const std::string& type, nb::handle valid);
  /// An array of codes with two dimensions, whose columns have the same levels.
  void add_code_columns(nb::handle array, const std::vector<std::string>& names,
                        std::vector<std::string> levels, const std::string& type);
  /// Rows of a sparse matrix, which must be canonical; `counts` or `numbers`.
  void add_sparse(std::shared_ptr<const SparseArrays> matrix, std::vector<std::string> names,
                  const std::string& kind);
  /// One column of texts; None is missing.
  void add_texts(const nb::list& texts, const std::string& name, const TextOptions& options);

  /// Places in `classes`; negative ones are missing. `type`: what the labels are in Python.
  void set_labels(nb::handle codes, std::vector<std::string> classes, const std::string& target,
                  const std::string& type);
  void set_weights(nb::handle weights);

  [[nodiscard]] Index rows() const { return kept_->view.rows; }
  [[nodiscard]] Index cells() const;
  [[nodiscard]] const std::vector<Column>& columns() const { return kept_->view.columns; }
  /// The columns and those of a sparse matrix, in the order of the input.
  [[nodiscard]] std::vector<Column> inputs() const;
  /// The first number of each of the inputs that is not missing; NaN if there is none.
  [[nodiscard]] Vector first_numbers() const;
  /// Columns of counts that hold a fraction, with the first of these.
  [[nodiscard]] std::vector<std::pair<std::string, double>> fractional_counts() const;
  /// Columns of flags with more than two values.
  [[nodiscard]] std::vector<std::string> crowded_flags() const;
  /// Whether a number is missing.
  [[nodiscard]] bool lacks_numbers() const;
  /// Throws Error (bad_argument) if the pieces do not fit together.
  [[nodiscard]] Rows view() const;

 private:
  struct Kept {
    DataView view;
    std::vector<Array> arrays;
    std::vector<std::shared_ptr<const SparseArrays>> matrices;
    std::vector<std::shared_ptr<const std::vector<std::string>>> names;
    std::vector<std::shared_ptr<const SparseColumns>> texts;
  };
  Array keep(nb::handle array, int dimensions, const char* what) const;
  const std::uint8_t* keep_bits(nb::handle valid);
  std::span<const std::string> keep_names(std::vector<std::string> names);
  void require_rows(Index rows, const std::string& what) const;

  std::shared_ptr<Kept> kept_;
};

void bind_data(nb::module_& module);

}  // namespace genera::python
