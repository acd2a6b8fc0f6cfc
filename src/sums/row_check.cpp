#include "sums/row_check.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "data/each_code.hpp"

namespace genera::sums {
namespace {

using Place = PresentCells::Place;

/// Missing numbers make a row unusable, other missing cells only with Missing::drop.
bool makes_unusable(Place place, Missing policy) {
  return place.kind == Place::Kind::number || policy == Missing::drop;
}

[[noreturn]] void refuse_first_infinite(const Rows& rows, const PresentCells& cells,
                                        const std::vector<Index>& of_class) {
  for (const Index row : of_class) {
    for (std::size_t f = 0; f < cells.places().size(); ++f) {
      const Place place = cells.places()[f];
      if (place.kind == Place::Kind::number && std::isinf(cells.numbers()(row, place.at)))
        refuse_infinite(rows, row, rows.data().columns[f].name);
    }
  }
  throw std::logic_error("no number is infinite");
}

}  // namespace

void refuse_infinite(const Rows& rows, Index row, const std::string& column) {
  throw Error(Errc::bad_data, fmt::format("{}: column '{}' is infinite", rows.place(row), column),
              "replace the value, or leave the cell empty if it is missing");
}

RowCheck::RowCheck(const Rows& rows, Missing policy, Summary& summary)
    : rows_(&rows),
      cells_(rows.data()),
      numeric_(rows.data(), ColumnType::numeric),
      counts_(rows.data(), ColumnType::count),
      policy_(policy),
      summary_(&summary) {
  for (std::size_t f = 0; f < cells_.places().size(); ++f) {
    if (cells_.places()[f].kind == Place::Kind::code) code_features_.push_back(f);
  }
}

bool RowCheck::check_all_but_numeric(std::vector<Index>& of_class, bool counts_are_complete) {
  unusable_.assign(of_class.size(), 0);
  lost_ = false;
  look_at_codes_and_texts(of_class);
  if (!counts_are_complete) look_at_numbers(of_class, counts_);
  if (lost_) look_at_numbers(of_class, numeric_);
  leave_out(of_class);
  return lost_;
}

void RowCheck::check_numeric(std::vector<Index>& of_class) {
  unusable_.assign(of_class.size(), 0);
  lost_ = false;
  look_at_numbers(of_class, numeric_);
  leave_out(of_class);
}

void RowCheck::miss(std::size_t feature, std::size_t at, Index row, bool makes_row_unusable) {
  summary_->missing_cells[feature] += rows_->copies(row);
  if (!makes_row_unusable) return;
  unusable_[at] = 1;
  lost_ = true;
}

void RowCheck::look_at_codes_and_texts(const std::vector<Index>& of_class) {
  const DataView& data = rows_->data();
  const bool makes_row_unusable = policy_ == Missing::drop;
  std::size_t at = 0;
  if (data::may_lack_codes(data, of_class))
    data::each_code(
        data, of_class, [&](std::size_t i) { at = i; },
        [&](std::size_t column, std::int32_t code) {
          if (code < 0) miss(code_features_[column], at, of_class[at], makes_row_unusable);
        });
  for (std::size_t f = 0; f < cells_.places().size(); ++f) {
    const Place place = cells_.places()[f];
    if (place.kind != Place::Kind::text) continue;
    const SparseView& sparse = data.sparse[static_cast<std::size_t>(place.at)];
    for (std::size_t i = 0; i < of_class.size() && sparse.missing != nullptr; ++i) {
      if (sparse.is_missing(of_class[i])) miss(f, i, of_class[i], makes_row_unusable);
    }
  }
}

void RowCheck::look_at_numbers(const std::vector<Index>& of_class, const NumbersOfType& some) {
  constexpr std::size_t rows_at_once = 64;
  const auto d = some.features.size();
  if (d == 0) return;
  Vector block(rows_at_once * d);
  for (std::size_t first = 0; first < of_class.size(); first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, of_class.size() - first);
    some.numbers.gather_rows(std::span(of_class).subspan(first, count), static_cast<Index>(d),
                             block.data());
    for (std::size_t c = 0; c < count * d; ++c) {
      if (std::isfinite(block[c])) continue;
      if (std::isinf(block[c])) refuse_first_infinite(*rows_, cells_, of_class);
      miss(some.features[c % d], first + c / d, of_class[first + c / d], true);
    }
  }
}

void RowCheck::leave_out(std::vector<Index>& of_class) {
  if (!lost_) return;
  std::size_t i = 0;
  std::erase_if(of_class, [&](Index row) {
    const bool unusable = unusable_[i++] != 0;
    if (unusable) summary_->incomplete_rows += rows_->copies(row);
    return unusable;
  });
}

std::function<bool(Index)> usable_rows(const Rows& rows, Missing missing) {
  return [rows, missing, cells = PresentCells(rows.data())](Index row) {
    return std::none_of(cells.places().begin(), cells.places().end(), [&](Place place) {
      return makes_unusable(place, missing) && cells.is_missing(row, place);
    });
  };
}

std::vector<bool> rows_left_out(const Rows& rows) {
  constexpr Index rows_at_once = 64;
  const CodesView& labels = rows.data().labels;
  std::vector<bool> left_out(static_cast<std::size_t>(rows.count()));
  for (Index i = 0; i < rows.count(); ++i)
    left_out[static_cast<std::size_t>(i)] = labels.empty() || labels(rows.row(i)) < 0;
  for (const ColumnType type : {ColumnType::numeric, ColumnType::count}) {
    const NumbersOfType some(rows.data(), type);
    const Index d = some.numbers.count();
    Vector block(static_cast<std::size_t>(rows_at_once * d));
    std::vector<Index> list;
    for (Index first = 0; first < rows.count() && d > 0; first += rows_at_once) {
      const Index count = std::min(rows_at_once, rows.count() - first);
      list.clear();
      for (Index i = first; i < first + count; ++i) list.push_back(rows.row(i));
      some.numbers.gather_rows(list, d, block.data());
      for (Index c = 0; c < count * d; ++c)
        if (std::isnan(block[static_cast<std::size_t>(c)]))
          left_out[static_cast<std::size_t>(first + c / d)] = true;
    }
  }
  return left_out;
}

std::vector<Index> labelled_rows(const Rows& rows) {
  std::vector<Index> list;
  if (rows.data().labels.empty()) return list;
  for (Index i = 0; i < rows.count(); ++i)
    if (rows.data().labels(rows.row(i)) >= 0) list.push_back(rows.row(i));
  return list;
}

std::vector<Index> learnable_rows(const Rows& rows, Missing missing) {
  std::vector<Index> list;
  if (rows.data().labels.empty()) return list;
  const auto usable = usable_rows(rows, missing);
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    if (rows.data().labels(row) >= 0 && rows.weight(row) > 0 && usable(row)) list.push_back(row);
  }
  return list;
}

}  // namespace genera::sums
