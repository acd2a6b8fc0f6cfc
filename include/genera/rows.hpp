#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <genera/table.hpp>
#include <genera/types.hpp>

/// Rows to learn from or to ask about, wherever they lie. Nothing here owns data: a table, arrays
/// of any order and element type, columns of codes of any integer width and sparse matrices become
/// `Rows` without a copy, and so do some of the rows of others (a fold, a pattern of holes).
namespace genera {

/// Of what an array is made; a bool is a u8.
enum class Element : std::uint8_t { f64, f32, i64, i32, i16, i8, u64, u32, u16, u8 };

template <class T>
[[nodiscard]] constexpr Element element_of() {
  static_assert(std::is_arithmetic_v<T>, "an array of numbers");
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 8 ? Element::f64 : Element::f32;
  constexpr bool is_signed = std::is_signed_v<T>;
  switch (sizeof(T)) {
    case 8:
      return is_signed ? Element::i64 : Element::u64;
    case 4:
      return is_signed ? Element::i32 : Element::u32;
    case 2:
      return is_signed ? Element::i16 : Element::u16;
    default:
      return is_signed ? Element::i8 : Element::u8;
  }
}

namespace detail {
/// Calls `f` with `data` as a pointer to its elements.
template <class F>
decltype(auto) visit_elements(const void* data, Element type, F&& f) {
  switch (type) {
    case Element::f64:
      return f(static_cast<const double*>(data));
    case Element::f32:
      return f(static_cast<const float*>(data));
    case Element::i64:
      return f(static_cast<const std::int64_t*>(data));
    case Element::i32:
      return f(static_cast<const std::int32_t*>(data));
    case Element::i16:
      return f(static_cast<const std::int16_t*>(data));
    case Element::i8:
      return f(static_cast<const std::int8_t*>(data));
    case Element::u64:
      return f(static_cast<const std::uint64_t*>(data));
    case Element::u32:
      return f(static_cast<const std::uint32_t*>(data));
    case Element::u16:
      return f(static_cast<const std::uint16_t*>(data));
    case Element::u8:
      break;
  }
  return f(static_cast<const std::uint8_t*>(data));
}
[[nodiscard]] inline bool is_valid(const std::uint8_t* bits, Index row) {
  return bits == nullptr || ((bits[row / 8] >> (row % 8)) & 1U) != 0;
}
}  // namespace detail

/// Some columns of numbers: one array with two strides (in elements). A frame has several.
struct NumbersView {
  const void* data = nullptr;
  Element type = Element::f64;
  Index columns = 0;
  Strides strides{};
  const std::uint8_t* valid =
      nullptr;  ///< a bit for each row, as Arrow has them; null: NaN is missing

  NumbersView() = default;
  NumbersView(const MatrixView& view)  // NOLINT(google-explicit-constructor): the same thing
      : columns(view.columns()), strides(view.strides()) {
    view.visit([this]<class T>(const T* first) {
      data = first;
      type = element_of<T>();
    });
  }
  template <class T>
  NumbersView(const T* first, Index count, Strides apart, const std::uint8_t* bits = nullptr)
      : data(first), type(element_of<T>()), columns(count), strides(apart), valid(bits) {}

  /// NaN where it is missing.
  [[nodiscard]] double operator()(Index row, Index column) const;
};

/// A column of codes: places in a list of names. Missing: a negative code, or none of the names.
struct CodesView {
  const void* data = nullptr;  ///< null: there is no such column
  Element type = Element::i32;
  Index stride = 1;
  std::span<const std::string> names{};
  const std::uint8_t* valid = nullptr;

  CodesView() = default;
  template <class T>
  CodesView(const T* first, std::span<const std::string> known, Index apart = 1,
            const std::uint8_t* bits = nullptr)
      : data(first), type(element_of<T>()), stride(apart), names(known), valid(bits) {
    static_assert(std::is_integral_v<T>, "codes are whole numbers");
  }

