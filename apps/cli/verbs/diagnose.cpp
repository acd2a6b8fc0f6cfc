#include "options/common.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "show/diagnosis_output.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "values.hpp"

#include <genera/diagnosis.hpp>
#include <genera/io.hpp>

namespace genera::cli {
namespace {

VerbText diagnose_text() {
  OptionGroup columns = columns_texts(missing_text());
  std::erase_if(columns.options,
                [](const OptionText& option) { return option.names == "--missing"; });
  return {
      "diagnose",
      "which model fits: tests of means, covariances and normality",
      "Tests the numeric columns before a model is fitted: whether the means of the classes differ "
      "(Wilks' Lambda, canonical variates, F of each column), whether their covariances differ "
      "(Box's M), whether each class is Gaussian (Mardia's skewness and kurtosis), which columns "
      "are nearly determined by others, and which rows look like outliers. Each line ends with its "
      "meaning for the choice of a model. Rows with a missing number or label are left out and "
      "counted. Tests that cannot run state the reason. A file of statistics is sufficient except "
      "for normality and outliers. All rows are kept in memory.",
      {data_argument()},
      {{"Diagnosis", {{"--outliers", "N", "maximum number of outliers to list (default: 20)"}}},
       columns,
       reading_texts(),
       common_texts("standard output")},
      {"genera diagnose @iris", "genera diagnose @wine --json",
       "genera diagnose @crabs --features FL,RW,CL", "genera stats @iris -o iris.stats.json",
       "genera diagnose iris.stats.json"}};
}

struct Diagnosed {
  Diagnosis diagnosis;
  std::vector<std::string> said{};  ///< notes that were announced
};

Diagnosed diagnosis_of(const Source& source, const DiagnosisOptions& options,
                       const Common& common) {
  if (looks_like_statistics(source.data)) {
    if (!source.options_given.empty())
      throw Error(Errc::bad_argument,
                  source.options_given.front() + " needs the rows, but '" + source.data +
                      "' holds statistics",
                  "give " + source.options_given.front() +
                      " to 'genera stats' when the statistics are made");
    return {diagnose(load_statistics(source.data))};
  }
  RowStream rows(source.rows(), source.csv, source.roles);
  ProgressLine progress(common.quiet, rows.notes());
  const Control control = progress.control(common.threads);
  const Table table = read_rows(rows, control);
  Diagnosis diagnosis = diagnose(table, options, control);
  diagnosis.notes.insert(diagnosis.notes.begin(), rows.notes().begin(), rows.notes().end());
  return {std::move(diagnosis), progress.said()};
}

void run_diagnose(const Words& words) {
  const Source source = source_of(words.arguments[0], words);
  const Common common = common_of(words);
  DiagnosisOptions options{.seed = common.seed};
  if (const auto max = words.value("--outliers"))
    options.max_outliers = parse_whole_number("--outliers", *max, 0);
  refuse_output_onto(common, {source.data});
  const auto [diagnosis, said] = diagnosis_of(source, options, common);
  Report(common.quiet).notes(diagnosis.notes, said);
  write_output(common, common.json ? json_document(facts(diagnosis)) : diagnosis_text(diagnosis));
}

}  // namespace

Verb diagnose_verb() { return {diagnose_text(), run_diagnose}; }

}  // namespace genera::cli
