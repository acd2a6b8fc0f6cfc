#pragma once

#include "command_line.hpp"
#include "options/common.hpp"
#include "options/source.hpp"

#include <genera/candidates.hpp>
#include <genera/select.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Models to choose among: --models, and the values of --grid.
namespace genera::cli {

/// NAME=0.1,1,10 or NAME=0:1:0.1, each.
[[nodiscard]] OptionGrid parse_grid(const std::vector<std::string>& texts);

/// The rows as read for some of the models.
class Tables {
 public:
  /// Keeps references to both arguments.
  Tables(const Words& words, const Common& common) : words_(words), common_(common) {}

  /// Reads the rows once for each assignment of column types.
  const Table& of(const std::string& model);
  const Table& untyped();
  /// The notes of reading the rows.
  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }  ///< of the rows

 private:
  const Table& read(const Source& source);

  const Words& words_;
  const Common& common_;
  std::map<std::optional<ColumnType>, std::unique_ptr<Table>> tables_;
  std::vector<Note> notes_;
  std::string fingerprint_;
};

struct Candidates {
  std::vector<GridPoint> points;
  std::vector<Candidate> candidates;
  const Table* table = nullptr;  ///< of the first candidate
};
/// `models`: empty for the default, which depends on the columns.
[[nodiscard]] Candidates candidates_of(const std::vector<std::string>& models,
                                       const OptionGrid& grid, const Words& words, Tables& tables);

}  // namespace genera::cli
