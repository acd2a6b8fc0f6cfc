#pragma once

#include <memory>

#include "blocks/leave_one_out.hpp"

namespace genera::blocks {

/// Null if there is no closed form.
[[nodiscard]] std::unique_ptr<const LeaveOneOut> leave_terms_out(const LeaveOneOutInput& input,
                                                                 double min_count, bool max_terms);

}  // namespace genera::blocks
