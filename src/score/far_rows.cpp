#include "score/far_rows.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "score/scorer.hpp"

namespace genera::score {
namespace {

/// Squares of smaller numbers overflow only with a standard deviation below 1e-54.
constexpr double far = 1e100;

/// Finds the number of largest magnitude in a row, among very large ones.
class LargestNumbers {
 public:
  explicit LargestNumbers(const BoundModel& bound) : bound_(bound) {
    for (std::size_t b = 0; b < bound.size(); ++b) columns_.push_back(bound.columns(b));
  }

  struct Number {
    std::string name;
    double value = 0;
  };
  [[nodiscard]] Number of(Index row) const {
    Number largest;
    const auto take = [&](const std::string& name, double value) {
      if (std::abs(value) >= far && std::abs(value) > std::abs(largest.value))
        largest = {name, value};
    };
    for (std::size_t b = 0; b < columns_.size(); ++b) {
      const blocks::Places& places = bound_.places(b);
      for (std::size_t f = 0; f < places.numbers.size(); ++f)
        take(columns_[b][f].name, bound_.bound_rows().numbers(row, places.numbers[f]));
      if (!places.sparse) continue;
      const SparseView& sparse = bound_.bound_rows().sparse(places);
      for (Index e = sparse.begin(row); e < sparse.begin(row + 1); ++e) {
        const auto term = static_cast<std::size_t>(sparse.place(e));
        if (places.terms[term] >= 0) take(sparse.terms[term], sparse.value(e));
      }
    }
    return largest;
  }

 private:
  const BoundModel& bound_;
  std::vector<std::vector<Column>> columns_;
};

/// Tests row by row whether the scores of the classes can be compared.
class Comparable {
 public:
  explicit Comparable(const BoundModel& bound)
      : scorer_(bound, blocks::MissingMode::possible),
        labels_(static_cast<std::size_t>(bound.rows().count())) {}
  bool operator()(Index position) {
    const Index before = scorer_.impossible();
    return scorer_.run_one(position, {.labels = labels_.data()}) && scorer_.impossible() == before;
  }

 private:
  Scorer scorer_;
  std::vector<std::int32_t> labels_;
};

}  // namespace

bool has_far_number(std::span<const double> row) {
  return std::ranges::any_of(row, [](double x) { return std::abs(x) >= far; });
}

void refuse_far_rows(const BoundModel& bound) {
  const LargestNumbers numbers(bound);
  Comparable can_be_compared(bound);
  for (Index i = 0; i < bound.rows().count(); ++i) {
    const auto [name, value] = numbers.of(bound.rows().row(i));
    if (value == 0 || can_be_compared(i)) continue;
    throw Error(Errc::bad_data,
                fmt::format("{}: '{}' is {}, too large to compare the classes",
                            bound.rows().place(bound.rows().row(i)), name, value),
                "replace the value");
  }
}

}  // namespace genera::score
