#pragma once

#include <string>
#include <vector>

#include <genera/stream.hpp>
#include <genera/table.hpp>

namespace genera {

/// How much of the second moments is kept.
enum class Scatter {
  full,      ///< d x d: every model can be estimated from it
  diagonal,  ///< d: enough for gnb, dlda, spherical, centroid
};

/// Weight, mean and scatter of the rows of one class. The empty one is the identity of `merge`.
struct Moments {
  double weight = 0;
  Vector mean;      ///< d
  Vector mean_low;  ///< d; mean + mean_low has about 32 digits, so that no mean is too large
  Matrix scatter;   ///< sum of w (x - mean)(x - mean)': d x d (symmetric) or 1 x d

  Moments() = default;
  Moments(Index d, Scatter kind);

  void merge(const Moments& other);
  /// Undoes `merge(other)`, to 1e-13 of the scatter before.
  void subtract(const Moments& other);

  friend bool operator==(const Moments&, const Moments&) = default;
};

/// What is kept of the rows of one class.
struct ClassStatistics {
  std::string name;
  Index rows = 0;  ///< rows seen, whatever their weight
  Moments moments;
  friend bool operator==(const ClassStatistics&, const ClassStatistics&) = default;
};

/// Additive sufficient statistics of a table: `merge` is associative and commutative (to rounding)
/// with the empty one as identity, `subtract` undoes it. A class may appear at any time.
class Statistics {
 public:
  Statistics() = default;
  Statistics(std::vector<std::string> columns, std::string target, Scatter kind);

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] Scatter scatter() const { return scatter_; }
  /// In the order of their names as text.
  [[nodiscard]] const std::vector<ClassStatistics>& classes() const { return classes_; }
  [[nodiscard]] double weight() const;

  /// The moments of class `name`, made empty if it is new.
  ClassStatistics& of_class(const std::string& name);

  /// Rows must be complete and labelled. Same bits for any number of threads.
  void add(const Table& table, int threads = 1);
  void merge(const Statistics& other);
  /// Throws Error (bad_data) if `other` holds more than there is. Classes left without weight
  /// vanish. Returns what a careful user wants to know (cancellation).
  std::vector<std::string> subtract(const Statistics& other);
  void forget_class(const std::string& name);

  friend bool operator==(const Statistics&, const Statistics&) = default;

 private:
  /// `other` with its columns in our order; refuses other names.
  [[nodiscard]] std::vector<Index> match_columns(const Statistics& other) const;

  std::vector<std::string> columns_;
  std::string target_;
  Scatter scatter_ = Scatter::full;
  std::vector<ClassStatistics> classes_;
};

/// What to do with a row that has a missing value or no label.
enum class Missing {
  refuse,  ///< an error that names the columns and counts the cells
  drop,    ///< the row is left out and counted
};

struct CollectOptions {
  Scatter scatter = Scatter::full;
  Missing missing = Missing::refuse;
  int threads = 1;
};

struct Collected {
  Statistics statistics;
  std::vector<std::string> notes;  ///< rows dropped, and what the stream found
};

/// One pass over the rows (two, if a column's type showed itself late). Memory does not grow with
/// rows.
[[nodiscard]] Collected collect(RowStream& rows, const CollectOptions& options = {});
[[nodiscard]] Collected collect(const Table& table, const CollectOptions& options = {});

}  // namespace genera
