#include "io/discrete_statistics.hpp"

#include "blocks/documents.hpp"
#include "io/origin.hpp"
#include "kernel/text.hpp"
#include "sums/discrete_sums.hpp"
#include "sums/pair_sums.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace genera::io {
namespace {

constexpr std::array types{ColumnType::numeric, ColumnType::categorical, ColumnType::binary,
                           ColumnType::count, ColumnType::text};

bool all_numeric(const StatisticsSchema& schema) {
  return !schema.sparse_matrix &&
         std::all_of(schema.features.begin(), schema.features.end(),
                     [](const Column& column) { return column.type == ColumnType::numeric; });
}

Value names_document(const std::vector<SharedNames>& sets) {
  List list;
  for (const NameSet& names : sets) list.push_back(blocks::texts(names.names()));
  return {std::move(list)};
}

Value terms_document(const TermSums& sums) {
  Members members;
  members["weight"] = Value{sums.weight};
  members["sums"] = Value{sums.sums};
  members["present"] = Value{sums.present};
  if (!sums.scatter.empty()) members["scatter"] = Value{sums.scatter};
  if (std::any_of(sums.sums_low.begin(), sums.sums_low.end(), [](double x) { return x != 0; }))
    members["sums_low"] = Value{sums.sums_low};
  return {std::move(members)};
}

ColumnType read_type(const Field& field) {
  std::vector<std::string> names;
  for (const ColumnType type : types) {
    if (field.text() == name_of(type)) return type;
    names.emplace_back(name_of(type));
  }
  field.refuse(fmt::format("is '{}', which is not a type of a column", field.text()),
               kernel::did_you_mean(field.text(), names, "one of " + kernel::quoted_list(names)));
}

std::vector<Column> read_features(const Field& root, const std::vector<std::string>& numeric) {
  std::vector<Column> features;
  if (!root.has("features")) {
    for (const std::string& name : numeric) features.push_back({name, ColumnType::numeric});
    return features;
  }
  NameSet seen;
  for (const Field& one : root["features"].elements("an object")) {
    one.allow_only({"name", "type", "cut"});
    const std::string& name = one["name"].text();
    if (seen.find(name))
      one["name"].refuse(fmt::format("is '{}', the name of another column", name),
                         "give each column a name of its own");
    seen.add(name);
    features.push_back({name, read_type(one["type"])});
    if (one.has("cut")) features.back().cut = blocks::read_cut(one["cut"]);
  }
  return features;
}

/// Files without the type of entries contain numbers, possibly counts.
std::optional<SparseKind> read_matrix(const Field& root) {
  const bool counts = root.has("entries");
  if (counts && root["entries"].text() != "counts")
    root["entries"].refuse(fmt::format("is '{}', expected 'counts'", root["entries"].text()),
                           "leave it out if the entries are any numbers");
  if (!root.has("svmlight") || !root["svmlight"].flag()) return std::nullopt;
  return counts ? SparseKind::counts : SparseKind::numbers;
}

void read_names(const Field& root, const std::string& key, std::size_t count,
                const std::function<SharedNames&(std::size_t)>& place) {
  if (count == 0 && !root.has(key)) return;
  const std::vector<Field> lists = root[key].elements("a list", static_cast<Index>(count));
  for (std::size_t i = 0; i < count; ++i) place(i) = NameSet(lists[i].distinct_texts());
}

/// Checks that each joint level names one level per column.
void check_joint_levels(const Field& field, const Statistics& statistics) {
  const std::size_t columns = statistics.schema().coded().front().size();
  for (const std::string& level : statistics.levels().front().names()) {
    const std::size_t found = sums::split_level(level).size();
    if (found != columns)
      field.refuse(fmt::format("holds a level of {}, expected {}",
                               counted(static_cast<Index>(found), "column"), columns),
                   "collect the statistics again");
  }
}

/// Numbers >= 0, at most as many as names.
Vector read_sums_of(const Field& field, Index names) {
  Vector sums = field.numbers();
  if (std::ssize(sums) > names)
    field.refuse(fmt::format("has {} for {}", counted(std::ssize(sums), "entry", "entries"),
                             counted(names, "name")),
                 "collect the statistics again");
  return sums;
}

Vector read_weights_of(const Field& field, Index names) {
  Vector sums = read_sums_of(field, names);
  for (const double sum : sums) {
    if (sum < 0)
      field.refuse(fmt::format("holds {}, expected at least 0", sum),
                   "collect the statistics again");
  }
  return sums;
}

/// The weights of the levels of two columns: at most as many rows and columns as they have levels.
Matrix read_pair(const Field& field, Index most_rows, Index most_columns) {
  const std::vector<Field> rows = field.elements("a list");
  if (rows.empty()) return {};
  const Index columns = std::ssize(rows.front().numbers());
  if (std::ssize(rows) > most_rows || columns > most_columns)
    field.refuse(fmt::format("has {} x {} weights for {} x {} levels", rows.size(), columns,
                             most_rows, most_columns),
                 "collect the statistics again");
  Matrix weights(std::ssize(rows), columns);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(rows[i].weights(columns), weights.row(static_cast<Index>(i)).begin());
  return weights;
}

std::vector<Matrix> read_pairs(const Field& field, const Statistics& statistics) {
  const std::vector<SharedNames>& levels = statistics.levels();
  const std::vector<Field> lists =
      field.elements("a list", static_cast<Index>(sums::count_of_pairs(levels.size())));
  std::vector<Matrix> pairs;
  for (std::size_t a = 0; a < levels.size(); ++a)
    for (std::size_t b = a + 1; b < levels.size(); ++b)
      pairs.push_back(read_pair(lists[pairs.size()], levels[a].size(), levels[b].size()));
  return pairs;
}

/// The observed weight is stored only if some count is missing.
void put_counts(const ClassStatistics& one, Members& members) {
  const CountSums& counts = one.counts;
  if (counts.sums.empty()) return;
  members["counts"] = Value{counts.sums};
  if (counts.observed != Vector(counts.sums.size(), one.weight))
    members["counts_observed"] = Value{counts.observed};
}

CountSums read_counts(const Field& one, Index counts, double weight) {
  const auto read = [&](const char* key) {
    (void)one[key].numbers(counts);
    return read_weights_of(one[key], counts);
  };
  CountSums sums{read("counts"), Vector(static_cast<std::size_t>(counts), weight)};
  if (!one.has("counts_observed")) return sums;
  sums.observed = read("counts_observed");
  constexpr double rounding = 1e-9;  // of weights added in another order
  for (const double observed : sums.observed) {
    if (observed > weight * (1 + rounding))
      one["counts_observed"].refuse(
          fmt::format("holds {}, more than the weight {}", observed, weight),
          "collect the statistics again");
  }
  return sums;
}

TermSums read_terms(const Field& field, Index names, const StatisticsSchema& schema) {
  const bool text = !schema.sparse_matrix;
  const bool spread = schema.sparse_matrix && schema.scatter != Scatter::none;
  field.allow_only({"weight", "sums", "present", "scatter", "sums_low"});
  TermSums read;
  read.weight = field["weight"].number_at_least(0);
  read.sums = text ? read_weights_of(field["sums"], names) : read_sums_of(field["sums"], names);
  read.present = read_weights_of(field["present"], names);
  if (field.has("scatter")) read.scatter = read_weights_of(field["scatter"], names);
  const std::size_t size = read.sums.size();
  read.sums_low =
      field.has("sums_low") ? read_sums_of(field["sums_low"], names) : Vector(spread ? size : 0);
  if (read.present.size() != size || read.scatter.size() != (spread ? size : 0) ||
      read.sums_low.size() != read.scatter.size())
    field.refuse("has lists of different lengths", "collect the statistics again");
  return read;
}

}  // namespace

