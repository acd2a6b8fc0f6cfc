// Tests of model assumptions on a table of numbers and labels.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/diagnosis.hpp>
#include <genera/error.hpp>

#include "data/columns.hpp"
#include "data/densified.hpp"
#include "diagnose/class_scatters.hpp"
#include "diagnose/tests_of_rows.hpp"
#include "diagnose/tests_of_scatters.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"
#include "kernel/text.hpp"
#include "sums/classes.hpp"
#include "sums/summarise.hpp"

namespace genera {
namespace {

using diagnose_detail::ClassRows;
using diagnose_detail::ClassScatters;
using kernel::at;

/// Sparse matrices with more columns are not expanded.
constexpr std::size_t max_sparse_columns = 2000;

[[noreturn]] void refuse_without_numbers() {
  throw Error(Errc::bad_data, "there is no numeric column to diagnose",
              "the tests are about numbers: give a table that has some");
}

/// The labelled rows with complete numbers, as rows of numeric columns only.
class NumericRows {
 public:
  NumericRows(const Rows& all, Diagnosis& to) {
    if (all.data().labels.empty() || all.data().by_position) sums::refuse_unlabelled();
    const Rows numbers = numbers_of(all);
    choose_columns(numbers, to);
    choose_rows(numbers, to);
    rows = Rows(data::only_numbers(numbers.data(), places_)).only(list_);
  }
  NumericRows(const NumericRows&) = delete;
  NumericRows& operator=(const NumericRows&) = delete;

  Rows rows;

 private:
  /// Expands a sparse matrix.
  Rows numbers_of(const Rows& all) {
    const auto sparse = data::sparse_features(all.data());
    if (!sparse) return all;
    const auto terms = all.data().sparse[*sparse].terms;
    if (all.data().sparse[*sparse].kind != SparseKind::numbers) refuse_without_numbers();
    if (terms.size() > max_sparse_columns)
      throw Error(Errc::bad_data,
                  fmt::format("{} columns are too many for covariances", terms.size()),
                  {"choose some of them with {}", {{"features"}}});
    dense_ = data::densified(all, {terms.begin(), terms.end()});
    return dense_;
  }

  /// Selects the numeric columns that have a value.
  void choose_columns(const Rows& numbers, Diagnosis& to) {
    const DataView& data = numbers.data();
    std::vector<std::string> others;
    for (const Column& column : data.columns) {
      if (column.type != ColumnType::numeric) others.push_back(column.name);
    }
    if (others.size() == data.columns.size()) refuse_without_numbers();
    if (!others.empty())
      to.notes.push_back({fmt::format("{} {} not numeric and left out", kernel::quoted_list(others),
                                      others.size() == 1 ? "is" : "are")});
    const std::vector<std::string> names = data::names_of(data, ColumnType::numeric);
    const std::vector<Index> places = data::number_places(data, ColumnType::numeric);
    const data::NumberColumns columns(data, places);
    for (Index j = 0; j < columns.count(); ++j) {
      missing_.push_back(0);
      for (Index i = 0; i < numbers.count(); ++i)
        missing_.back() += std::isnan(columns(numbers.row(i), j)) ? 1 : 0;
      if (missing_.back() < numbers.count()) {
        places_.push_back(places[at(j)]);
        continue;
      }
      missing_.pop_back();
      to.columns_left_out.push_back(
          {names[at(j)], ColumnLeftOut::Reason::no_value, "has no value"});
    }
    if (places_.empty()) refuse_without_numbers();
  }

  void choose_rows(const Rows& numbers, Diagnosis& to) {
    const data::NumberColumns columns(numbers.data(), places_);
    const CodesView& labels = numbers.data().labels;
    for (Index i = 0; i < numbers.count(); ++i) {
      const Index row = numbers.row(i);
      bool usable = labels(row) >= 0;
      for (Index j = 0; usable && j < columns.count(); ++j) usable = !std::isnan(columns(row, j));
      if (!usable) ++to.rows_left_out;
      if (usable && numbers.weight(row) != 0) list_.push_back(row);
    }
    if (list_.empty()) refuse_without_rows(numbers);
    if (to.rows_left_out > 0)
      to.notes.push_back(
          {fmt::format("{} of {} rows {} a number or the label and {} left out: {} tested",
                       to.rows_left_out, numbers.count(), to.rows_left_out == 1 ? "lacks" : "lack",
                       to.rows_left_out == 1 ? "is" : "are",
                       counted(std::ssize(list_), "complete row is", "complete rows are"))});
  }

  [[noreturn]] void refuse_without_rows(const Rows& numbers) const {
    const auto max = std::ranges::max_element(missing_) - missing_.begin();
    const std::vector<std::string> names =
        data::names_of(data::only_numbers(numbers.data(), places_), ColumnType::numeric);
    if (missing_[at(max)] == 0)
      throw Error(Errc::bad_data, "no row has a label", "give rows with labels");
    throw Error(Errc::bad_data, "no row with a label has all numbers",
                {"leave out what is missing most: {}", {{"drop", {names[at(max)]}}}});
  }

