#include "options/source.hpp"

#include "lists.hpp"
#include "options/model.hpp"
#include "options/reading.hpp"
#include "options/terms.hpp"
#include "values.hpp"

namespace genera::cli {
namespace {

ColumnType parse_column_type(const std::string& text) {
  return choose<ColumnType>("--type", text,
                            {{"numeric", ColumnType::numeric},
                             {"categorical", ColumnType::categorical},
                             {"binary", ColumnType::binary},
                             {"count", ColumnType::count},
                             {"text", ColumnType::text}});
}

Missing parse_missing(const std::string& text) {
  return choose<Missing>(
      "--missing", text,
      {{"em", Missing::em}, {"drop", Missing::drop}, {"refuse", Missing::refuse}});
}

Roles roles_of(const Words& words) {
  Roles roles;
  if (const auto target = words.value("--target")) roles.target = *target;
  if (words.has("--weights") && words.has("--counts"))
    throw Error(Errc::bad_argument, "--weights and --counts exclude each other",
                "use --counts if a row of 7 stands for seven equal rows, else --weights");
  roles.frequencies = words.has("--counts");
  roles.weights = words.value(roles.frequencies ? "--counts" : "--weights");
  roles.features = split_lists("--features", words.values("--features"));
  roles.drop = split_lists("--drop", words.values("--drop"));
  for (const auto& [column, type] : split_pairs("--type", words.values("--type")))
    roles.types.emplace_back(column, parse_column_type(type));
  if (words.has("--model")) roles.default_type = model_named(model_name(words)).every_column;
  roles.text = text_of(words);
  roles.refuse_measured_target = true;
  return roles;
}

Index bins_of(const Words& words) {
  constexpr Index max = 100;
  const std::string text = *words.value("--bins");
  Index bins = 0;
  if (read_whole(text, bins) && bins >= 2 && bins <= max) return bins;
  throw Error(Errc::bad_argument, "--bins is '" + text + "', expected a whole number from 2 to 100",
              "use --bins 3 for low, middle and high values");
}

Kept kept_of(const Words& words) {
  if (words.has("--keep") && words.has("--json"))
    throw Error(Errc::bad_argument, "--keep copies cells of CSV, which --json does not write",
                "leave --keep or --json out");
  if (!words.has("--keep")) return {};
  return KeptCells{split_lists("--keep", words.values("--keep"))};
}

}  // namespace

ArgumentText data_argument() {
  return {
      "DATA",
      "a CSV, TSV, JSON lines (.jsonl, .ndjson) or svmlight (.svm, .libsvm) file, plain or gzip; "
      "- for standard input, also if a pipe leaves DATA out; @NAME"};
}

OptionText features_text() {
  return {"--features", "A,B",
          "use only these columns; 'x*' is all that begin with x (repeatable)"};
}

OptionText drop_text() {
  return {"--drop", "A,B", "do not use these columns; also 'x*' (repeatable)"};
}

OptionText weights_text() {
  return {"--weights", "COL", "column with the weight (importance) of each row"};
}

OptionText counts_text() {
  return {"--counts", "COL",
          "column with the frequency of each row: a row of count 7 is seven equal rows"};
}

OptionText missing_text() {
  return {
      "--missing", "drop", "leave out rows with missing values; default: refuse them", {"drop"}};
}

OptionText keep_text() {
  return {"--keep", "[COLS]",
          "put these columns of the input first; without a value all of them (then after the "
          "arguments, or before another option)"};
}

OptionGroup columns_texts(const OptionText& missing) {
  return {
      "Columns (lists accept CSV quoting)",
      {{"--target", "COL",
        "the column with the class; default: the only one named label, class, target or y, else "
        "the last that is not text"},
       {"--bins", "N", "divide a numeric target into N classes with about the same number of rows"},
       features_text(),
       drop_text(),
       weights_text(),
       counts_text(),
       {"--type", "COL=TYPE",
        "numeric, categorical, binary, count or text instead of the guess; also 'x*=binary' "
        "(repeatable)"},
       missing}};
}

/// Reads the target once more, before the rows.
Vector edges_of_bins(const Source& source, const Words& words) {
  if (source.data == "-")
    throw Error(Errc::bad_argument, "--bins needs a table that can be read twice, not a pipe",
                "save the rows to a file and name it");
  return target_edges(source.rows(), source.roles, source.csv, bins_of(words));
}

Source source_of(const std::string& data, const Words& words) {
  Source source;
  source.data = data;
  if (const auto format = words.value("--format"))
    source.format = choose<genera::Source::Format>("--format", *format,
                                                   {{"csv", genera::Source::Format::csv},
                                                    {"svmlight", genera::Source::Format::svmlight},
                                                    {"jsonl", genera::Source::Format::json_lines}});
  source.csv = csv_of(words);
  source.roles = roles_of(words);
  source.kept = kept_of(words);
  source.tokens_given = words.has("--missing-token");
  if (words.has("--bins")) source.roles.target_edges = edges_of_bins(source, words);
  if (const auto missing = words.value("--missing")) source.missing = parse_missing(*missing);
  for (const char* option :
       {"--target", "--bins", "--features", "--drop", "--weights", "--counts", "--type",
        "--missing", "--missing-token", "--format", "--no-header", "--delimiter", "--decimal",
        "--skip", "--comment", "--ngrams", "--chars", "--hash-bits"})
    if (words.has(option)) source.options_given.emplace_back(option);
  return source;
}

}  // namespace genera::cli
