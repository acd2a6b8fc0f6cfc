#pragma once

#include <string>

#include <genera/classifier.hpp>
#include <genera/em.hpp>
#include <genera/observed.hpp>
#include <genera/stats.hpp>

#include "document/fields.hpp"

/// Conversion of models and statistics to and from documents (Value).
namespace genera::io {

using document::check_format;
using document::expected_format;
using document::Field;
using document::format_version;
using document::List;
using document::Members;
using document::model_format;
using document::Numbers;
using document::observed_format;
using document::overloaded;
using document::parse;
using document::patterns_format;
using document::print;
using document::quoted;
using document::require_utf8;
using document::stacked;
using document::statistics_format;
using document::Value;

[[nodiscard]] Value to_document(const Model& model);
[[nodiscard]] Value to_document(const LinearModel& model);
[[nodiscard]] Value to_document(const Committee& committee);
[[nodiscard]] Value to_document(const Classifier& classifier);
[[nodiscard]] Value to_document(const Statistics& statistics);
[[nodiscard]] Value to_document(const ObservedStatistics& statistics);
[[nodiscard]] Value to_document(const ExpectedSums& sums);
[[nodiscard]] Value to_document(const PatternSums& sums);
/// Kind of a linear model; empty if the document is not one, or has no blocks.
[[nodiscard]] std::optional<LinearModel::Kind> linear_kind(const Field& root);

/// True if the document has members.
[[nodiscard]] bool is_committee(const Field& root);

[[nodiscard]] Committee to_committee(const Value& document, const std::string& place);
[[nodiscard]] LinearModel to_linear_model(const Value& document, const std::string& place);
[[nodiscard]] Classifier to_classifier(const Value& document, const std::string& place);
/// Throws for a linear model or a committee.
[[nodiscard]] Model to_model(const Value& document, const std::string& place);
[[nodiscard]] Statistics to_statistics(const Value& document, const std::string& place);
[[nodiscard]] ObservedStatistics to_observed(const Value& document, const std::string& place);
[[nodiscard]] ExpectedSums to_expected_sums(const Value& document, const EmPlan& plan,
                                            const std::string& place);
[[nodiscard]] PatternSums to_pattern_sums(const Value& document, const EmPlan& plan,
                                          const std::string& place);

}  // namespace genera::io