  Table dense_;
  std::vector<Index> places_, list_, missing_;
};

void take_classes(const Statistics& statistics, Diagnosis& to) {
  const sums::ClassList classes = sums::sorted_classes(statistics);
  to.classes = classes.names;
  to.counts = classes.counts;
  for (const ClassStatistics* c : classes.statistics) to.rows += c->rows;
}

ClassScatters test_scatters(const Statistics& statistics, Diagnosis& to) {
  sums::refuse_odd_classes(statistics);
  take_classes(statistics, to);
  ClassScatters scatters = diagnose_detail::class_scatters(statistics, to);
  diagnose_detail::compare_means(scatters, to);
  diagnose_detail::test_features(scatters, to);
  diagnose_detail::compare_covariances(scatters, to);
  diagnose_detail::find_dependence(scatters, to);
  return scatters;
}

/// The rows of each class minus its mean, in standard deviations.
std::vector<ClassRows> class_rows(const Rows& rows, const ClassScatters& scatters) {
  const CodesView& labels = rows.data().labels;
  std::vector<Index> class_of(labels.names.size(), -1);
  for (std::size_t label = 0; label < class_of.size(); ++label) {
    const auto found = std::ranges::find(scatters.classes, labels.names[label]);
    if (found != scatters.classes.end()) class_of[label] = found - scatters.classes.begin();
  }
  std::vector<ClassRows> classes(at(scatters.size()));
  for (Index i = 0; i < rows.count(); ++i)
    classes[at(class_of[at(labels(rows.row(i)))])].rows.push_back(rows.row(i));
  const Index d = scatters.dimension();
  const data::NumberColumns columns(rows.data(),
                                    data::number_places(rows.data(), scatters.columns));
  for (Index k = 0; k < scatters.size(); ++k) {
    ClassRows& of = classes[at(k)];
    of.points = Eigen::MatrixXd(d, std::ssize(of.rows));
    of.weights = Eigen::VectorXd(std::ssize(of.rows));
    for (Index i = 0; i < of.points.cols(); ++i) {
      const Index row = of.rows[at(i)];
      of.weights(i) = rows.weight(row);
      for (Index j = 0; j < d; ++j)
        of.points(j, i) = ((columns(row, j) - scatters.means(k, j)) - scatters.means_low(k, j)) /
                          scatters.deviations[at(j)];
    }
  }
  return classes;
}

void test_each_class(const std::vector<ClassRows>& classes, const ClassScatters& scatters,
                     const Control& control, Diagnosis& to) {
  for (const std::string& name : scatters.classes) to.normality.push_back({name});
  kernel::parallel_for(scatters.size(), control.threads, [&](Index k) {
    Finding<MardiaTest>& finding = to.normality[at(k)].mardia;
    finding.why_not = scatters.singular_class(k);
    finding.meaning = {"there is no covariance of its own to be learned: {} or {}",
                       {{"model", {"gnb"}}, {"shrinkage", {"oas"}}}};
    if (finding.why_not.empty())
      finding = diagnose_detail::test_normality(classes[at(k)], scatters.scatters[at(k)]);
  });
}

}  // namespace

std::string_view name_of(ColumnLeftOut::Reason reason) {
  switch (reason) {
    case ColumnLeftOut::Reason::no_value:
      return "no_value";
    case ColumnLeftOut::Reason::constant:
      return "constant";
    case ColumnLeftOut::Reason::too_small:
      return "too_small";
    case ColumnLeftOut::Reason::constant_within:
      return "constant_within";
    case ColumnLeftOut::Reason::dependent:
      break;
  }
  return "dependent";
}

void validate(const DiagnosisOptions& options) {
  if (options.max_outliers < 0)
    throw Error(Errc::bad_argument,
                fmt::format("outliers is {}, expected at least 0", options.max_outliers),
                "give how many rows to list");
  if (!(options.outlier_level > 0 && options.outlier_level < 1))
    throw Error(Errc::bad_argument,
                fmt::format("outlier_level is {}, expected a number between 0 and 1",
                            options.outlier_level),
                "0.05 lists a row by chance in one of twenty tables");
}

Diagnosis diagnose(const Rows& rows, const DiagnosisOptions& options, const Control& control) {
  validate(options);
  Diagnosis diagnosis;
  const NumericRows numeric(rows, diagnosis);
  sums::refuse_flood_of_classes(rows.data().target, rows.data().labels.names.size(), rows.count());
  const Collected collected = collect(numeric.rows, {}, control);
  const ClassScatters scatters = test_scatters(collected.statistics, diagnosis);
  const std::vector<ClassRows> classes = class_rows(numeric.rows, scatters);
  test_each_class(classes, scatters, control, diagnosis);
  diagnosis.outliers =
      diagnose_detail::find_outliers(numeric.rows, classes, scatters, options, control);
  return diagnosis;
}

Diagnosis diagnose(const Statistics& statistics) {
  if (statistics.columns().empty()) refuse_without_numbers();
  Diagnosis diagnosis;
  const ClassScatters scatters = test_scatters(statistics, diagnosis);
  const std::string needs_rows = "statistics do not keep the rows";
  for (const std::string& name : scatters.classes)
    diagnosis.normality.push_back({name, {{}, needs_rows, "diagnose the table itself"}});
  diagnosis.outliers = {{}, needs_rows, "diagnose the table itself"};
  return diagnosis;
}

}  // namespace genera
