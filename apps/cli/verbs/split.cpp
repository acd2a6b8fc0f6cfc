#include "lists.hpp"
#include "options/common.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "values.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>
#include <genera/select.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace genera::cli {
namespace {

VerbText split_text() {
  return {"split",
          "divide a table into rows to learn from and rows to test",
          "Writes two tables with the header of DATA: the first holds the rows to learn from, the "
          "second a random share of the rows of each class. Lines stay as they are, in their "
          "order. Which rows are chosen depends on their content and on --seed, not on the order "
          "of rows. Rows without a label go into the first table.",
          {data_argument()},
          {{"Split",
            {{"--target", "COL", "the column with the class; default: as for fit"},
             {"--test", "P", "share of the rows in the second table (default 0.25)"}}},
           reading_texts(),
           common_texts_but_json("TRAIN,TEST", "the two files to write")},
          {"genera split @penguins -o train.csv,test.csv", "genera fit train.csv -o model.json",
           "genera evaluate model.json test.csv"}};
}

struct SplitArguments {
  Source source;
  double share = 0;
  std::string train{}, test{};
  Common common;
};

SplitArguments split_arguments(const Words& words) {
  SplitArguments split{.source = source_of(words.arguments[0], words), .common = common_of(words)};
  split.source.roles.refuse_measured_target = false;
  const std::vector<std::string> files =
      split_list("-o", words.value("--output").value_or("missing"));
  if (files.size() != 2 || files[0] == files[1])
    throw Error(Errc::bad_argument, "split writes two files", "write -o train.csv,test.csv");
  split.train = files[0];
  split.test = files[1];
  const std::string share = words.value("--test").value_or("0.25");
  if (!read_whole(share, split.share) || !(split.share > 0 && split.share < 1))
    throw Error(Errc::bad_argument, "--test is '" + share + "', expected a share between 0 and 1",
                "use --test 0.25 for a quarter of the rows");
  if (split.source.rows().format() == genera::Source::Format::svmlight)
    throw Error(Errc::bad_argument, "split reads tables, not svmlight files",
                "use genera select, which holds rows out itself");
  return split;
}

/// Whether each row is one to test. Folds take turns among the rows of a class, so that folds at
/// equal distances have the share of each class to within one row.
std::vector<bool> rows_to_test(const Table& table, const SplitArguments& split) {
  constexpr Index max_folds = 100;
  const Index labelled =
      std::ranges::count_if(table.labels, [](std::int32_t label) { return label >= 0; });
  const Folds folds =
      stratified_folds(table, std::clamp<Index>(labelled, 2, max_folds), split.common.seed);
  std::vector<bool> test;
  for (const std::int32_t fold : folds.of)
    test.push_back(fold >= 0 &&
                   std::floor((fold + 1) * split.share) > std::floor(fold * split.share));
  return test;
}

void write_rows(const std::string& file, const Table& table, const std::vector<bool>& test,
                bool wanted) {
  write_file(file, [&](std::ostream& out) {
    out << table.kept_header;
    for (std::size_t i = 0; i < test.size(); ++i) {
      if (test[i] != wanted) continue;
      out << table.kept[i];
      if (!table.kept[i].ends_with('\n')) out << '\n';  // the last line of DATA
    }
  });
}

void run_split(const Words& words) {
  const SplitArguments split = split_arguments(words);
  for (const std::string& file : {split.train, split.test}) {
    Common common = split.common;
    common.output = file;
    refuse_output_onto(common, {split.source.data});
  }
  RowStream rows(split.source.rows(), split.source.csv, split.source.roles,
                 {.kept = KeptRecords{}});
  const Table table = read_rows(rows, {.threads = split.common.threads});
  const std::vector<bool> test = rows_to_test(table, split);
  write_rows(split.train, table, test, false);
  write_rows(split.test, table, test, true);
  const Index tested = std::ranges::count(test, true);
  Report(split.common.quiet)
      .note(fmt::format("{} in {}, {} in {}, by '{}'", counted(table.rows() - tested, "row"),
                        split.train, counted(tested, "row"), split.test, table.target));
}

}  // namespace

Verb split_verb() { return {split_text(), run_split}; }

}  // namespace genera::cli
