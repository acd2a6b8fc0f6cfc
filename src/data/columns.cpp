#include "data/columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/bytes.hpp"
#include "kernel/index.hpp"
#include "kernel/text.hpp"

namespace genera::data {
namespace {

using kernel::at;

using kernel::panel_rows;

bool is_plain(const NumbersView& numbers) {
  return numbers.valid == nullptr && (numbers.type == Element::f64 || numbers.type == Element::f32);
}

MatrixView plain_view(const NumbersView& numbers, Index rows) {
  return numbers.type == Element::f64 ? MatrixView(static_cast<const double*>(numbers.data), rows,
                                                   numbers.columns, numbers.strides)
                                      : MatrixView(static_cast<const float*>(numbers.data), rows,
                                                   numbers.columns, numbers.strides);
}

/// One column of a piece of numbers.
NumbersView column_of(const NumbersView& piece, Index column) {
  NumbersView one = piece;
  one.columns = 1;
  detail::visit_elements(piece.data, piece.type, [&](const auto* first) {
    one.data = first + column * piece.strides.column;
  });
  return one;
}

}  // namespace

std::vector<FeaturePlace> feature_places(const std::vector<Column>& columns) {
  std::vector<FeaturePlace> places;
  Index numbers = 0, codes = 0, texts = 0;
  for (const Column& column : columns) {
    if (kept_as_number(column.type))
      places.push_back({FeaturePlace::Kind::number, numbers++});
    else if (kept_as_code(column.type))
      places.push_back({FeaturePlace::Kind::code, codes++});
    else
      places.push_back({FeaturePlace::Kind::text, texts++});
  }
  return places;
}

ColumnPlaces::ColumnPlaces(const DataView& data) {
  for (const Column& column : data.columns) {
    if (kept_as_number(column.type))
      numbers_.add(column.name);
    else if (kept_as_code(column.type))
      codes_.add(column.name);
  }
  for (std::size_t s = 0; s < data.sparse.size(); ++s) {
    if (data.sparse[s].kind != SparseKind::text) continue;
    texts_.add(data.sparse[s].name);
    text_places_.push_back(static_cast<Index>(s));
  }
}

Index ColumnPlaces::require(const NameSet& names, const std::string& name, const char* kind) const {
  if (const auto place = names.find(name)) return *place;
  throw Error(Errc::bad_data, fmt::format("the table has no {} column '{}'", kind, name),
              kernel::did_you_mean(name, names.names(), "the model needs all of its features"));
}

Index ColumnPlaces::number(const std::string& name) const {
  return require(numbers_, name, "numeric");
}
Index ColumnPlaces::code(const std::string& name) const {
  return require(codes_, name, "categorical");
}
Index ColumnPlaces::text(const std::string& name) const {
  return text_places_[at(require(texts_, name, "text"))];
}

std::vector<Index> number_places(const DataView& data, ColumnType type) {
  std::vector<Index> places;
  Index place = 0;
  for (const Column& column : data.columns) {
    if (column.type == type) places.push_back(place);
    if (kept_as_number(column.type)) ++place;
  }
  return places;
}

std::vector<Index> number_places(const DataView& data, const std::vector<std::string>& names) {
  const ColumnPlaces columns(data);
  std::vector<Index> places;
  for (const std::string& name : names) places.push_back(columns.number(name));
  return places;
}

std::vector<std::string> names_of(const DataView& data, ColumnType type) {
  std::vector<std::string> names;
  for (const Column& column : data.columns) {
    if (column.type == type) names.push_back(column.name);
  }
  return names;
}

std::optional<std::size_t> sparse_features(const DataView& data) {
  for (std::size_t s = 0; s < data.sparse.size(); ++s) {
    if (data.sparse[s].kind != SparseKind::text) return s;
  }
  return std::nullopt;
}

std::vector<NumbersView> single_columns(const DataView& data) {
  std::vector<NumbersView> columns;
  for (const NumbersView& piece : data.numbers) {
    for (Index j = 0; j < piece.columns; ++j) columns.push_back(column_of(piece, j));
  }
  return columns;
}

DataView only_numbers(const DataView& data, std::span<const Index> places) {
  const std::vector<NumbersView> pieces = single_columns(data);
  std::vector<Column> columns;
  for (const Column& column : data.columns) {
    if (kept_as_number(column.type)) columns.push_back(column);
  }
  DataView view = data;
  view.columns.clear();
  view.numbers.clear();
  view.codes.clear();
  view.sparse.clear();
  for (const Index place : places) {
    view.columns.push_back(columns[at(place)]);
    view.numbers.push_back(pieces[at(place)]);
  }
  return view;
}

NumberColumns::NumberColumns(const DataView& data, std::span<const Index> places)
    : pieces_(data.numbers) {
  std::vector<Index> ends;  // of the pieces; avoids prefetching all columns when few are read
  for (const NumbersView& piece : pieces_)
    ends.push_back((ends.empty() ? 0 : ends.back()) + piece.columns);
  for (const Index place : places) {
    const auto p = at(std::ranges::upper_bound(ends, place) - ends.begin());
    cells_.push_back({p, place - (ends[p] - pieces_[p].columns)});
  }
  recognise_plain(data.rows);
}

NumberColumns::NumberColumns(const MatrixView& numbers) : pieces_{numbers} {
  for (Index j = 0; j < numbers.columns(); ++j) cells_.push_back({0, j});
  recognise_plain(numbers.rows());
}

void NumberColumns::recognise_plain(Index rows) {
  if (cells_.empty()) return;
  const std::size_t first = cells_.front().piece;
  const bool one = std::all_of(cells_.begin(), cells_.end(),
                               [&](const Cell& cell) { return cell.piece == first; });
  if (!one || !is_plain(pieces_[first])) return;
  plain_ = plain_view(pieces_[first], rows);
  std::vector<Index> columns;
  for (const Cell& cell : cells_) columns.push_back(cell.column);
  layout_ = kernel::PanelLayout(columns);
  in_order_ = true;
  for (std::size_t j = 0; j < columns.size(); ++j)
    in_order_ = in_order_ && columns[j] == columns.front() + static_cast<Index>(j);
}

NumberColumns all_numbers(const DataView& data) {
  Index count = 0;
  for (const NumbersView& piece : data.numbers) count += piece.columns;
  std::vector<Index> all(at(count));
  std::iota(all.begin(), all.end(), Index{0});
  return {data, all};
}

double NumberColumns::operator()(Index row, Index column) const {
  const Cell& cell = cells_[at(column)];
  return plain_ ? (*plain_)(row, cell.column) : pieces_[cell.piece](row, cell.column);
}

bool NumberColumns::gather_panel(Index first, Index lanes, double* panel) const {
  if (plain_) return kernel::gather_panel(*plain_, layout_, first, lanes, panel);
  std::array<Index, panel_rows> rows{};
  std::iota(rows.begin(), rows.begin() + lanes, first);
  return gather_cells({rows.data(), at(lanes)}, panel);
}

bool NumberColumns::gather_panel(std::span<const Index> rows, double* panel) const {
  if (plain_) return kernel::gather_panel(*plain_, layout_, rows, panel);
  return gather_cells(rows, panel);
}

kernel::Ahead NumberColumns::memory_of(Index first, Index count) const {
  if (!plain_ || plain_->strides().column != 1) return {};
  const Index row = plain_->strides().row;
  if (row < this->count() || row > 2 * this->count()) return {};
  return plain_->visit([&](const auto* data) -> kernel::Ahead {
    const auto address = [&](Index i) {
      return reinterpret_cast<const char*>(data + std::min(i, plain_->rows()) * row);
    };
    return {address(first), address(first + count)};
  });
}

bool NumberColumns::lies_in_memory() const {
  return plain_ && in_order_ && plain_->strides().column == 1;
}

template <class RowAt>
kernel::RowsInMemory NumberColumns::addresses(std::size_t count_of_rows, RowAt row_at,
                                              std::vector<const char*>& at) const {
  at.clear();
  if (!lies_in_memory()) return {};
  at.resize(count_of_rows);
  return plain_->visit([&]<class T>(const T* data) -> kernel::RowsInMemory {
    const T* first = data + cells_.front().column;
    const Index stride = plain_->strides().row;
    for (std::size_t r = 0; r < at.size(); ++r)
      at[r] = reinterpret_cast<const char*>(first + row_at(r) * stride);
    return {at, count(), std::is_same_v<T, float>};
  });
}

kernel::RowsInMemory NumberColumns::in_memory(std::span<const Index> rows,
                                              std::vector<const char*>& at) const {
  return addresses(
      rows.size(), [&](std::size_t r) { return rows[r]; }, at);
}

kernel::RowsInMemory NumberColumns::in_memory(const Rows& rows,
                                              std::vector<const char*>& at) const {
  const auto count = static_cast<std::size_t>(rows.count());
  const Index first = count > 0 ? rows.row(0) : 0;
  if (rows.contiguous())
    return addresses(
        count, [first](std::size_t r) { return first + static_cast<Index>(r); }, at);
  return addresses(
      count, [&](std::size_t r) { return rows.row(static_cast<Index>(r)); }, at);
}

kernel::StridedRows NumberColumns::strided(Index first, Index count_of_rows) const {
  return plain_->visit([&]<class T>(const T* data) -> kernel::StridedRows {
    const Index stride = plain_->strides().row;
    const T* row = data + cells_.front().column + first * stride;
    return {reinterpret_cast<const char*>(row), stride * static_cast<Index>(sizeof(T)),
            count_of_rows, count(), std::is_same_v<T, float>};
  });
}

bool NumberColumns::gather_cells(std::span<const Index> rows, double* panel) const {
  bool finite = true;
  for (std::size_t j = 0; j < cells_.size(); ++j) {
    double* to = panel + static_cast<Index>(j) * panel_rows;
    std::fill_n(to, panel_rows, 0.0);
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      to[lane] = (*this)(rows[lane], static_cast<Index>(j));
      finite = finite && std::isfinite(to[lane]);
    }
  }
  return finite;
}

