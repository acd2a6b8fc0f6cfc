#pragma once

#include <memory>
#include <vector>

#include <genera/linear.hpp>

#include "blocks/worker.hpp"

/// How the parts of a linear model are asked: as blocks are.
namespace genera::score {

/// Ready to be asked about these rows; model, rows and places must outlive it.
[[nodiscard]] std::unique_ptr<const blocks::BoundPart> bind(const LinearModel& model,
                                                            std::size_t part,
                                                            const blocks::BoundRows& rows,
                                                            const blocks::Places& places);

/// What speaks for class k: coefficients less their mean over the classes. Of measurements, whose
/// units are their own, nothing.
void class_evidence(const LinearModel& model, std::size_t part, Index k,
                    std::vector<blocks::Share>& to);

}  // namespace genera::score
