#pragma once

#include "arguments.hpp"

#include <genera/model.hpp>
#include <genera/stream.hpp>

#include <functional>
#include <string>

namespace genera::cli {

/// What a verb that answers each row says: how the answers of a block of rows look, and the line
/// before them.
struct RowAnswers {
  std::function<std::string(const Table&)> header;  ///< from any block; not called for JSON
  std::function<std::string(const Table&)> lines;   ///< on any thread
};

/// How often the rows are read; what is read twice cannot be answered as it comes.
enum class Passes { one, two };
[[nodiscard]] RowStream rows_for(const Model& model, const Source& source, Passes passes);

/// Streams the rows through `answers`, in order and in constant memory. When somebody may be
/// waiting for them, answers go out as soon as they are known.
void answer_rows(RowStream& rows, const RowAnswers& answers, const Common& common);
void answer_rows(const Model& model, const Source& source, const RowAnswers& answers,
                 const Common& common);

}  // namespace genera::cli
