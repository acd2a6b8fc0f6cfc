// Reads costs from a CSV matrix. Every cell is read as a name and the header as the first row,
// because the cell above the true classes may be empty, which other tables do not allow.
#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include <genera/decisions.hpp>
#include <genera/error.hpp>

#include "kernel/text.hpp"

namespace genera {
namespace {

class CostFile {
 public:
  explicit CostFile(const Source& source)
      : table_(read_csv(source, {.target = Target::none(), .default_type = ColumnType::categorical},
                        {.header = false})) {}

  [[nodiscard]] CostTable read() const {
    CostTable costs{.values = Matrix(table_.rows() - 1, table_.codes.columns() - 1),
                    .source = table_.source,
                    .lines = table_.lines};
    for (Index j = 1; j < table_.codes.columns(); ++j)
      costs.decisions.push_back(name(0, j, "the decision of column", j + 1));
    for (Index i = 1; i < table_.rows(); ++i) {
      costs.truths.push_back(name(i, 0, "the truth in column", 1));
      for (Index j = 1; j < table_.codes.columns(); ++j) costs.values(i - 1, j - 1) = number(i, j);
    }
    return costs;
  }

 private:
  [[nodiscard]] std::string text(Index i, Index j) const {
    const std::int32_t code = table_.codes(i, j);
    if (code < 0) return {};
    return table_.levels[static_cast<std::size_t>(j)][static_cast<std::size_t>(code)];
  }

  [[nodiscard]] std::string name(Index i, Index j, const char* what, Index column) const {
    std::string found = text(i, j);
    if (found.empty())
      throw Error(Errc::bad_data, fmt::format("{}: {} {} is empty", table_.place(i), what, column),
                  "name a class of the model there");
    return found;
  }

  [[nodiscard]] double number(Index i, Index j) const {
    const std::string cell = text(i, j);
    double value = 0;
    if ((kernel::parse_whole(cell, value) || is_decimal_comma(cell, value)) && std::isfinite(value))
      return value;
    throw Error(
        Errc::bad_data,
        fmt::format("{}: the cost of deciding '{}' is {}", table_.place(i), text(0, j),
                    cell.empty() ? "missing" : "'" + cell + "', which is not a finite number"),
        "write a number such as 2.5; a negative one is a gain");
  }

  /// 0,5 in a file with semicolons; 1,000 is ambiguous and refused.
  [[nodiscard]] static bool is_decimal_comma(std::string cell, double& value) {
    const std::size_t comma = cell.find(',');
    if (comma == std::string::npos || cell.find('.') != std::string::npos) return false;
    const bool thousands = cell.size() - comma == 4 &&
                           cell.substr(0, comma).find_first_not_of("+-0") != std::string::npos;
    cell[comma] = '.';
    return !thousands && kernel::parse_whole(cell, value);
  }

  Table table_;
};

}  // namespace

Costs read_costs(const Source& source, const std::vector<std::string>& classes) {
  return costs_for(classes, CostFile(source).read());
}

}  // namespace genera
