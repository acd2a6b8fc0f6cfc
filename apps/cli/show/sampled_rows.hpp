#pragma once

#include <genera/model.hpp>

#include <string>
#include <vector>

namespace genera::cli {

/// How rows drawn from a model are written: features in the order of the model, the class last.
class SampledRows {
 public:
  /// Throws Error (bad_model) if CSV cannot hold them: more columns than a table has, or terms of
  /// texts that cannot be put together again.
  SampledRows(const Model& model, bool json);

  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string lines(const Table& drawn) const;

 private:
  [[nodiscard]] std::string csv_lines(const Table& drawn) const;
  [[nodiscard]] std::string json_lines(const Table& drawn) const;

  bool json_;
  std::vector<std::string> names_;                // of the columns, the class last, as written
  std::vector<std::string> labels_;               // as written
  std::vector<std::vector<std::string>> levels_;  // as written
};

}  // namespace genera::cli
