#include "data/csv/csv_sniff.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <tuple>

#include <genera/error.hpp>
#include "data/bytes/document_start.hpp"
#include "data/bytes/record_cutter.hpp"
#include "kernel/text.hpp"

namespace genera::data {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  const char* what;
};

// UTF-32 before UTF-16: its little-endian mark begins like the other's.
constexpr std::array signatures{
    Signature{"\xFF\xFE\0\0"sv, "UTF-32 text"},
    Signature{"\0\0\xFE\xFF"sv, "UTF-32 text"},
    Signature{"\xFF\xFE"sv, "UTF-16 text"},
    Signature{"\xFE\xFF"sv, "UTF-16 text"},
    Signature{"PK\x03\x04"sv, "a zip archive or a spreadsheet"},
    Signature{"\xD0\xCF\x11\xE0"sv, "an old spreadsheet"},
    Signature{"PAR1"sv, "a Parquet file"},
    Signature{"BZh"sv, "bzip2 data"},
    Signature{"\xFD"
              "7zXZ"sv,
              "xz data"},
    Signature{"\x28\xB5\x2F\xFD"sv, "zstd data"},
};

// Text in UTF-16 or UTF-32 that is mostly ASCII has a zero in every second byte, or in three of
// four; many in a row are damage.
const char* wide_text(std::string_view start) {
  constexpr auto many_zeros = "\0\0\0\0\0\0\0\0"sv;
  start = start.substr(0, std::min<std::size_t>(start.size(), 1024));
  if (start.find(many_zeros) != start.npos) return nullptr;
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < start.size(); ++i)
    if (start[i] == '\0') ++zeros[i % 2];
  const auto [fewer, more] = std::minmax(zeros[0], zeros[1]);
  if (4 * more < start.size()) return nullptr;
  return 8 * fewer > start.size() ? "UTF-32 text" : "UTF-16 text";
}

/// The first line, as in JSON lines; but not a model or statistics.
bool is_object_on_a_line(std::string_view start) {
  return begins_json_object(start) && start.substr(0, start.find_first_of("\r\n")).ends_with('}') &&
         start.find("genera-") == std::string_view::npos;
}

/// As models and statistics are written. A text may begin with a brace and a quote, too, but not
/// with a brace on a line of its own.
const char* document_in(std::string_view start) {
  const bool ours = start.find("genera-") != std::string_view::npos;
  if (begins_json_object(start)) {
    const bool alone = start.find('\n') < start.find('"');
    return ours || alone || is_object_on_a_line(start) ? "a JSON document" : nullptr;
  }
  const bool classes = start.substr(1).starts_with(
                           "\x67"
                           "classes") ||
                       start.substr(1).starts_with(
                           "\x66"
                           "blocks");
  return begins_cbor_map(start) && (ours || classes) ? "a CBOR document" : nullptr;
}

bool has_old_mac_line_ends(std::string_view start) {
  const std::size_t newline = start.find('\n');
  const std::size_t carriage_return = start.find('\r');
  if (carriage_return == std::string_view::npos) return false;
  return newline == std::string_view::npos ||
         (newline + 1 == start.size() && carriage_return + 1 < newline);
}

/// How well a text agrees with a delimiter: the greater, the better.
struct Agreement {
  double consistent = 0;  ///< share of records with as many fields as the first
  double numeric = 0;     ///< share of cells that are numbers
  std::size_t fields = 0;
  [[nodiscard]] auto key() const { return std::tuple(consistent, numeric, fields); }
};

struct NumberShare {
  std::size_t cells = 0, point = 0, comma = 0;  ///< numbers only with that decimal sign count there
  std::size_t either = 0;
};

NumberShare count_numbers(const std::vector<std::string_view>& records, CellFormat format) {
  NumberShare share;
  for (const std::string_view record : records) {
    for (const std::string& cell : split_record(record.data(), format)) {
      format.decimal = '.';
      const bool point = read_number(cell, format).kind == NumberKind::number;
      format.decimal = ',';
      const bool comma = read_number(cell, format).kind == NumberKind::number;
      ++share.cells;
      if (point && comma) ++share.either;
      if (point && !comma) ++share.point;
      if (comma && !point) ++share.comma;
    }
  }
  return share;
}

Agreement agreement(std::string_view sample, const CellFormat& format) {
  const auto records = whole_records(sample, format, 100);
  if (records.empty()) return {};
  Agreement result;
  result.fields = split_record(records.front().data(), format).size();
  const auto same = std::count_if(records.begin(), records.end(), [&](std::string_view record) {
    return split_record(record.data(), format).size() == result.fields;
  });
  result.consistent = static_cast<double>(same) / static_cast<double>(records.size());
  const NumberShare share = count_numbers(records, format);
  const std::size_t commas = format.delimiter == ';' ? share.comma : 0;
  result.numeric = static_cast<double>(share.either + std::max(share.point, commas)) /
                   static_cast<double>(share.cells);
  return result;
}

char recognise_delimiter(std::string_view sample, char comment) {
  char best = ',';
  Agreement max;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    CellFormat format;
    format.delimiter = delimiter;
    format.comment = comment;
    const Agreement here = agreement(sample, format);
    if (here.fields < 2 || here.key() <= max.key()) continue;
    max = here;
    best = delimiter;
  }
  return best;
}

