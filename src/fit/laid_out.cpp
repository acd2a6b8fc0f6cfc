#include "fit/laid_out.hpp"

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/second_pass.hpp"
#include "data/densified.hpp"
#include "sums/collect.hpp"

namespace genera::fit_detail {

std::vector<std::string> columns_to_lay_out(const Statistics& sparse, const std::string& source) {
  constexpr std::size_t most_columns = 5000;
  const std::vector<std::string>& all = sparse.terms().front().names();
  if (sparse.schema().all_columns && all.size() <= most_columns) return all;
  std::vector<std::string> names = blocks::columns_seen(sparse);
  if (names.size() > most_columns)
    throw Error(
        Errc::bad_data,
        fmt::format("{} has {} columns, too many for full covariances",
                    source.empty() ? "the sparse matrix" : source, names.size()),
        {"use {}, dlda, spherical or centroid, which keep variances only", {{"model", {"gnb"}}}});
  return names;
}

Table laid_out(const Rows& rows) {
  const Statistics sparse = collect(rows, {.scatter = Scatter::diagonal}).statistics;
  return data::densified(rows, columns_to_lay_out(sparse, rows.data().source));
}

}  // namespace genera::fit_detail
