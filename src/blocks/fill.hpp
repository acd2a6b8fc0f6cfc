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

/// Completion of rows by blocks: all cells for new rows, or missing cells.
namespace genera::blocks {

/// The columns of a block in a table in the order of the model.
struct Layout {
  Index numbers = 0;       ///< number of numeric columns
  bool patterned = false;  ///< missing numbers change the density of the others
  std::vector<std::vector<std::string>> levels{};  ///< of its codes
  std::string text{};                              ///< name of its text column
};

/// Terms of a text with their counts, in ascending order.
using TermCounts = std::vector<std::pair<Index, double>>;

/// Rows in the layout of the model, and the position of the columns of a block. Missing cells (NaN,
/// -1) are to be completed.
struct Cells {
  Table& table;
  Index number = 0, code = 0;                             ///< the first column of the block
  std::vector<std::vector<TermCounts>>* texts = nullptr;  ///< for each row, its texts in order

  [[nodiscard]] double& at_number(Index row, Index j) const {
    return table.numbers(row, number + j);
  }
  [[nodiscard]] std::int32_t& at_code(Index row, Index j) const {
    return table.codes(row, code + j);
  }
};

/// Rules for counts in drawn rows.
struct FillRules {
  std::optional<Index> length{};  ///< of each row; empty: the mean length of its class, rounded
  /// If true, missing counts beside known ones are drawn in proportion to these, from their
  /// distribution with an unknown total length; otherwise they share the remaining length.
  bool in_proportion = false;
  bool texts = true;  ///< false: texts are not drawn
};

/// Whether the rows of a block have a length, the sum of their counts.
enum class RowLength { none, known, unknown };

/// Scratch memory of one thread.
class FillWorker {
 public:
  FillWorker() = default;
  FillWorker(const FillWorker&) = delete;
  FillWorker& operator=(const FillWorker&) = delete;
  virtual ~FillWorker() = default;

  /// Sets the observed pattern columns of the block for the following rows, in ascending order.
  virtual void observe(std::span<const Index> /*columns*/) {}

  /// Completes up to sixteen rows by expectations and most probable values, averaged over the
  /// classes by `classes` (K x 16, one column per row). Texts are unchanged.
  virtual void expect(const Cells& cells, std::span<const Index> rows, const double* classes) = 0;
  /// Completes rows of class k by draws, each from its own stream.
  virtual void draw(const Cells& cells, std::span<const Index> rows, Index k,
                    std::span<Rng> streams) = 0;
};

/// A block prepared for completing rows: immutable, shared by all threads.
class Filler {
 public:
  Filler() = default;
  Filler(const Filler&) = delete;
  Filler& operator=(const Filler&) = delete;
  virtual ~Filler() = default;
  [[nodiscard]] virtual std::unique_ptr<FillWorker> worker() const = 0;
};

/// p(k | known cells) of one row.
[[nodiscard]] inline double class_weight(const double* classes, Index k, std::size_t lane) {
  return classes[static_cast<std::size_t>(k * kernel::panel_rows) + lane];
}

}  // namespace genera::blocks