  [[nodiscard]] bool empty() const { return data == nullptr; }
  /// -1 where it is missing.
  [[nodiscard]] std::int32_t operator()(Index row) const {
    if (type == Element::i32 && valid == nullptr) {  // what a table has
      const std::int32_t code = static_cast<const std::int32_t*>(data)[row * stride];
      return code < 0 || code >= static_cast<std::int32_t>(names.size()) ? -1 : code;
    }
    return any_code(row);
  }
  /// As it is written, whether it has a name or not; -1 where it is not valid.
  [[nodiscard]] std::int64_t raw(Index row) const;

 private:
  [[nodiscard]] std::int32_t any_code(Index row) const;
};

/// Rows that have a few of many columns each (CSR): row i has the entries [begin(i), begin(i + 1)),
/// each column at most once. Nothing here checks them: places lie in `terms`, and no value is 0,
/// because an entry that is there counts as present.
struct SparseView {
  SparseKind kind = SparseKind::text;
  std::string name{};          ///< of a text column
  TextOptions text_options{};  ///< how a text became terms
  const void* begins = nullptr;
  const void* places = nullptr;
  const void* values = nullptr;
  Element begin_type = Element::i64;  ///< i32 or i64
  Element place_type = Element::i32;  ///< i32 or i64
  Element value_type = Element::f64;
  std::span<const std::string> terms{};   ///< the names of the columns
  bool all_columns = false;               ///< see SparseColumns
  const std::uint8_t* missing = nullptr;  ///< a byte for each row: 1 where the text is missing

  SparseView() = default;
  explicit SparseView(const SparseColumns& columns);

  [[nodiscard]] Index begin(Index row) const {
    return begin_type == Element::i64 ? static_cast<Index>(as<std::int64_t>(begins)[row])
                                      : Index{as<std::int32_t>(begins)[row]};
  }
  [[nodiscard]] Index place(Index entry) const {
    return place_type == Element::i32 ? Index{as<std::int32_t>(places)[entry]}
                                      : static_cast<Index>(as<std::int64_t>(places)[entry]);
  }
  [[nodiscard]] double value(Index entry) const {
    return value_type == Element::f64 ? as<double>(values)[entry] : any_value(entry);
  }
  [[nodiscard]] bool is_missing(Index row) const { return missing != nullptr && missing[row] != 0; }

 private:
  template <class T>
  [[nodiscard]] static const T* as(const void* data) {
    return static_cast<const T*>(data);
  }
  [[nodiscard]] double any_value(Index entry) const;
};

/// Everything that is known of some rows, as views of what somebody else owns.
struct DataView {
  Index rows = 0;
  /// The features in order. The numeric and count columns are those of all pieces of `numbers` one
  /// after the other, the categorical and binary ones are `codes`, the texts stand in `sparse`.
  std::vector<Column> columns{};
  std::vector<NumbersView> numbers{};
  std::vector<CodesView> codes{};
  std::vector<SparseView> sparse{};
  /// The columns have no names: they are the features of whatever model is asked, in its order, and
  /// a category is the number of its level.
  bool by_position = false;

  std::string target{};  ///< name of the labels; empty: there are none
  CodesView labels{};    ///< their names are the classes
  LabelType label_type = LabelType::unknown;
  std::span<const double> weights{};  ///< n, or empty: every row counts once
  /// The weights are frequencies: a row of weight 7 stands for seven equal rows.
  bool frequencies = false;

