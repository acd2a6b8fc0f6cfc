#include "fit/laid_out.hpp"

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/second_pass.hpp"
#include "data/densified.hpp"
#include "sums/collect.hpp"

namespace genera::fit_detail {

std::vector<std::string> columns_to_lay_out(const Statistics& sparse, const std::string& source) {
  constexpr std::size_t max_columns = 5000;
  const std::vector<std::string>& all = sparse.terms().front().names();
  if (sparse.schema().all_columns && all.size() <= max_columns) return all;
  std::vector<std::string> names = blocks::columns_seen(sparse);
  if (names.size() > max_columns)
    throw Error(
        Errc::bad_data,
        fmt::format("{} has {} columns, too many for full covariances",
                    source.empty() ? "the sparse matrix" : source, names.size()),
        {"use {}, dlda, spherical or centroid, which keep variances only", {{"model", {"gnb"}}}});
  return names;
}

LaidOutRows::LaidOutRows(RowSource& sparse, std::vector<std::string> names)
    : sparse_(sparse), names_(std::move(names)) {
  const Rows* rows = sparse.in_memory();
  if (rows == nullptr) return;
  table_ = data::densified(*rows, names_);
  all_ = table_;
}

RowsSchema LaidOutRows::schema() const {
  RowsSchema schema = sparse_.schema();
  schema.columns.clear();
  for (const std::string& name : names_) schema.columns.push_back({name, ColumnType::numeric});
  schema.sparse_matrix.reset();
  schema.all_columns = false;
  schema.text = {};
  return schema;
}

void LaidOutRows::run(const Control& control, const Work& work,
                      const std::function<void()>& start_again) {
  if (all_) {
    work(RowChunk(*all_, control))();
    return;
  }
  sparse_.for_each_chunk(
      control, [&](const Rows& chunk) { return work(data::densified(chunk, names_)); },
      start_again);
}

Table laid_out(const Rows& rows) {
  const Statistics sparse = collect(rows, {.scatter = Scatter::diagonal}).statistics;
  return data::densified(rows, columns_to_lay_out(sparse, rows.data().source));
}

}  // namespace genera::fit_detail
