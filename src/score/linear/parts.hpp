#pragma once

#include <memory>
#include <vector>

#include <genera/linear.hpp>

#include "blocks/worker.hpp"

/// Scoring the parts of a linear model through the interface of blocks.
namespace genera::score {

/// Binds a part to rows; model, rows and places must outlive it.
[[nodiscard]] std::unique_ptr<const blocks::BoundPart> bind(const LinearModel& model,
                                                            std::size_t part,
                                                            const blocks::BoundRows& rows,
                                                            const blocks::Places& places);

/// Evidence for class k: coefficients minus their mean over the classes. Measurements, which have
/// units, are left out.
void class_evidence(const LinearModel& model, std::size_t part, Index k,
                    std::vector<blocks::Share>& to);

}  // namespace genera::score
