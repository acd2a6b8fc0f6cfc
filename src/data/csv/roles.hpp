#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <genera/error.hpp>
#include <genera/stream.hpp>
#include "data/csv/column_types.hpp"
#include "data/csv/fields.hpp"
#include "data/csv/target_cells.hpp"
#include "data/row_request.hpp"

namespace genera::data {

/// What becomes of one column of the file.
struct FieldUse {
  enum class Part : std::uint8_t { skip, number, code, text, label, weight };
  Part part = Part::skip;
  bool strict = false;  ///< a non-number is an error at once: the type was told, not guessed
  bool count = false;   ///< a number that must be whole and not negative
  Index place = 0;      ///< among the numbers, the codes or the texts of a row
  Index feature = 0;    ///< in RecordLayout::columns
};

/// How a record becomes a row of a table.
struct RecordLayout {
  std::string source;  ///< as shown in messages
  bool header = true;
  CellFormat format;
  std::vector<std::string> names;  ///< of all columns of the file
  std::vector<FieldUse> uses;      ///< of all columns of the file
  std::vector<Column> columns;     ///< the features, in the order of the table
  Index numbers = 0;               ///< how many of them are kept as numbers
  Index codes = 0;                 ///< how many as codes
  Index texts = 0;                 ///< how many as terms
  TextOptions text;
  std::string target;
  Vector target_edges;            ///< between the classes of a numeric target
  std::vector<std::string> bins;  ///< the names of these classes
  bool weighted = false;
  bool frequencies = false;  ///< the weights are frequencies
  bool keep = false;
  bool records = false;     ///< rows are kept whole
  std::vector<Index> kept;  ///< columns of the file, in the order asked for
  std::string kept_header;
};

/// The columns of a file.
struct FileColumns {
  std::string source;  ///< as shown in messages
  CellFormat format;
  std::vector<std::string> names;
  std::int64_t header_line = 0;      ///< 0: there is no header
  std::string header{};              ///< as it stands in the file
  bool first_unnamed = false;        ///< the first column has a name that is not in the file
  bool row_names = false;            ///< nor is it a feature: its cells are all different
  TargetCells target{};              ///< the labels, if they were guessed from
  Index first_rows = 0;              ///< those that the guesses were made from
  std::vector<ColumnGuess> guesses;  ///< empty when a model says what it expects
};

/// Throws Error on names that do not fit: bad_argument if the user named them, bad_data if the file
/// lacks what the model expects.
[[nodiscard]] RecordLayout assign_roles(const FileColumns& file, const RowRequest& request);

/// The one column that has the name of a target and may be one; none if there are several.
[[nodiscard]] std::optional<Index> only_target_name(const FileColumns& file,
                                                    const RowRequest& request);

/// The option for a file whose first line is data.
[[nodiscard]] inline OptionUse no_header() { return {"header", {"false"}}; }

/// What to do about cells such as 1,037: see is_ambiguous_number.
[[nodiscard]] Advice ambiguous_hint(char delimiter, char decimal);

}  // namespace genera::data