  std::string source{};                   ///< the file they came from, if any
  std::span<const std::int64_t> lines{};  ///< n, or empty: where each row begins there
};

/// Some rows of a DataView: copying them allocates nothing.
class Rows {
 public:
  /// No row of nothing.
  Rows();
  /// All rows of a table, which must outlive them.
  Rows(const Table& table);  // NOLINT(google-explicit-constructor): a table is viewed for free
  /// Numbers whose columns are the features of a model, in its order.
  Rows(const MatrixView& numbers);                            // NOLINT(google-explicit-constructor)
  Rows(const Matrix& numbers) : Rows(MatrixView(numbers)) {}  // NOLINT(google-explicit-constructor)
  /// Throws Error (bad_argument) if the parts do not fit together.
  explicit Rows(DataView data);
  /// The same; what the views look at may be kept by the pointer.
  explicit Rows(std::shared_ptr<const DataView> data);

  [[nodiscard]] const DataView& data() const { return *data_; }

  [[nodiscard]] Index count() const { return count_; }
  [[nodiscard]] bool contiguous() const { return list_ == nullptr; }
  /// The row of the data at a position.
  [[nodiscard]] Index row(Index position) const {
    return list_ != nullptr ? list_[position] : first_ + position;
  }
  /// The positions [begin, end): a range stays a range.
  [[nodiscard]] Rows between(Index begin, Index end) const;
  /// These rows of the data, which somebody keeps meanwhile; an empty list means no row.
  [[nodiscard]] Rows only(std::span<const Index> rows) const;

  /// The same positions in `other`, whose data must have as many rows.
  [[nodiscard]] Rows in(const Rows& other) const;

  [[nodiscard]] double weight(Index row) const {
    return data_->weights.empty() ? 1 : data_->weights[static_cast<std::size_t>(row)];
  }
  /// How many equal rows a row of the data stands for: its frequency, or 1.
  [[nodiscard]] Index copies(Index row) const {
    return data_->frequencies ? static_cast<Index>(weight(row)) : 1;
  }
  /// Where a row of the data is: "iris.csv:17", or "row 16" without a file.
  [[nodiscard]] std::string place(Index row) const;
  /// What tells a row from others wherever it is cut: its line, or its number.
  [[nodiscard]] std::int64_t id(Index row) const {
    return data_->lines.empty() ? row : data_->lines[static_cast<std::size_t>(row)];
  }

 private:
  std::shared_ptr<const DataView> data_;
  const Index* list_ = nullptr;
  Index first_ = 0;
  Index count_ = 0;
};

/// How numbers in memory are described.
struct Labelled {
  std::vector<std::string> names{};  ///< of the columns; empty: x1, x2, ...
  /// Labels are places in this list, which must outlive the rows; empty: the classes are called
  /// 0, 1, 2, ...
  std::span<const std::string> classes{};
  std::span<const double> weights{};  ///< n, or empty: every row counts once
};

/// Numbers and their labels, any whole numbers (negative: missing), none of them copied. Throws
/// Error (bad_argument) if there are not as many labels as rows, or one is not a class.
template <class Labels>
[[nodiscard]] Rows labelled_rows(const MatrixView& numbers, const Labels& labels,
                                 const Labelled& about = {});

namespace detail {
[[nodiscard]] Rows labelled_rows(const MatrixView& numbers, const CodesView& labels, Index count,
                                 const Labelled& about);
}
template <class Labels>
Rows labelled_rows(const MatrixView& numbers, const Labels& labels, const Labelled& about) {
  return detail::labelled_rows(numbers, CodesView(std::data(labels), about.classes),
                               static_cast<Index>(std::size(labels)), about);
}

/// How much of the rows was missing.
struct MissingCells {
  Index rows = 0;  ///< that lack something that was asked for
  Index cells = 0;
  friend bool operator==(const MissingCells&, const MissingCells&) = default;
};

/// The rows with the columns `names` of their sparse matrix of numbers as numeric columns, for code
/// that looks at single columns; empty: all of its columns, sorted. Nothing if the features are not
/// such a matrix. Throws Error (bad_data) if the table would take more than 1 GiB.
[[nodiscard]] std::optional<Table> with_numeric_columns(const Rows& rows,
                                                        std::vector<std::string> names = {});

}  // namespace genera
