#pragma once

#include "options/common.hpp"

#include <genera/stream.hpp>

#include <functional>
#include <string>

namespace genera::cli {

/// The output of a verb that answers each row: a header, and the lines of a chunk of rows.
struct RowAnswers {
  std::function<std::string(const Table&)> header;  ///< given any chunk; not called for JSON
  std::function<std::string(const Table&)> lines;   ///< on any thread
};

/// Streams the rows through `answers`, in order and in constant memory. If a reader may wait for
/// the answers, they are flushed as soon as they are known.
void answer_rows(RowStream& rows, const RowAnswers& answers, const Common& common);

}  // namespace genera::cli
