#include "data/row_digests.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include <genera/random.hpp>

#include "data/columns.hpp"
#include "data/text/hashed_terms.hpp"
#include "kernel/index.hpp"

namespace genera::data {
namespace {

using kernel::at;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return Rng(a).split(b)(); }

/// Bits of a number; equal numbers have equal bits, and all NaNs are one missing value.
std::uint64_t bits_of(double x) {
  if (std::isnan(x)) return 0x7ff8000000000000U;
  return std::bit_cast<std::uint64_t>(x + 0.0);
}

template <class Names>
std::vector<std::uint64_t> hashes_of(const Names& names) {
  std::vector<std::uint64_t> hashes;
  for (const std::string& name : names) hashes.push_back(term_hash(name));
  return hashes;
}

/// Digests of rows by the ranks of their numbers, which are invariant to units and names of
/// columns. Columns are distinguished by the joint distribution of rank and label.
class RankDigests {
 public:
  RankDigests(const Rows& rows, std::span<const Index> positions)
      : data_(rows.data()), digests_(positions.size()) {
    for (const Index position : positions) rows_.push_back(rows.row(position));
  }

  std::vector<std::uint64_t> run() && {
    for (const NumbersView& column : single_columns(data_)) {
      for (const Index row : rows_) numbers_.push_back(column(row, 0));
      add_column();
    }
    if (const auto matrix = sparse_features(data_)) add_matrix(data_.sparse[*matrix]);
    for (const CodesView& column : data_.codes) {
      const std::vector<std::uint64_t> levels = hashes_of(column.names);
      for (const Index row : rows_) cells_.push_back(column(row) < 0 ? 0 : levels[at(column(row))]);
      add_cells();
    }
    for (const SparseView& column : data_.sparse)
      if (column.kind == SparseKind::text) add_texts(column);
    if (data_.weights.empty()) return std::move(digests_);
    for (const Index row : rows_) numbers_.push_back(data_.weights[at(row)]);
    add_column();
    return std::move(digests_);
  }

 private:
  /// Ranks the numbers in ascending and descending order, so that a change of sign changes nothing.
  void add_column() {
    Vector values;
    for (const double x : numbers_)
      if (!std::isnan(x)) values.push_back(x);
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::uint64_t up = 0, down = 0;
    const auto last = static_cast<std::uint64_t>(values.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const auto place = std::ranges::lower_bound(values, numbers_[i]) - values.begin();
      const std::uint64_t rank =
          std::isnan(numbers_[i]) ? bits_of(numbers_[i]) : static_cast<std::uint64_t>(place);
      cells_.push_back(rank);
      up += mixed(label(i), rank);
      down += mixed(label(i), reversed(rank, last));
    }
    if (down < up)
      for (std::uint64_t& rank : cells_) rank = reversed(rank, last);
    numbers_.clear();
    add_cells();
  }
  static std::uint64_t reversed(std::uint64_t rank, std::uint64_t count) {
    return rank < count ? count - 1 - rank : rank;  // missing values keep their code
  }

  /// Adds one column of all rows to the digests.
  void add_cells() {
    std::uint64_t column = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) column += mixed(label(i), cells_[i]);
    for (std::size_t i = 0; i < cells_.size(); ++i) digests_[i] += mixed(column, cells_[i]);
    cells_.clear();
  }

  void add_matrix(const SparseView& matrix) {
    std::vector<std::vector<std::pair<std::size_t, double>>> columns(matrix.terms.size());
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (Index e = matrix.begin(rows_[i]); e < matrix.begin(rows_[i] + 1); ++e)
        columns[at(matrix.place(e))].emplace_back(i, matrix.value(e));
    for (const auto& column : columns) {
      numbers_.assign(rows_.size(), 0);
      for (const auto& [row, value] : column) numbers_[row] = value;
      add_column();
    }
  }

