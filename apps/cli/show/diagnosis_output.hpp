#pragma once

#include <genera/diagnosis.hpp>

#include <string>

namespace genera::cli {

/// Tables and sentences for people.
[[nodiscard]] std::string diagnosis_text(const Diagnosis& diagnosis);
/// Everything, exactly; what there is not is null, with the reason beside it.
[[nodiscard]] std::string diagnosis_json(const Diagnosis& diagnosis);

}  // namespace genera::cli
