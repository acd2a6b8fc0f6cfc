#include "options/reading.hpp"

#include "lists.hpp"

#include "values.hpp"

namespace genera::cli {
namespace {

char parse_delimiter(const std::string& text) {
  for (const auto& [name, value] : Choices<char>{{"tab", '\t'},
                                                 {"\\t", '\t'},
                                                 {"comma", ','},
                                                 {"semicolon", ';'},
                                                 {"pipe", '|'},
                                                 {"space", ' '}})
    if (name == text) return value;
  if (text.size() == 1 && text != "\"" && text != "\n" && text != "\r") return text[0];
  throw Error(Errc::bad_argument, "--delimiter is '" + text + "', expected one character",
              "write the character in quotes, as in ';', or the word tab");
}

char parse_decimal(const std::string& text) {
  return choose<char>("--decimal", text, {{".", '.'}, {",", ','}, {"point", '.'}, {"comma", ','}});
}

Index parse_skip(const std::string& text) {
  constexpr Index max = 1'000'000;
  Index lines = 0;
  if (read_whole(text, lines) && lines >= 0 && lines <= max) return lines;
  throw Error(Errc::bad_argument,
              "--skip is '" + text + "', expected a number of lines from 0 to 1000000",
              "count the lines before the header, as in --skip 2");
}

char parse_comment(const std::string& text) {
  if (text.size() == 1) return text[0];
  throw Error(Errc::bad_argument, "--comment is '" + text + "', expected one character",
              "write the character in quotes, as in '#'");
}

/// An empty list is none.
std::vector<std::string> tokens_in(std::vector<std::string> lists) {
  std::erase(lists, "");
  return split_lists("--missing-token", lists);
}

}  // namespace

OptionGroup reading_texts() {
  return {"Reading the data",
          {{"--format",
            "NAME",
            "csv, svmlight or jsonl (one flat JSON object per line); default: by the name of the "
            "file, and csv from standard input",
            {"csv", "svmlight", "jsonl"}},
           {"--no-header", "", "the first line is data; columns are c1, c2, …"},
           {"--delimiter", "C", "what separates cells; default: recognised among , ; tab |"},
           {"--skip", "N", "do not read the first N lines"},
           {"--comment", "C", "do not read lines that begin with this character, such as '#'"},
           {"--decimal", "C",
            "'.' or ','; default: '.', or ',' if recognised beside ';'; where it is given, the "
            "other one separates thousands"},
           {"--missing-token", "LIST",
            "cells that mean missing, as an empty one does (repeatable); '' for empty ones alone "
            "(default: NA; with a model, those it was learned with)"}}};
}

CsvOptions csv_of(const Words& words) {
  CsvOptions csv;
  csv.header = !words.has("--no-header");
  if (const auto delimiter = words.value("--delimiter"))
    csv.delimiter = parse_delimiter(*delimiter);
  if (const auto decimal = words.value("--decimal")) csv.decimal = parse_decimal(*decimal);
  if (csv.delimiter && csv.delimiter == csv.decimal)
    throw Error(Errc::bad_argument, "--delimiter and --decimal are the same character",
                "let one of them be recognised, or name another");
  if (const auto skip = words.value("--skip")) csv.skip = parse_skip(*skip);
  if (const auto comment = words.value("--comment")) csv.comment = parse_comment(*comment);
  if (words.has("--missing-token")) csv.missing_tokens = tokens_in(words.values("--missing-token"));
  return csv;
}

}  // namespace genera::cli
