#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <genera/random.hpp>
#include <genera/table.hpp>

#include "kernel/gather.hpp"

/// How blocks complete rows: all of their cells, when rows are drawn, or those that are missing.
namespace genera::blocks {

/// How the columns of a block lie in a table that is laid out as the model is.
struct Layout {
  Index numbers = 0;                               ///< so many numbers
  bool patterned = false;                          ///< whose holes call for another density
  std::vector<std::vector<std::string>> levels{};  ///< of its codes
  std::string text{};                              ///< the name of its text column
};

/// Terms of a text and how often each occurs, ascending.
using TermCounts = std::vector<std::pair<Index, double>>;

/// Rows laid out as the model is, and where the block at hand has its columns. What is missing
/// (NaN, -1) is to be filled.
struct Cells {
  Table& table;
  Index number = 0, code = 0;                             ///< the first of its columns
  std::vector<std::vector<TermCounts>>* texts = nullptr;  ///< of each row: one text after the other

  [[nodiscard]] double& at_number(Index row, Index j) const {
    return table.numbers(row, number + j);
  }
  [[nodiscard]] std::int32_t& at_code(Index row, Index j) const {
    return table.codes(row, code + j);
  }
};

/// How much is counted in rows that are drawn.
struct FillRules {
  std::optional<Index> length{};  ///< of each row; empty: the mean length of its class, rounded
  /// Counts that are missing beside others are as many as these let expect, by their law under a
  /// length of which nothing else is known; not: as many as the length leaves over.
  bool in_proportion = false;
  bool texts = true;  ///< false: texts are not drawn
};

/// Whether the rows of a block have a length, the sum of their counts.
enum class RowLength { none, known, unknown };

/// The scratch of one thread.
class FillWorker {
 public:
  FillWorker() = default;
  FillWorker(const FillWorker&) = delete;
  FillWorker& operator=(const FillWorker&) = delete;
  virtual ~FillWorker() = default;

  /// Of the rows to come these pattern columns of the block are there, ascending.
  virtual void observe(std::span<const Index> /*columns*/) {}

  /// Fills what is missing of up to sixteen rows by expectations and most probable values, mixed
  /// over the classes by `classes` (K x 16, the columns are rows). Texts are left alone.
  virtual void expect(const Cells& cells, std::span<const Index> rows, const double* classes) = 0;
  /// By draws, all rows from class k, each from its own stream.
  virtual void draw(const Cells& cells, std::span<const Index> rows, Index k,
                    std::span<Rng> streams) = 0;
};

/// A block made ready for completing rows: immutable, shared by all threads.
class Filler {
 public:
  Filler() = default;
  Filler(const Filler&) = delete;
  Filler& operator=(const Filler&) = delete;
  virtual ~Filler() = default;
  [[nodiscard]] virtual std::unique_ptr<FillWorker> worker() const = 0;
};

/// p(k | what is known) of one of the rows.
[[nodiscard]] inline double class_weight(const double* classes, Index k, std::size_t lane) {
  return classes[static_cast<std::size_t>(k * kernel::panel_rows) + lane];
}

}  // namespace genera::blocks
