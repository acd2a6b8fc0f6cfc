#pragma once

#include "command_line.hpp"

#include <genera/fit.hpp>
#include <genera/stream.hpp>

#include <optional>
#include <string>
#include <vector>

/// A table: where it is, how to read it and which of its columns play which part.
namespace genera::cli {

struct Source {
  std::string data;
  CsvOptions csv;
  Roles roles;
  Kept kept{};
  std::optional<Missing> missing{};
  std::optional<genera::Source::Format> format{};  ///< empty: told from the name
  bool tokens_given = false;                       ///< those of csv that mean missing
  std::vector<std::string> options_given;          ///< those that make sense for rows only

  /// What the library reads.
  [[nodiscard]] genera::Source rows() const { return genera::Source::path(data, format); }
};

[[nodiscard]] ArgumentText data_argument();

[[nodiscard]] OptionText features_text();
[[nodiscard]] OptionText drop_text();
[[nodiscard]] OptionText weights_text();
[[nodiscard]] OptionText counts_text();
/// Of verbs that can leave rows out, and that is all.
[[nodiscard]] OptionText missing_text();
/// Of verbs that ask a model and write CSV.
[[nodiscard]] OptionText keep_text();

/// Of verbs that learn from rows; `missing` is what they do with missing cells.
[[nodiscard]] OptionGroup columns_texts(const OptionText& missing);

/// What the options of these groups, of reading.hpp and of terms.hpp make of the table `data`.
[[nodiscard]] Source source_of(const std::string& data, const Words& words);

}  // namespace genera::cli
