#pragma once

#include "options/common.hpp"

#include <genera/stream.hpp>

#include <functional>
#include <string>

namespace genera::cli {

/// What a verb that answers each row writes: how the answers of a chunk of rows look, and the line
/// before them.
struct RowAnswers {
  std::function<std::string(const Table&)> header;  ///< from any chunk; not called for JSON
  std::function<std::string(const Table&)> lines;   ///< on any thread
};

/// Streams the rows through `answers`, in order and in constant memory. When somebody may be
/// waiting for them, answers go out as soon as they are known.
void answer_rows(RowStream& rows, const RowAnswers& answers, const Common& common);

}  // namespace genera::cli