void put_schema(const Statistics& statistics, Members& root) {
  const StatisticsSchema& schema = statistics.schema();
  root["target"] = Value{schema.target};
  put_label_type(schema.label_type, root);
  root["scatter"] = Value{schema.scatter == Scatter::full       ? "full"
                          : schema.scatter == Scatter::diagonal ? "diagonal"
                                                                : "none"};
  root["columns"] = blocks::texts(statistics.columns());
  if (all_numeric(schema)) return;
  List features;
  for (const Column& column : schema.features) {
    Members one;
    one["name"] = Value{column.name};
    one["type"] = Value{std::string(name_of(column.type))};
    if (column.cut) one["cut"] = blocks::cut_document(*column.cut);
    features.push_back(Value{std::move(one)});
  }
  root["features"] = Value{std::move(features)};
  if (schema.joint) root["joint"] = Value{true};
  if (schema.pairs) root["pairs"] = Value{true};
  if (schema.sparse_matrix) root["svmlight"] = Value{true};
  if (schema.all_columns) root["all_columns"] = Value{true};
  if (schema.sparse_matrix == SparseKind::counts) root["entries"] = Value{std::string("counts")};
  if (!statistics.levels().empty()) root["levels"] = names_document(statistics.levels());
  if (!statistics.terms().empty()) root["terms"] = names_document(statistics.terms());
  if (!(schema.text == TextOptions{})) root["cut"] = blocks::text_document(schema.text);
}

const std::vector<std::string>& schema_keys() {
  static const std::vector<std::string> keys{
      "target",   "labels",      "scatter", "columns", "features", "joint", "pairs",
      "svmlight", "all_columns", "entries", "levels",  "terms",    "cut"};
  return keys;
}

