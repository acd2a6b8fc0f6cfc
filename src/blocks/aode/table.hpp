#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <genera/discrete.hpp>
#include <genera/names.hpp>

namespace genera::detail {

class AodeWeights;

/// More logarithms of probabilities are refused: 1 GiB.
inline constexpr double max_aode_cells = 134'217'728;
/// Their number: K x levels x levels.
[[nodiscard]] double aode_cells(double classes,
                                const std::vector<std::vector<std::string>>& levels);

/// Log p(x | k) over bins and levels. A state (i, u) is a super-parent i with its level u; given
/// one, the other columns are independent.
class AodeTable {
 public:
  explicit AodeTable(const AodeParameters& parameters);

  [[nodiscard]] Index classes() const { return classes_; }
  [[nodiscard]] std::size_t columns() const { return begins_.size() - 1; }
  [[nodiscard]] Index levels(std::size_t j) const { return begins_[j + 1] - begins_[j]; }
  /// Index of a level among those of all columns.
  [[nodiscard]] Index place(std::size_t j, Index level) const { return begins_[j] + level; }
  [[nodiscard]] Index places() const { return begins_.back(); }
  [[nodiscard]] const std::vector<NameSet>& names() const { return names_; }

  /// log p(x_i = u | k) for all classes, `state` = place(i, u).
  [[nodiscard]] const double* log_parent(Index state) const {
    return parents_.data() + state * classes_;
  }
  /// log p(x_j = v | k, x_i = u) for all classes; `of` = place(j, v), j is not i.
  [[nodiscard]] const double* log_child(Index state, Index of) const {
    return children_.data() + (state * places() + of) * classes_;
  }

  /// Log p(known cells | k) of all classes; -1: marginalised. `scratch` is allocated once.
  void log_probabilities(std::span<const std::int32_t> cells, std::span<double> to,
                         Vector& scratch) const;

  /// Calls visit(i, state) for each state that agrees with the cells: all levels of a missing
  /// super-parent.
  template <class Visit>
  void each_state(std::span<const std::int32_t> cells, Visit visit) const {
    for (std::size_t i = 0; i < columns(); ++i) {
      const Index first = cells[i] < 0 ? 0 : cells[i];
      const Index end = cells[i] < 0 ? levels(i) : first + 1;
      for (Index u = first; u < end; ++u) visit(i, place(i, u));
    }
  }
  /// Adds log p(x_i = u, known cells | k) to `to`, K numbers.
  void add_state(std::size_t i, Index state, std::span<const std::int32_t> cells, double* to) const;

 private:
  /// The columns a < b in class k.
  struct OfPair {
    std::size_t a, b;
    Index k;
  };
  void fill_children(const AodeWeights& weights, const OfPair& of, const Matrix& pair);

  Index classes_;
  std::vector<Index> begins_;
  std::vector<NameSet> names_;
  Vector parents_;   // places x K
  Vector children_;  // states x places x K
};

/// Log density of a number in its bin.
[[nodiscard]] double log_density_in_bin(const Cut& cut, double x);
/// Share of the bin between two numbers.
[[nodiscard]] double share_of_bin(const Cut& cut, Index bin, double low, double high);
/// Mean of the numbers in a bin.
[[nodiscard]] double mean_of_bin(const Cut& cut, Index bin);
/// The number below which the share `u` of the bin lies.
[[nodiscard]] double quantile_of_bin(const Cut& cut, Index bin, double u);

}  // namespace genera::detail