  void add_texts(const SparseView& column) {
    const std::vector<std::uint64_t> terms = hashes_of(column.terms);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (column.is_missing(rows_[i])) digests_[i] += mixed(0, 0);
      for (Index e = column.begin(rows_[i]); e < column.begin(rows_[i] + 1); ++e)
        digests_[i] += mixed(terms[at(column.place(e))], bits_of(column.value(e)));
    }
  }

  [[nodiscard]] std::uint64_t label(std::size_t i) const {
    const std::int32_t code = data_.labels.empty() ? -1 : data_.labels(rows_[i]);
    return code < 0 ? 0 : term_hash(data_.labels.names[at(code)]);
  }

  const DataView& data_;
  std::vector<Index> rows_;  // indices into the data
  std::vector<std::uint64_t> digests_;
  Vector numbers_;                    // of the current column
  std::vector<std::uint64_t> cells_;  // the same as bits for the digests
};

/// Ranking more numbers would take more than a second.
bool can_be_ranked(const DataView& data, std::size_t rows) {
  constexpr double max_cells = 5e6;
  Index columns = 0;
  for (const NumbersView& piece : data.numbers) columns += piece.columns;
  if (const auto matrix = sparse_features(data)) columns += std::ssize(data.sparse[*matrix].terms);
  return static_cast<double>(columns) * static_cast<double>(rows) <= max_cells;
}

}  // namespace

RowDigests::RowDigests(Rows rows) : rows_(std::move(rows)) {
  const DataView& data = rows_.data();
  classes_ = hashes_of(data.labels.names);
  const std::vector<FeaturePlace> places = feature_places(data.columns);
  for (std::size_t j = 0; j < places.size(); ++j) {
    const std::uint64_t name = term_hash(data.columns[j].name);
    if (places[j].kind == FeaturePlace::Kind::number) numbers_.push_back(name);
    if (places[j].kind == FeaturePlace::Kind::code) codes_.push_back(name);
  }
  for (const CodesView& column : data.codes) levels_.push_back(hashes_of(column.names));
  for (const SparseView& column : data.sparse) {
    sparse_.push_back(column.kind == SparseKind::text ? term_hash(column.name) : 0);
    terms_.push_back(hashes_of(column.terms));
  }
}

std::uint64_t RowDigests::named(const Hashes& names, std::int32_t code) {
  return code < 0 ? 0 : names[at(code)];
}

/// A sum, so that the result does not depend on the order of columns.
std::uint64_t RowDigests::operator()(Index row) const {
  const DataView& data = rows_.data();
  std::uint64_t sum = data.labels.empty() ? 0 : named(classes_, data.labels(row));
  std::size_t j = 0;
  for (const NumbersView& piece : data.numbers) {
    for (Index column = 0; column < piece.columns; ++column, ++j) {
      const double x = piece(row, column);  // sparse matrices do not store zeros
      if (x != 0) sum += mixed(numbers_.empty() ? j : numbers_[j], bits_of(x));
    }
  }
  for (j = 0; j < levels_.size(); ++j)
    sum += mixed(codes_.empty() ? j : codes_[j], named(levels_[j], data.codes[j](row)));
  for (j = 0; j < sparse_.size(); ++j) {
    const SparseView& column = data.sparse[j];
    if (column.is_missing(row)) sum += mixed(sparse_[j], 0);
    for (Index e = column.begin(row); e < column.begin(row + 1); ++e)
      sum += mixed(sparse_[j] + terms_[j][at(column.place(e))], bits_of(column.value(e)));
  }
  if (!data.weights.empty() && !data.frequencies) sum += mixed(0, bits_of(data.weights[at(row)]));
  return mixed(sum, 0);
}

void sort_by_content(const Rows& rows, std::vector<Index>& positions) {
  std::vector<std::uint64_t> digests;
  if (can_be_ranked(rows.data(), positions.size())) {
    digests = RankDigests(rows, positions).run();
  } else {
    digests.resize(positions.size());
  }
  // Breaks ties between rows whose columns have equal ranks.
  const RowDigests digest(rows);
  std::vector<std::tuple<std::uint64_t, std::uint64_t, Index>> order;
  for (std::size_t i = 0; i < positions.size(); ++i)
    order.emplace_back(digests[i], digest(rows.row(positions[i])), positions[i]);
  std::ranges::sort(order);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = std::get<Index>(order[i]);
}

}  // namespace genera::data
