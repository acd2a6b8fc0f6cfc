#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <genera/stream.hpp>
#include "data/bytes/record_cutter.hpp"

namespace genera::data {

struct RowBlock {
  Table table;
  std::function<void()> remember;  ///< what it told about the source; called in order, or empty
};

/// What a RowStream reads: the records of one format, which become blocks of rows.
class RowSource {
 public:
  virtual ~RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  [[nodiscard]] virtual const std::vector<Column>& columns() const = 0;
  [[nodiscard]] virtual const std::string& target() const = 0;
  [[nodiscard]] virtual const std::vector<std::string>& notes() const = 0;
  [[nodiscard]] virtual CsvOptions format() const { return {}; }

  /// The records of the next block; empty at the end.
  [[nodiscard]] virtual std::optional<Chunk> next() = 0;
  /// Called on any thread. Throws Error (bad_data) with the place on what cannot be read.
  [[nodiscard]] virtual RowBlock parse(const Chunk& chunk) = 0;

  /// After a pass; false: another one is needed, and the source is rewound.
  [[nodiscard]] virtual bool types_held() = 0;
  virtual void rewind() = 0;
  /// After an error nobody should wait for more input.
  void give_up() noexcept { cutter_.give_up(); }

 protected:
  RowSource(const std::string& source, const Roles& roles)
      : cutter_(source, roles.expected && !roles.reread ? Reread::never : Reread::possible,
                answers_rows(roles) ? RecordCutter::Pause::answer : RecordCutter::Pause::wait) {}

  RecordCutter cutter_;

 private:
  // Predictions are answered row by row. Where labels are needed, sums over rows are wanted, whose
  // bits must not depend on when the rows arrive.
  static bool answers_rows(const Roles& roles) {
    return roles.expected && !roles.reread && (!roles.use_target || roles.target_optional);
  }
};

}  // namespace genera::data
