#include <algorithm>
#include <cmath>

#include "blocks/aode/kind.hpp"
#include "blocks/aode/table.hpp"
#include "blocks/normals.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {
namespace {

using genera::detail::AodeTable;
using kernel::at;

double variance_of_bin(const Cut& cut, Index bin) {
  if (bin == 0) return cut.below * cut.below;
  if (bin + 1 == cut.bins()) return cut.above * cut.above;
  const double width = cut.limits[at(bin)] - cut.limits[at(bin - 1)];
  return width * width / 12;
}

/// Moments of numeric columns, from the probabilities of their bins in one class.
class BinMoments {
 public:
  BinMoments(const AodeParameters& p, const AodeTable& table, Index k)
      : p_(p), table_(table), k_(k) {}

  [[nodiscard]] double mean(std::size_t j) const {
    double sum = 0;
    for (Index u = 0; u < table_.levels(j); ++u) sum += probability(j, u) * centre(j, u);
    return sum;
  }

  [[nodiscard]] double variance(std::size_t j) const {
    const double middle = mean(j);
    double sum = 0;
    for (Index u = 0; u < table_.levels(j); ++u) {
      const double away = centre(j, u) - middle;
      sum += probability(j, u) * (away * away + variance_of_bin(*p_.columns[j].cut, u));
    }
    return sum;
  }

  /// Of columns i and j, with i as the super-parent.
  [[nodiscard]] double covariance(std::size_t i, std::size_t j) const {
    const double middle_i = mean(i), middle_j = mean(j);
    double sum = 0;
    for (Index u = 0; u < table_.levels(i); ++u) {
      double given = 0;
      for (Index v = 0; v < table_.levels(j); ++v)
        given += std::exp(table_.log_child(table_.place(i, u), table_.place(j, v))[k_]) *
                 (centre(j, v) - middle_j);
      sum += probability(i, u) * (centre(i, u) - middle_i) * given;
    }
    return sum;
  }

 private:
  [[nodiscard]] double probability(std::size_t j, Index u) const {
    return std::exp(table_.log_parent(table_.place(j, u))[k_]);
  }
  [[nodiscard]] double centre(std::size_t j, Index bin) const {
    return genera::detail::mean_of_bin(*p_.columns[j].cut, bin);
  }

  const AodeParameters& p_;
  const AodeTable& table_;
  Index k_;
};

}  // namespace

std::vector<Normal> AodeKind::normals(const Block& block, std::span<const Index> columns) {
  const AodeParameters& p = block.parameters();
  const auto is_cut = [](const Column& column) { return column.cut.has_value(); };
  const bool numbers =
      columns.empty()
          ? std::ranges::any_of(p.columns, is_cut)
          : std::ranges::all_of(columns, [&](Index j) { return is_cut(p.columns[at(j)]); });
  if (!numbers) return {};
  const Index d = std::ssize(columns);
  std::vector<Normal> all;
  for (Index k = 0; k < block.classes(); ++k) {
    const BinMoments moments(p, block.density(), k);
    Normal one{k, 1, Vector(at(d)), Matrix(d, d), true};
    for (Index i = 0; i < d; ++i) {
      const std::size_t a = at(columns[at(i)]);
      one.mean[at(i)] = moments.mean(a);
      one.covariance(i, i) = moments.variance(a);
      for (Index j = 0; j < i; ++j) {
        const std::size_t b = at(columns[at(j)]);
        one.covariance(i, j) = (moments.covariance(a, b) + moments.covariance(b, a)) / 2;
        one.covariance(j, i) = one.covariance(i, j);
      }
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace genera::blocks
