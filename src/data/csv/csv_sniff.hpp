#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <genera/stream.hpp>
#include "data/csv/fields.hpp"

/// What can be told of a text from its beginning.
namespace genera::data {

/// Bytes of the UTF-8 mark at the start, 0 or 3.
[[nodiscard]] std::size_t bom_size(std::string_view start);

/// The first line of a file that spreadsheets have written to be told its delimiter: sep=;
struct SeparatorLine {
  char delimiter = ',';
  std::size_t size = 0;  ///< in bytes, with its end; 0: there is none
};
[[nodiscard]] SeparatorLine separator_line(std::string_view start);

/// Throws Error (bad_data) that names what the bytes are, if they are not text that can be read:
/// UTF-16 and UTF-32 (also without a mark), archives, line ends of old Macs, NUL bytes; or nothing
/// at all. Of what comes through a pipe the advice is another.
void check_text(std::string_view start, const std::string& name, bool pipe);

/// Throws Error (bad_argument) on options that no text can have.
void validate(const CsvOptions& options);

/// The records that are whole in `sample`, at most `max` of them.
[[nodiscard]] std::vector<std::string_view> whole_records(std::string_view sample,
                                                          const CellFormat& format,
                                                          std::size_t max);

/// Delimiter and decimal sign, as told or else as most of the first records show them.
[[nodiscard]] CellFormat recognise_format(std::string_view sample, const CsvOptions& options);

}  // namespace genera::data
