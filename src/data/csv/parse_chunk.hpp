#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <genera/table.hpp>
#include "data/bytes/record_cutter.hpp"
#include "data/csv/roles.hpp"

namespace genera::data {

/// Cells of a numeric column that are not numbers.
struct NotNumbers {
  struct Place {
    std::int64_t line;
    std::string text;
  };
  Index count = 0;
  std::vector<Place> first;  ///< at most three

  void add(std::int64_t line, std::string_view text);
};

/// Cells that are read as numbers although a program would not write them so.
struct WrittenCells {
  Index count = 0, percent = 0;
  std::string first;  ///< as it stands there
  double value = 0;   ///< what it is read as

  void add(const WrittenCells& later);
};

/// What a pass has seen of the columns whose type was guessed. Additive.
struct Observations {
  Index rows = 0;
  std::vector<Index> missing;                               ///< cells per feature kept as number
  std::map<Index, NotNumbers> not_numbers;                  ///< by feature
  std::map<Index, WrittenCells> written;                    ///< by feature
  std::map<Index, std::vector<std::string>> binary_levels;  ///< by feature; at most three
  /// By column and cell, where it is a category or a label: how often.
  std::map<std::string, std::map<std::string, Index>> like_missing;
  /// By token that means missing and by column of the file: its cells.
  std::map<std::string, std::map<Index, Index>> tokens;
  std::map<Index, Index> malformed;  ///< by feature: texts with bytes that are not UTF-8

  void merge(const Observations& other);
};

struct ParsedChunk {
  Table table;
  Observations seen;
};

/// Throws Error (bad_data) with the place on a record that cannot be read.
[[nodiscard]] ParsedChunk parse_chunk(const RecordLayout& layout, const RecordChunk& chunk);

}  // namespace genera::data