void NumberColumns::gather_rows(std::span<const Index> rows, Index stride, double* to) const {
  if (!plain_) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (Index j = 0; j < count(); ++j)
        to[static_cast<Index>(r) * stride + j] = (*this)(rows[r], j);
    }
    return;
  }
  plain_->visit([&]<class T>(const T* data) {
    // Rows of a class are scattered, so the hardware does not prefetch the next one.
    constexpr std::size_t ahead = 4;
    constexpr Index per_line = 64 / static_cast<Index>(sizeof(T));
    const Strides strides = plain_->strides();
    const Index d = count();
    const Index first = cells_.front().column;
    const bool side_by_side = in_order_ && strides.column == 1;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const T* from = data + rows[r] * strides.row;
      double* row = to + static_cast<Index>(r) * stride;
      if (!side_by_side) {
        for (Index j = 0; j < d; ++j)
          row[j] = static_cast<double>(from[cells_[at(j)].column * strides.column]);
        continue;
      }
      if (r + ahead < rows.size()) {
        const T* next = data + rows[r + ahead] * strides.row + first;
        for (Index j = 0; j < d; j += per_line) kernel::prefetch(next + j);
      }
      std::copy_n(from + first, d, row);
    }
  });
}

void NumberColumns::point_to_rows(std::span<const Index> rows, Vector& copy,
                                  std::vector<const double*>& to) const {
  to.clear();
  if (plain_ && in_order_ && plain_->strides().column == 1) {
    const bool doubles = plain_->visit([&]<class T>(const T* data) {
      if constexpr (std::is_same_v<T, double>) {
        const double* const first = data + cells_.front().column;
        for (const Index row : rows) to.push_back(first + row * plain_->strides().row);
      }
      return std::is_same_v<T, double>;
    });
    if (doubles) return;
  }
  copy.resize(rows.size() * at(count()));
  gather_rows(rows, count(), copy.data());
  for (std::size_t r = 0; r < rows.size(); ++r) to.push_back(copy.data() + r * at(count()));
}

}  // namespace genera::data
