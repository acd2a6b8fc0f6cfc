#pragma once

#include <genera/diagnosis.hpp>

#include <string>

namespace genera::cli {

/// A diagnosis as tables and sentences.
[[nodiscard]] std::string diagnosis_text(const Diagnosis& diagnosis);

}  // namespace genera::cli
