#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "data/columns.hpp"
#include "sums/summarise.hpp"

/// Selection of usable rows, and counts of missing cells in the others.
namespace genera::sums {

/// Presence of the cells of rows, feature by feature.
class PresentCells {
 public:
  using Place = data::FeaturePlace;

  explicit PresentCells(const DataView& data)
      : data_(&data), places_(data::feature_places(data.columns)) {
    std::vector<Index> all;
    for (const Place place : places_) {
      if (place.kind == Place::Kind::number) all.push_back(place.at);
    }
    numbers_ = data::NumberColumns(data, all);
  }

  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] const data::NumberColumns& numbers() const { return numbers_; }
  [[nodiscard]] bool is_missing(Index row, Place place) const {
    const auto at = static_cast<std::size_t>(place.at);
    switch (place.kind) {
      case Place::Kind::number:
        return std::isnan(numbers_(row, place.at));
      case Place::Kind::code:
        return data_->codes[at](row) < 0;
      case Place::Kind::text:
        return data_->sparse[at].is_missing(row);
    }
    return false;
  }

 private:
  const DataView* data_;
  std::vector<Place> places_;
  data::NumberColumns numbers_;
};

/// Columns of numbers of one type, with the indices of their features.
struct NumbersOfType {
  NumbersOfType(const DataView& data, ColumnType type)
      : numbers(data, data::number_places(data, type)) {
    for (std::size_t f = 0; f < data.columns.size(); ++f) {
      if (data.columns[f].type == type) features.push_back(f);
    }
  }
  data::NumberColumns numbers;
  std::vector<std::size_t> features;
};

/// Throws the error (bad_data) for an infinite number.
[[noreturn]] void refuse_infinite(const Rows& rows, Index row, const std::string& column);

/// Checks the rows of a class, column by column, and counts missing cells.
class RowCheck {
 public:
  RowCheck(const Rows& rows, Missing policy, Summary& summary);

  [[nodiscard]] const data::NumberColumns& numeric() const { return numeric_.numbers; }
  [[nodiscard]] const data::NumberColumns& counts() const { return counts_.numbers; }

  /// Keeps the rows that are usable with respect to codes, texts and counts. Checks numeric columns
  /// only if a row is removed; returns true if it did.
  bool check_all_but_numeric(std::vector<Index>& of_class, bool counts_are_complete);

  void check_numeric(std::vector<Index>& of_class);

 private:
  void miss(std::size_t feature, std::size_t at, Index row, bool makes_row_unusable);
  void look_at_codes_and_texts(const std::vector<Index>& of_class);
  void look_at_numbers(const std::vector<Index>& of_class, const NumbersOfType& some);
  void leave_out(std::vector<Index>& of_class);

  const Rows* rows_;
  PresentCells cells_;
  NumbersOfType numeric_, counts_;
  std::vector<std::size_t> code_features_;  // feature of each code column
  Missing policy_;
  Summary* summary_;
  std::vector<std::uint8_t> unusable_;  // by index within the class
  bool lost_ = false;                   // a row was removed
};

}  // namespace genera::sums