/// What belongs to numbers, to quotes or to line ends does not.
bool can_delimit(char c) {
  const bool number_like =
      (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return !number_like && "\"\r\n.+-\0"sv.find(c) == std::string_view::npos;
}

}  // namespace

std::size_t bom_size(std::string_view start) { return start.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

SeparatorLine separator_line(std::string_view start) {
  const std::size_t end = start.find('\n');
  if (end == std::string_view::npos) return {};
  std::string_view line = start.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > 2 && line.starts_with('"') && line.ends_with('"'))
    line = line.substr(1, line.size() - 2);
  constexpr std::string_view lower = "sep=", upper = "SEP=";
  if (line.size() != lower.size() + 1 || !(line.starts_with(lower) || line.starts_with(upper)))
    return {};
  return can_delimit(line.back()) ? SeparatorLine{line.back(), end + 1} : SeparatorLine{};
}

void check_text(std::string_view start, const std::string& name, bool pipe) {
  if (start.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error(Errc::bad_data, name + ": is empty", "give a table with a header and rows");
  if (kernel::is_all_nul(start.substr(0, start.size() - (start.ends_with('\n') ? 1 : 0))))
    throw Error(Errc::bad_data, name + ": holds NUL bytes, not text",
                "it is damaged, or was never written: copy it or make it again");
  const char* what = nullptr;
  for (const Signature& signature : signatures)
    if (!what && start.starts_with(signature.bytes)) what = signature.what;
  if (!what) what = wide_text(start);
  if (what)
    throw Error(Errc::bad_data, name + ": is " + what + ", not UTF-8 text",
                std::string_view(what).starts_with("UTF")
                    ? "convert it, for example with: iconv -f " +
                          std::string(what, std::string_view("UTF-16").size()) + " -t UTF-8"
                    : "unpack it or save it as CSV");
  if (const char* document = document_in(start))
    throw Error(Errc::bad_data, name + ": is " + document + ", not a table",
                (is_object_on_a_line(start)
                     ? Advice("give rows as CSV or svmlight, or use {} if each line is an object",
                              {{"format", {"jsonl"}}})
                     : Advice("give rows as CSV or svmlight; models and statistics are not rows")) +
                    (pipe ? ", and statistics that take the place of rows must be in a file, not "
                            "in a pipe"
                          : ""));
  if (has_old_mac_line_ends(start))
    throw Error(Errc::bad_data, name + ": its lines end with CR alone, as on old Macs",
                "convert it, for example with: tr '\\r' '\\n'");
}

void validate(const CsvOptions& options) {
  const char delimiter = options.delimiter.value_or(',');
  if (!can_delimit(delimiter))
    throw Error(Errc::bad_argument, "the delimiter cannot be '" + std::string(1, delimiter) + "'",
                "take one of , ; | or a tab");
  if (options.comment && (*options.comment == delimiter || *options.comment == '"' ||
                          !std::ispunct(static_cast<unsigned char>(*options.comment))))
    throw Error(Errc::bad_argument,
                "comments cannot begin with '" + std::string(1, *options.comment) + "'",
                "take # or %");
  if (!options.decimal) return;
  if (*options.decimal != '.' && *options.decimal != ',')
    throw Error(Errc::bad_argument,
                "the decimal sign cannot be '" + std::string(1, *options.decimal) + "'",
                "take . or ,");
  if (options.delimiter == options.decimal)
    throw Error(Errc::bad_argument, "the decimal sign and the delimiter cannot both be ','",
                "take another delimiter, such as ;");
}

std::vector<std::string_view> whole_records(std::string_view sample, const CellFormat& format,
                                            std::size_t max) {
  std::vector<std::string_view> records;
  while (!sample.empty() && records.size() < max) {
    if (begins_without_record(sample, format.delimiter, format.comment)) {
      sample.remove_prefix(sample.find('\n') + 1);
      continue;
    }
    const RecordEnd record = find_record_end(sample, format.delimiter);
    if (!record.end) break;
    const auto length = static_cast<std::size_t>(record.end - sample.data());
    records.push_back(sample.substr(0, length));
    sample.remove_prefix(length);
  }
  return records;
}

CellFormat recognise_format(std::string_view sample, const CsvOptions& options) {
  CellFormat format;
  format.comment = options.comment.value_or('\0');
  format.delimiter =
      options.delimiter ? *options.delimiter : recognise_delimiter(sample, format.comment);
  if (options.decimal) {
    format.decimal = *options.decimal;
    format.decimal_given = true;
  } else if (format.delimiter == ';') {
    const auto records = whole_records(sample, format, 1000);
    const NumberShare share = count_numbers(records, format);
    format.decimal = share.comma > share.point ? ',' : '.';
  }
  for (const std::string& token : options.missing_tokens) {
    const std::size_t begin = token.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    const std::string trimmed = token.substr(begin, token.find_last_not_of(" \t") + 1 - begin);
    const NumberCell number = read_number(trimmed, format);
    if (number.kind == NumberKind::number) format.missing_numbers.push_back(number.value);
    format.missing_tokens.push_back(trimmed);
  }
  return format;
}

}  // namespace genera::data
