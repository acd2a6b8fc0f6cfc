#include "kernel/weighted_rows.hpp"

#include <bit>
#include <cstdint>

#ifndef GENERA_KERNEL_WEIGHTED_ROWS_ONCE
#define GENERA_KERNEL_WEIGHTED_ROWS_ONCE
namespace genera::kernel {

struct RowList {
  const double* const* rows;
  const double* factors;
  std::size_t count;
};

}  // namespace genera::kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;

/// Columns from k on, as many as `count` registers hold, whose sums stay in registers. No fused
/// products, which would round differently.
template <int count>
HWY_INLINE void AddColumns(const RowList& from, Index k, double* sums) {
  const Tag tag;
  const auto lanes = static_cast<Index>(hn::Lanes(tag));
  hn::Vec<Tag> all[count];
  for (int v = 0; v < count; ++v) all[v] = hn::LoadU(tag, sums + k + v * lanes);
  for (std::size_t e = 0; e < from.count; ++e) {
    const double* row = from.rows[e] + k;
    const auto factor = hn::Set(tag, from.factors[e]);
    for (int v = 0; v < count; ++v)
      all[v] = hn::Add(all[v], hn::Mul(factor, hn::LoadU(tag, row + v * lanes)));
  }
  for (int v = 0; v < count; ++v) hn::StoreU(all[v], tag, sums + k + v * lanes);
}

void AddRows(const RowList& from, Index width, double* sums) {
  const auto lanes = static_cast<Index>(hn::Lanes(Tag()));
  Index k = 0;
  for (; k + 4 * lanes <= width; k += 4 * lanes) AddColumns<4>(from, k, sums);
  if (k + 2 * lanes <= width) {
    AddColumns<2>(from, k, sums);
    k += 2 * lanes;
  }
  if (k + lanes <= width) {
    AddColumns<1>(from, k, sums);
    k += lanes;
  }
  for (; k < width; ++k) {
    double sum = sums[k];
    for (std::size_t e = 0; e < from.count; ++e) sum += from.factors[e] * from.rows[e][k];
    sums[k] = sum;
  }
}

bool AddEachRow(std::span<const RowToAdd> rows, Index width) {
  const Tag tag;
  const auto lanes = static_cast<Index>(hn::Lanes(tag));
  auto signs = hn::Zero(tag);
  std::uint64_t rest = 0;
  for (const RowToAdd& row : rows) {
    const auto factor = hn::Set(tag, row.factor);
    Index j = 0;
    for (; j + lanes <= width; j += lanes) {
      const auto numbers = hn::LoadU(tag, row.numbers + j);
      signs = hn::Or(signs, numbers);
      const auto product = hn::Mul(factor, numbers);
      hn::StoreU(hn::Add(hn::LoadU(tag, row.sums + j), product), tag, row.sums + j);
    }
    for (; j < width; ++j) {
      rest |= std::bit_cast<std::uint64_t>(row.numbers[j]);
      row.sums[j] += row.factor * row.numbers[j];
    }
  }
  const hn::RebindToSigned<Tag> bits;
  return rest >> 63U != 0 || !hn::AllFalse(bits, hn::Lt(hn::BitCast(bits, signs), hn::Zero(bits)));
}

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {
namespace {
GENERA_EXPORT(AddRows);
GENERA_EXPORT(AddEachRow);
}  // namespace

void WeightedRows::finish() {
  GENERA_DISPATCH(AddRows)({rows_.data(), factors_.data(), count_}, width_, sums_);
  count_ = 0;
}

bool add_rows(std::span<const RowToAdd> rows, Index width) {
  return GENERA_DISPATCH(AddEachRow)(rows, width);
}

}  // namespace genera::kernel
#endif