void put_size(const ClassStatistics& one, Members& members) {
  members["name"] = Value{one.name};
  members["rows"] = Value{static_cast<double>(one.rows)};
  members["weight"] = Value{one.weight};
}

double read_weight(const Field& field, Index rows) {
  const double weight = field.number_at_least(0);
  if (weight == 0 && rows > 0)
    field.refuse(
        fmt::format("is 0 although there {} {}", rows == 1 ? "is" : "are", counted(rows, "row")),
        "collect the statistics again");
  return weight;
}

ClassStatistics& read_size(const Field& one, Statistics& statistics) {
  const std::string& name = one["name"].text();
  const std::size_t before = statistics.classes().size();
  ClassStatistics& read = statistics.of_class(name);
  if (statistics.classes().size() == before)
    one["name"].refuse(fmt::format("is '{}', a class that is there already", name),
                       "write its sums once, those of all its rows");
  read.rows = one["rows"].count();
  read.weight = read_weight(one["weight"], read.rows);
  return read;
}

void put_sums(const ClassStatistics& one, Members& members) {
  if (!one.levels.empty()) {
    List levels;
    for (const Vector& sums : one.levels) levels.push_back(Value{sums});
    members["levels"] = Value{std::move(levels)};
  }
  if (!one.pairs.empty()) {
    List pairs;
    for (const Matrix& weights : one.pairs) pairs.push_back(blocks::rows_of(weights));
    members["pairs"] = Value{std::move(pairs)};
  }
  put_counts(one, members);
  if (one.terms.empty()) return;
  List terms;
  for (const TermSums& sums : one.terms) terms.push_back(terms_document(sums));
  members["terms"] = Value{std::move(terms)};
}

Statistics read_schema(const Field& root) {
  StatisticsSchema schema{.features = read_features(root, root["columns"].distinct_texts()),
                          .target = root["target"].text(),
                          .label_type = read_label_type(root),
                          .joint = root.has("joint") && root["joint"].flag(),
                          .pairs = root.has("pairs") && root["pairs"].flag(),
                          .sparse_matrix = read_matrix(root),
                          .all_columns = root.has("all_columns") && root["all_columns"].flag()};
  if (root.has("cut")) schema.text = blocks::read_text_options(root["cut"]);
  const std::string& scatter = root["scatter"].text();
  if (scatter != "full" && scatter != "diagonal" && !(scatter == "none" && schema.sparse_matrix))
    root["scatter"].refuse(fmt::format("is '{}', expected 'full' or 'diagonal'", scatter),
                           "it says whether 'scatter' holds matrices or only their diagonals");
  schema.scatter = scatter == "full"       ? Scatter::full
                   : scatter == "diagonal" ? Scatter::diagonal
                                           : Scatter::none;
  Statistics statistics(std::move(schema));
  if (root.has("features") && root["columns"].distinct_texts() != statistics.columns())
    root["columns"].refuse("are not the numeric ones of 'features'",
                           "collect the statistics again");
  read_names(root, "levels", statistics.levels().size(),
             [&](std::size_t i) -> SharedNames& { return statistics.levels_of(i); });
  read_names(root, "terms", statistics.terms().size(),
             [&](std::size_t i) -> SharedNames& { return statistics.terms_of(i); });
  if (statistics.schema().joint && !statistics.levels().empty())
    check_joint_levels(root["levels"], statistics);
  return statistics;
}

void read_sums(const Field& one, const Statistics& statistics, ClassStatistics& read) {
  const auto names = [](const std::vector<SharedNames>& sets, std::size_t i) {
    return sets[i].size();
  };
  const std::size_t coded = statistics.levels().size();
  const std::size_t sparse = statistics.terms().size();
  const auto counts = static_cast<Index>(statistics.schema().names_of(ColumnType::count).size());
  read.levels.clear();
  read.terms.clear();
  if (coded > 0) {
    const std::vector<Field> lists = one["levels"].elements("a list", static_cast<Index>(coded));
    for (std::size_t i = 0; i < coded; ++i)
      read.levels.push_back(read_weights_of(lists[i], names(statistics.levels(), i)));
  }
  if (statistics.schema().pairs) read.pairs = read_pairs(one["pairs"], statistics);
  if (counts > 0) read.counts = read_counts(one, counts, read.weight);
  if (sparse == 0) return;
  const std::vector<Field> lists = one["terms"].elements("an object", static_cast<Index>(sparse));
  for (std::size_t i = 0; i < sparse; ++i)
    read.terms.push_back(read_terms(lists[i], names(statistics.terms(), i), statistics.schema()));
}

}  // namespace genera::io
