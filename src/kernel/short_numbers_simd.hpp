#include "kernel/short_numbers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#ifndef GENERA_KERNEL_SHORT_NUMBERS_ONCE
#define GENERA_KERNEL_SHORT_NUMBERS_ONCE
namespace genera::kernel {

inline constexpr std::size_t number_window = static_cast<std::size_t>(short_number_bytes);

/// Sixteen bytes from position n on contain n zeros followed by ones.
inline constexpr auto ones_then_zeros = [] {
  std::array<std::uint8_t, 2 * number_window> bytes{};
  for (std::size_t i = 0; i < number_window; ++i) bytes[i] = 0xFF;
  return bytes;
}();
inline constexpr auto zeros_then_ones = [] {
  std::array<std::uint8_t, 2 * number_window> bytes{};
  for (std::size_t i = number_window; i < 2 * number_window; ++i) bytes[i] = 0xFF;
  return bytes;
}();

/// By number of decimals; sixteen: no decimal sign.
inline constexpr std::array<double, number_window + 1> powers_of_ten{
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1};

/// A batch of fields, large enough that the first stores have reached the cache when they are
/// loaded again: a vector cannot load data from several pending stores.
struct NumberBatch {
  static constexpr Index max = max_short_numbers, slack = 3;  // numbers; vectors hold up to four
  /// padded with zeros in front
  alignas(64) std::uint8_t digits[(max + slack) * short_number_bytes];
  double scales[max];  // powers of ten
  std::uint64_t signs[max];
};

}  // namespace genera::kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

Index ShortNumbers(const FieldsAhead&, char, char, double*) { return 0; }

#else

/// Takes fields while they are numbers and the batch has room; returns their number.
HWY_INLINE Index take_digits(const FieldsAhead& fields, char delimiter, char decimal,
                             NumberBatch& batch) {
  const hn::FixedTag<std::uint8_t, number_window> tag;
  const auto zero = hn::Set(tag, std::uint8_t{'0'}), nine = hn::Set(tag, std::uint8_t{9}),
             point = hn::Set(tag, static_cast<std::uint8_t>(decimal - '0')),
             in_place = hn::Iota(tag, 0);
  const char* at = fields.begin;
  const Index count = std::min(NumberBatch::max, static_cast<Index>(fields.stops.size()));
  for (Index i = 0; i < count; ++i) {
    const char* const stop = fields.base + fields.stops[static_cast<std::size_t>(i)];
    const bool negative = *at == '-';
    const std::size_t size = static_cast<std::size_t>(stop - at) - (negative ? 1 : 0);
    if (size - 1 >= number_window - 1 || *stop != delimiter) return i;
    const auto bytes = hn::LoadU(tag, reinterpret_cast<const std::uint8_t*>(stop) - number_window);
    const auto field = hn::And(hn::Sub(bytes, zero), hn::LoadU(tag, zeros_then_ones.data() + size));
    const auto decimals =
        number_window - 1 - static_cast<std::size_t>(hn::FindFirstTrue(tag, hn::Eq(field, point)));
    // Moves the digits before the decimal sign over it.
    const auto from = hn::Add(in_place, hn::LoadU(tag, ones_then_zeros.data() + decimals));
    const auto digits = hn::TableLookupBytesOr0(field, from);
    if (!hn::AllTrue(tag, hn::Eq(hn::Max(digits, nine), nine))) return i;
    if (decimals != number_window && decimals - 1 >= size - 2) return i;  // no digits on one side
    hn::Store(digits, tag, batch.digits + i * short_number_bytes);
    batch.scales[i] = powers_of_ten[decimals];
    batch.signs[i] = static_cast<std::uint64_t>(negative) << 63U;
    at = stop + 1;
  }
  return count;
}

/// Pairs of digits, then fours, then eights; two eights make a mantissa. Up to 15 digits and a
/// power of ten up to 10^14 are exact doubles, so that one division rounds correctly (Clinger
/// 1990).
HWY_INLINE void write_values(const NumberBatch& batch, Index count, double* values) {
  const hn::CappedTag<std::uint8_t, (NumberBatch::slack + 1) * short_number_bytes> of_digits;
  const hn::Repartition<std::uint16_t, decltype(of_digits)> of_pairs;
  const hn::Repartition<std::uint32_t, decltype(of_digits)> of_fours;
  const hn::Repartition<std::uint64_t, decltype(of_digits)> of_eights;
  const hn::Repartition<double, decltype(of_digits)> of_doubles;
  const auto join_digits = hn::Set(of_pairs, std::uint16_t{10 * 256 + 1});
  const auto join_pairs = hn::Set(of_fours, 100U * 65536U + 1U);
  const auto ten_thousand = hn::Set(of_fours, 10000U);
  const auto two_to_52 = hn::Set(of_doubles, 4503599627370496.0);
  const auto lanes = static_cast<Index>(hn::Lanes(of_digits));
  alignas(64) double eights[2 * (NumberBatch::max + NumberBatch::slack)];
  for (Index at = 0; at < count * short_number_bytes; at += lanes) {
    const auto digits = hn::BitCast(of_pairs, hn::Load(of_digits, batch.digits + at));
    const auto pairs = hn::ShiftRight<8>(hn::Mul(digits, join_digits));
    const auto fours = hn::ShiftRight<16>(hn::Mul(hn::BitCast(of_fours, pairs), join_pairs));
    const auto whole = hn::Add(hn::MulEven(fours, ten_thousand),
                               hn::ShiftRight<32>(hn::BitCast(of_eights, fours)));
    const auto above = hn::BitCast(of_doubles, hn::Or(whole, hn::BitCast(of_eights, two_to_52)));
    hn::Store(hn::Sub(above, two_to_52), of_doubles, eights + at / 8);
  }
  for (Index i = 0; i < count; ++i) {
    const double magnitude = (eights[2 * i] * 1e8 + eights[2 * i + 1]) / batch.scales[i];
    // Signs are unpredictable, so there is no branch on them.
    values[i] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | batch.signs[i]);
  }
}

Index ShortNumbers(const FieldsAhead& fields, char delimiter, char decimal, double* values) {
  NumberBatch batch;
  const Index count = take_digits(fields, delimiter, decimal, batch);
  std::fill_n(batch.digits + count * short_number_bytes, NumberBatch::slack * short_number_bytes,
              0);
  write_values(batch, count, values);
  return count;
}

#endif

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace genera::kernel {
namespace {
GENERA_EXPORT(ShortNumbers);
}  // namespace

Index short_numbers(const FieldsAhead& fields, char delimiter, char decimal, double* values) {
  return GENERA_DISPATCH(ShortNumbers)(fields, delimiter, decimal, values);
}

}  // namespace genera::kernel
#endif
