#pragma once

#include <genera/diagnosis.hpp>

#include <string>

namespace genera::cli {

/// Tables and sentences for people.
[[nodiscard]] std::string diagnosis_text(const Diagnosis& diagnosis);

}  // namespace genera::cli
