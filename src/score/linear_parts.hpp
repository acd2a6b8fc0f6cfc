#pragma once

#include <memory>
#include <string>
#include <vector>

#include <genera/linear.hpp>

#include "blocks/worker.hpp"

/// How the parts of a linear model are found in rows and asked: as blocks are.
namespace genera::score {

/// Where the columns of a part are in the data. Throws Error (bad_data) if one is not there.
[[nodiscard]] blocks::Places locate(const LinearModel& model, std::size_t part,
                                    blocks::Finder& finder);
/// Ready to be asked about these rows; model, rows and places must outlive it.
[[nodiscard]] std::unique_ptr<const blocks::BoundPart> bind(const LinearModel& model,
                                                            std::size_t part,
                                                            const blocks::BoundRows& rows,
                                                            const blocks::Places& places);

/// The columns that a part reads.
[[nodiscard]] std::vector<Column> columns_of(const LinearFeatures& part);
/// A column, `column=level`, or a word; marked by its column if the model has several texts.
[[nodiscard]] std::string feature_name(const LinearFeatures& part, Index feature,
                                       bool several_texts);
/// What speaks for class k: coefficients less their mean over the classes. Of measurements, whose
/// units are their own, nothing.
void class_evidence(const LinearModel& model, std::size_t part, Index k,
                    std::vector<blocks::Share>& to);

}  // namespace genera::score
