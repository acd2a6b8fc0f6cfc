#include "show/boundaries_output.hpp"

#include "show/text_table.hpp"

#include <genera/description.hpp>

namespace genera::cli {

std::string boundaries_table(ClassifierRef model) {
  const Boundaries found = boundaries(model);
  NumberTable table{.rows = found.features, .max_rows = 60};
  table.rows.insert(table.rows.begin(), "(intercept)");
  table.values = Matrix(std::ssize(table.rows), std::ssize(found.pairs));
  for (Index pair = 0; pair < std::ssize(found.pairs); ++pair) {
    const Boundary& one = found.pairs[static_cast<std::size_t>(pair)];
    table.columns.push_back(model.classes()[static_cast<std::size_t>(one.first)] + " | " +
                            model.classes()[static_cast<std::size_t>(one.second)]);
    table.values(0, pair) = one.intercept;
    for (Index j = 0; j < std::ssize(one.coefficients); ++j)
      table.values(j + 1, pair) = one.coefficients[static_cast<std::size_t>(j)];
  }
  return "boundaries A | B: where the sum is 0 both are equally probable, above it A is more "
         "probable\n" +
         text_table(table);
}

}  // namespace genera::cli
