#include "support/discrete_tables.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/join_tables.hpp"
#include "data/text/text_terms.hpp"
#include "sums/discrete_sums.hpp"

namespace genera::testing {
namespace {

/// Fills a table cell by cell, row after row.
class Filler {
 public:
  Filler(const std::vector<Column>& columns, std::size_t rows) {
    table_.columns = columns;
    table_.target = "class";
    table_.row_count = static_cast<Index>(rows);
    for (const Column& column : columns) {
      if (column.type == ColumnType::text)
        texts_.emplace_back(TextOptions{});
      else if (!data::kept_as_number(column.type))
        levels_.emplace_back();
    }
    const auto numbers = std::ssize(columns) - std::ssize(texts_) - std::ssize(levels_);
    table_.numbers = Matrix(table_.row_count, numbers);
    table_.codes = Codes(table_.row_count, std::ssize(levels_));
  }

  void add(const Cells& cells) {
    Index number = 0, code = 0;
    std::size_t text = 0;
    for (std::size_t j = 0; j < table_.columns.size(); ++j) {
      const std::string& cell = cells[j];
      if (data::kept_as_number(table_.columns[j].type)) {
        table_.numbers(row_, number++) = cell.empty() ? NAN : std::stod(cell);
      } else if (table_.columns[j].type == ColumnType::text) {
        cell.empty() ? texts_[text].add_missing() : texts_[text].add(cell);
        ++text;
      } else {
        if (!cell.empty())
          table_.codes(row_, code) = levels_[static_cast<std::size_t>(code)].add(cell);
        ++code;
      }
    }
    table_.labels.push_back(cells.back().empty() ? -1 : classes_.add(cells.back()));
    ++row_;
  }

  Table take() && {
    table_.classes = classes_.names();
    for (const NameSet& levels : levels_) table_.levels.push_back(levels.names());
    std::size_t text = 0;
    for (const Column& column : table_.columns) {
      if (column.type == ColumnType::text)
        table_.sparse.push_back(std::move(texts_[text++]).take(column.name));
    }
    return std::move(table_);
  }

