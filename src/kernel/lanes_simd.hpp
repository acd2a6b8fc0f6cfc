HWY_BEFORE_NAMESPACE();
namespace genera::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most eight doubles, so that two vectors never exceed the sixteen lanes of a panel.
using Doubles = hn::CappedTag<double, 8>;
using V = hn::Vec<Doubles>;

}  // namespace genera::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
