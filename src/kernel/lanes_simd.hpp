// Compiled once for each instruction set, like all *_simd.hpp, hence no include guard.
HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most eight doubles, so that two vectors never exceed the sixteen lanes of a panel.
using Doubles = hn::CappedTag<double, 8>;
using V = hn::Vec<Doubles>;

using Bytes = hn::CappedTag<std::uint8_t, 64>;

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
