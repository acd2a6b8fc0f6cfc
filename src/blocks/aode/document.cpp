#include "blocks/documents.hpp"

#include <fmt/format.h>

#include "blocks/aode/kind.hpp"
#include "blocks/aode/table.hpp"
#include "sums/pair_sums.hpp"

namespace genera::blocks {
namespace {

constexpr std::array types_of_columns{ColumnType::numeric, ColumnType::categorical,
                                      ColumnType::binary};

ColumnType read_type(const Field& field) {
  for (const ColumnType type : types_of_columns)
    if (field.text() == name_of(type)) return type;
  field.refuse(fmt::format("is '{}', expected numeric, categorical or binary", field.text()),
               "write the type of the column");
}

/// The names of the bins are not written.
Value column_document(const AodeParameters& p, std::size_t j) {
  Members column;
  column["name"] = Value{p.columns[j].name};
  column["type"] = Value{std::string(name_of(p.columns[j].type))};
  if (p.columns[j].cut)
    column["cut"] = cut_document(*p.columns[j].cut);
  else
    column["levels"] = texts(p.levels[j]);
  column["weights"] = rows_of(p.weights[j]);
  return {std::move(column)};
}

void read_column(const Field& field, Index classes, AodeParameters& p) {
  field.allow_only({"name", "type", "cut", "levels", "weights"});
  Column column{field["name"].text(), read_type(field["type"])};
  std::vector<std::string> levels;
  if (field.has("cut")) {
    column.cut = read_cut(field["cut"]);
    for (Index b = 0; b < column.cut->bins(); ++b) levels.push_back(std::to_string(b));
  } else {
    levels = field["levels"].distinct_texts();
  }
  for (const Column& other : p.columns)
    if (other.name == column.name)
      field["name"].refuse(fmt::format("is '{}', the name of another column", column.name),
                           "give each column a name of its own");
  p.weights.push_back(field["weights"].matrix(classes, std::ssize(levels)));
  p.columns.push_back(std::move(column));
  p.levels.push_back(std::move(levels));
}

}  // namespace

Members AodeKind::to_document(const Block& block) {
  const AodeParameters& p = block.parameters();
  List columns, pairs;
  for (std::size_t j = 0; j < p.columns.size(); ++j) columns.push_back(column_document(p, j));
  for (const Matrix& pair : p.pairs) pairs.push_back(rows_of(pair));
  Members members;
  members["type"] = Value{std::string(types.front())};
  members["columns"] = Value{std::move(columns)};
  members["pairs"] = Value{std::move(pairs)};
  members["smoothing"] = Value{p.smoothing};
  return members;
}

bool AodeKind::reads(const Field& block) { return has_type(block, types); }

AodeBlock AodeKind::from_document(const Field& block, const DocumentClasses& classes) {
  block.allow_only({"type", "columns", "pairs", "smoothing", "counts"});
  AodeParameters p;
  for (const Field& column : block["columns"].elements("an object"))
    read_column(column, classes.size(), p);
  if (genera::detail::aode_cells(static_cast<double>(classes.size()), p.levels) >
      genera::detail::max_aode_cells)
    block["columns"].refuse("have too many levels: more than 1 GiB of probabilities",
                            "give fewer columns or levels");
  const std::vector<Field> pairs =
      block["pairs"].elements("a list", static_cast<Index>(sums::count_of_pairs(p.columns.size())));
  for (std::size_t a = 0; a < p.columns.size(); ++a)
    for (std::size_t b = a + 1; b < p.columns.size(); ++b)
      p.pairs.push_back(pairs[p.pairs.size()].matrix(
          classes.size(), std::ssize(p.levels[a]) * std::ssize(p.levels[b])));
  p.smoothing = read_smoothing(block);
  p.counts = read_counts(block, classes);
  return at_place(place_of(block), [&] { return AodeBlock(p); });
}

}  // namespace genera::blocks
