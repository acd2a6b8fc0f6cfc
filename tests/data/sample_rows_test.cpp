#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "data/join_tables.hpp"
#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::sample_rows_test {
namespace {

/// Rows as lines, sorted: the same for any order of the rows.
std::vector<std::string> lines_of(const Table& table) {
  std::vector<std::string> lines;
  for (Index i = 0; i < table.rows(); ++i) {
    std::string line;
    for (const double x : table.numbers.row(i)) line += std::to_string(x) + " ";
    for (Index j = 0; j < table.codes.columns(); ++j) {
      const std::int32_t code = table.codes(i, j);
      line += code < 0
                  ? "? "
                  : table.levels[static_cast<std::size_t>(j)][static_cast<std::size_t>(code)] + " ";
    }
    for (const SparseColumns& text : table.sparse)
      line += std::to_string(text.begins[static_cast<std::size_t>(i) + 1] -
                             text.begins[static_cast<std::size_t>(i)]) +
              " ";
    const std::int32_t label = table.labels[static_cast<std::size_t>(i)];
    lines.push_back(line + (label < 0 ? "" : table.classes[static_cast<std::size_t>(label)]));
  }
  std::ranges::sort(lines);
  return lines;
}

std::map<std::string, Index> class_sizes(const Table& table) {
  std::map<std::string, Index> sizes;
  for (const std::int32_t label : table.labels)
    ++sizes[label < 0 ? "" : table.classes[static_cast<std::size_t>(label)]];
  return sizes;
}

TEST(Sample, DoesNotDependOnTheOrderOfRows) {
  Table mixed = testing::mixed_table(400, 8);
  for (std::size_t i = 0; i < 100; ++i) mixed.labels[i] = -1;
  mixed.numbers(200, 0) = std::nan("");
  mixed.weights.assign(400, 1);
  mixed.weights[17] = 2.5;
  for (const Table& table : {testing::random_table(500, 3, 4, 2), mixed}) {
    const RowSample sample = data::sampled(table, 100, 7);
    for (unsigned seed = 0; seed < 5; ++seed) {
      const Table shuffled = data::selected(table, testing::permutation(table.rows(), seed));
      EXPECT_EQ(lines_of(data::sampled(shuffled, 100, 7).rows), lines_of(sample.rows));
    }
    EXPECT_NE(lines_of(data::sampled(table, 100, 8).rows), lines_of(sample.rows));
  }
}

TEST(Sample, KeepsTheShareOfEveryClassAndAMinimum) {
  // 20,000 rows sorted by class: 15,000 a, 4,900 b, 60 c, 30 d, 10 e; then 5,000 without a label.
  const std::vector<std::pair<std::string, Index>> sizes{{"a", 15000}, {"b", 4900}, {"c", 60},
                                                         {"d", 30},    {"e", 10},   {"", 5000}};
  std::string text = "x,class\n";
  int row = 0;
  for (const auto& [name, count] : sizes)
    for (Index i = 0; i < count; ++i) text += std::to_string(row++) + "," + name + "\n";
  RowStream rows(Source::text(text, "rows"), {}, Roles{});
  const RowSample sample = read_sample(rows, 1000, 3);
  EXPECT_EQ(sample.of, 25000);
  EXPECT_EQ(sample.labelled_of, 20000);
  const std::map<std::string, Index> expected{{"a", 750}, {"b", 245}, {"c", 20},
                                              {"d", 20},  {"e", 10},  {"", 1000}};
  EXPECT_EQ(class_sizes(sample.rows), expected);
  EXPECT_NEAR(sample.unlabelled_scale(), (5000.0 / 1000) / (20000.0 / 1045), 1e-12);
  std::map<std::string, double> weights;  // classes weigh as much as in the source
  for (std::size_t i = 0; i < sample.rows.labels.size(); ++i)
    if (sample.rows.labels[i] >= 0)
      weights[sample.rows.classes[static_cast<std::size_t>(sample.rows.labels[i])]] +=
          sample.rows.weights[i];
  for (const auto& [name, count] : sizes) {
    if (name.empty()) continue;
    EXPECT_NEAR(weights[name] / 1045, static_cast<double>(count) / 20000, 1e-12);
  }
  EXPECT_EQ(read_sample(rows, 30000, 3).rows.rows(), 25000);
  EXPECT_EQ(read_sample(rows, 30000, 3).unlabelled_scale(), 1);
}

TEST(Sample, OfFrequenciesIsThatOfRepeatedRows) {
  Table table = testing::random_table(40, 2, 3, 5);
  std::vector<Index> repeated;
  for (Index i = 0; i < 40; ++i) {
    table.weights.push_back(static_cast<double>(i % 7 * 3));
    repeated.insert(repeated.end(), static_cast<std::size_t>(i % 7 * 3), i);
  }
  Table single = table;
  single.weights.clear();
  table.frequencies = true;
  const Table copies = data::selected(single, repeated);
  for (const Index max_rows : {30, 1000}) {
    const RowSample some = data::sampled(table, max_rows, 4);
    EXPECT_EQ(lines_of(some.rows), lines_of(data::sampled(copies, max_rows, 4).rows));
    EXPECT_EQ(some.of, copies.rows());
    EXPECT_EQ(some.rows.weights.empty(), max_rows == 1000);
    EXPECT_FALSE(some.rows.frequencies);
  }
}

TEST(Sample, OfHugeFrequenciesFitsIntoMemory) {
  Table table = make_table({"x"}, Matrix(2, 1, {1, 2}), {"a", "b"});
  table.weights = {5e6, 1};
  table.frequencies = true;
  const RowSample sample = data::sampled(table, 50, 1);
  EXPECT_EQ(sample.of, 5000001);
  EXPECT_EQ(class_sizes(sample.rows), (std::map<std::string, Index>{{"a", 50}, {"b", 1}}));
}

TEST(Sample, FrequenciesAreWholeNumbers) {
  Table table = make_table({"x"}, Matrix(2, 1, {1, 2}), {"a", "b"});
  table.weights = {1.5, 1};
  table.frequencies = true;
  EXPECT_EQ(testing::error_of([&] { (void)Rows(table); }),
            "the frequencies of rows are not whole numbers from 0 to 1e9 | give whole numbers, or "
            "weights that are not frequencies");
}

}  // namespace
}  // namespace genera::sample_rows_test