 private:
  Table table_;
  std::vector<NameSet> levels_;
  std::vector<data::TermCounter> texts_;
  NameSet classes_;
  Index row_ = 0;
};

std::vector<std::string> numbered(Index count) {
  std::vector<std::string> names;
  for (Index j = 1; j <= count; ++j) names.push_back(std::to_string(j));
  return names;
}

template <class T>
const T& one_of(const std::vector<T>& things, Rng& rng) {
  return things[static_cast<std::size_t>(rng.uniform() * static_cast<double>(things.size()))];
}

/// The levels of a joint column, each with its name, whatever the order of the columns.
std::string named_levels(const std::vector<std::string>& columns, const std::string& level) {
  const std::vector<std::string> parts = sums::split_level(level);
  std::vector<std::string> named;
  for (std::size_t j = 0; j < columns.size(); ++j) named.push_back(columns[j] + "=" + parts.at(j));
  std::sort(named.begin(), named.end());
  return fmt::format("{}", fmt::join(named, ","));
}

}  // namespace

Table table_of(const std::vector<Column>& columns, const std::vector<Cells>& rows) {
  Filler filler(columns, rows.size());
  for (const Cells& row : rows) filler.add(row);
  return std::move(filler).take();
}

Table dense_table(const Matrix& numbers, const std::vector<std::string>& labels, ColumnType type) {
  Table table = make_table(numbered(numbers.columns()), numbers, labels);
  for (Column& column : table.columns) column.type = type;
  table.target = "label";
  return table;
}

Table sparse_table(const Matrix& numbers, const std::vector<std::string>& labels) {
  Table table = make_table({}, Matrix(numbers.rows(), 0), labels);
  table.target = "label";
  SparseColumns& sparse = table.sparse.emplace_back();
  NameSet terms;
  for (Index i = 0; i < numbers.rows(); ++i) {
    for (Index j = 0; j < numbers.columns(); ++j) {
      if (numbers(i, j) == 0) continue;
      sparse.places.push_back(terms.add(std::to_string(j + 1)));
      sparse.values.push_back(numbers(i, j));
    }
    sparse.begins.push_back(std::ssize(sparse.places));
  }
  sparse.terms = terms.names();
  sparse.kind = SparseKind::numbers;
  return table;
}

Table matrix_table(const Matrix& numbers, const std::vector<std::string>& labels) {
  Table table = sparse_table(numbers, labels);
  SparseColumns& sparse = table.sparse.front();
  std::vector<std::string> all;
  for (Index j = 0; j < numbers.columns(); ++j) all.push_back(std::to_string(j + 1));
  const NameSet known(all);
  for (std::int32_t& place : sparse.places)
    place = *known.find(sparse.terms[static_cast<std::size_t>(place)]);
  sparse.terms = all;
  sparse.all_columns = true;
  return table;
}

const std::vector<Column>& mixed_columns() {
  static const std::vector<Column> columns{
      {"x", ColumnType::numeric},         {"colour", ColumnType::categorical},
      {"hits", ColumnType::count},        {"flag", ColumnType::binary},
      {"words", ColumnType::text},        {"y", ColumnType::numeric},
      {"grade", ColumnType::categorical}, {"misses", ColumnType::count}};
  return columns;
}

std::vector<Cells> mixed_rows(Index n, std::uint64_t seed) {
  const std::vector<Cells> colours{{"red", "red", "green", ""}, {"green", "blue"}, {"red", "blue"}};
  const std::vector<Cells> grades{{"1", "2"}, {"2", "10", "10", ""}, {"1", "2", "10", "30"}};
  const std::vector<Cells> words{{"free", "money", "now", "free"},
                                 {"meeting", "notes", "now"},
                                 {"money", "notes", "zebra", "lunch", "free"}};
  Rng rng(seed);
  std::vector<Cells> rows;
  for (Index i = 0; i < n; ++i) {
    const std::size_t k =
        i < 6 ? static_cast<std::size_t>(i % 3) : static_cast<std::size_t>(rng.uniform() * 2.99);
    const double shift = static_cast<double>(k);
    std::string text;
    for (int w = 0; w < 4; ++w) text += one_of(words[k], rng) + " ";
    rows.push_back({fmt::format("{:.3f}", shift + rng.normal()), one_of(colours[k], rng),
                    fmt::format("{:.0f}", std::floor(4 * rng.uniform() + shift)),
                    rng.uniform() < 0.2 + 0.3 * shift ? "yes" : "no",
                    rng.uniform() < 0.1 ? "" : text,
                    fmt::format("{:.3f}", 2 * rng.normal() - shift), one_of(grades[k], rng),
                    fmt::format("{:.0f}", std::floor(3 * rng.uniform())),
                    std::string(1, static_cast<char>('a' + k))});
  }
  return rows;
}

std::vector<Cells> cells_at(const std::vector<Cells>& rows,
                            const std::vector<std::size_t>& places) {
  std::vector<Cells> result;
  for (const Cells& row : rows) {
    Cells& to = result.emplace_back();
    for (const std::size_t place : places) to.push_back(row[place]);
    to.push_back(row.back());
  }
  return result;
}

std::vector<Column> columns_at(const std::vector<Column>& columns,
                               const std::vector<std::size_t>& places) {
  std::vector<Column> result;
  for (const std::size_t place : places) result.push_back(columns[place]);
  return result;
}

Statistics counted(const Table& table, bool joint) {
  std::optional<SparseKind> matrix;
  if (!table.sparse.empty() && table.sparse.front().kind != SparseKind::text)
    matrix = table.sparse.front().kind;
  Statistics statistics(StatisticsSchema{
      .features = table.columns, .target = table.target, .joint = joint, .sparse_matrix = matrix});
  statistics.add(table);
  return statistics;
}

std::map<std::string, double> by_name(const Statistics& statistics) {
  std::map<std::string, double> all;
  const auto put = [&](const std::string& name, double value) {
    if (value != 0) all[name] = value;
  };
  const auto sets = statistics.schema().coded();
  const auto counts = statistics.schema().names_of(ColumnType::count);
  for (const ClassStatistics& c : statistics.classes()) {
    put(c.name + "/rows", static_cast<double>(c.rows));
    put(c.name + "/weight", c.weight);
    for (std::size_t j = 0; j < statistics.columns().size(); ++j) {
      put(c.name + "/mean " + statistics.columns()[j], c.moments.mean[j] + c.moments.mean_low[j]);
      for (std::size_t l = 0; l < statistics.columns().size(); ++l)
        put(c.name + "/scatter " + statistics.columns()[j] + "," + statistics.columns()[l],
            c.moments.scatter(static_cast<Index>(j), static_cast<Index>(l)));
    }
    for (std::size_t i = 0; i < sets.size(); ++i) {
      for (std::size_t v = 0; v < c.levels[i].size(); ++v)
        put(c.name + "/" + named_levels(sets[i], statistics.levels()[i].names()[v]),
            c.levels[i][v]);
    }
    for (std::size_t j = 0; j < counts.size(); ++j) {
      put(c.name + "/" + counts[j], c.counts.sums[j]);
      put(c.name + "/" + counts[j] + " observed", c.counts.observed[j]);
    }
    for (std::size_t s = 0; s < c.terms.size(); ++s) {
      const std::string text = c.name + "/" + statistics.schema().sparse()[s] + ":";
      put(text + " rows", c.terms[s].weight);
      const std::vector<std::string>& terms = statistics.terms()[s].names();
      for (std::size_t j = 0; j < c.terms[s].sums.size(); ++j)
        put(text + terms[j], c.terms[s].sums[j]);
      for (std::size_t j = 0; j < c.terms[s].present.size(); ++j)
        put(text + terms[j] + " present", c.terms[s].present[j]);
      for (std::size_t j = 0; j < c.terms[s].scatter.size(); ++j)
        put(text + terms[j] + " scatter", c.terms[s].scatter[j]);
    }
  }
  return all;
}

double largest_difference(const std::map<std::string, double>& a,
                          const std::map<std::string, double>& b) {
  double worst = 0;
  const auto compare = [&](const auto& from, const auto& to) {
    for (const auto& [name, value] : from) {
      const auto other = to.find(name);
      const double difference = std::abs(value - (other == to.end() ? 0 : other->second));
      worst = std::max(worst, difference / std::max(1.0, std::abs(value)));
    }
  };
  compare(a, b);
  compare(b, a);
  return worst;
}

double largest_log_difference(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.columns() != b.columns()) return HUGE_VAL;
  double worst = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index k = 0; k < a.columns(); ++k) {
      if (a(i, k) == b(i, k)) continue;
      const double difference = std::abs(a(i, k) - b(i, k));
      worst = std::isnan(difference) ? HUGE_VAL : std::max(worst, difference);
    }
  }
  return worst;
}

std::vector<Cells> all_combinations(const std::vector<Cells>& levels) {
  std::vector<Cells> rows{{}};
  for (const Cells& of_column : levels) {
    std::vector<Cells> longer;
    for (const Cells& row : rows) {
      for (const std::string& level : of_column) {
        longer.push_back(row);
        longer.back().push_back(level);
      }
    }
    rows = std::move(longer);
  }
  for (Cells& row : rows) row.emplace_back();
  return rows;
}

}  // namespace genera::testing
