#pragma once

#include <string>

#include <genera/model.hpp>
#include <genera/stats.hpp>

#include "document/fields.hpp"

/// Files are documents: a model or statistics <-> Value.
namespace genera::io {

using document::check_format;
using document::Field;
using document::format_version;
using document::List;
using document::Members;
using document::model_format;
using document::Numbers;
using document::overloaded;
using document::parse;
using document::print;
using document::quoted;
using document::require_utf8;
using document::stacked;
using document::statistics_format;
using document::Value;

[[nodiscard]] Value to_document(const Model& model);
[[nodiscard]] Value to_document(const Statistics& statistics);
[[nodiscard]] Model to_model(const Value& document, const std::string& place);
[[nodiscard]] Statistics to_statistics(const Value& document, const std::string& place);

}  // namespace genera::io
