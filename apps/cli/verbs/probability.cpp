#include "given.hpp"
#include "lists.hpp"
#include "options/common.hpp"
#include "options/model_file.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/printable.hpp"
#include "show/report.hpp"
#include "show/text_table.hpp"
#include "values.hpp"

#include <genera/io.hpp>
#include <genera/probability.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace genera::cli {
namespace {

VerbText probability_text() {
  return {
      "probability",
      "the probability that columns lie in intervals",
      "P(a <= X <= b) under the model's distribution of rows, p(x). A formula gives it for one "
      "column, and for counts, categories and columns that are independent within each class; for "
      "several correlated columns it is computed numerically, with the error stated. --class "
      "conditions on a class, --given on known values. Columns that are not named may have any "
      "value. --json has the logarithm and the relative error, also of probabilities below "
      "the range of a double (for bqda, those are 0).",
      {model_argument()},
      {{"Question",
        {{"--between", "COL=A:B,…",
          "intervals of numbers or counts, all of which hold; an end may be left out (COL=A:, "
          "COL=:B). COL=LEVEL for a category, or for the class under the target's name "
          "(repeatable; the list accepts CSV quoting)"},
         given_option(),
         {"--class", "NAME",
          "condition on this class (default: all classes, weighted by the prior)"},
         {"--precision", "E",
          "absolute error to reach, for several correlated columns; may take seconds (default: "
          "the error that about a millisecond of work gives)"}}},
       common_texts("standard output")},
      {"genera fit @iris --model qda -o iris.json",
       "genera probability iris.json --between sepal_length=5:6",
       "genera probability iris.json --between sepal_length=5:6,sepal_width=3: --class setosa",
       "genera probability iris.json --between petal_width=:0.5 --given petal_length=1.5",
       "genera probability iris.json --between species=virginica,sepal_length=6: --json"}};
}

struct ProbabilityArguments {
  std::string model;
  std::vector<std::string> between, given;
  std::optional<std::string> of_class;
  std::optional<double> precision;
  Common common;
};

ProbabilityArguments probability_arguments(const Words& words) {
  ProbabilityArguments arguments{.model = words.arguments[0],
                                 .between = split_lists("--between", words.values("--between")),
                                 .given = split_lists("--given", words.values("--given")),
                                 .of_class = words.value("--class"),
                                 .precision = {},
                                 .common = common_of(words)};
  if (const auto precision = words.value("--precision"))
    arguments.precision = parse_inner_probability("--precision", *precision);
  if (arguments.between.empty())
    throw Error(Errc::bad_argument, "'probability' needs --between",
                "give a column and an interval, as in --between sepal_length=5:6");
  return arguments;
}

/// Whether intervals of the column make sense: for numbers and counts, and for unknown names, whose
/// error comes later.
bool takes_intervals(const std::string& name, const Model& model) {
  for (const Column& column : model.features()) {
    if (column.name == name)
      return column.type == ColumnType::numeric || column.type == ColumnType::count;
  }
  return name != model.target();
}

double end_of(const ColumnItem& item, const std::string& text, double open) {
  double number = open;
  if (!text.empty() && (!read_whole(text, number) || !std::isfinite(number)))
    throw Error(Errc::bad_argument,
                fmt::format("--between: '{}' in '{}={}' is not a finite number", text, item.column,
                            item.value),
                "write the ends of an interval as numbers, as in 5:6.5, and leave out an open one");
  return number;
}

void read_between(const ColumnItem& item, ProbabilityQuestion& question) {
  const std::size_t colon = item.value.find(':');
  Between between{.column = item.column};
  between.low = end_of(item, item.value.substr(0, colon), between.low);
  between.high = end_of(item, item.value.substr(colon + 1), between.high);
  if (item.value == ":")
    throw Error(Errc::bad_argument,
                fmt::format("--between: the interval of '{}' is open at both ends", item.column),
                "give at least one end, as in 5: or :6");
  question.between.push_back(std::move(between));
}

ProbabilityQuestion question_of(const ProbabilityArguments& arguments, const Model& model) {
  const ColumnItems texts{
      "--between", "COL=A:B",
      "write a column, '=' and an interval, as in sepal_length=5:6, sepal_length=5: or "
      "sepal_length=:6"};
  ProbabilityQuestion question{.between = {},
                               .equal = {},
                               .given = given_cells(arguments.given, model),
                               .of_class = arguments.of_class,
                               .precision = arguments.precision};
  for (const ColumnItem& item : column_items(texts, arguments.between, model)) {
    if (takes_intervals(item.column, model) && item.value.find(':') != std::string::npos)
      read_between(item, question);
    else
      question.equal.push_back({item.column, item.value});
  }
  return question;
}

/// The work is bounded, also with --precision.
void note_precision(const ProbabilityQuestion& question, const Probability& found,
                    const Common& common) {
  if (question.precision && found.all.error > *question.precision)
    Report(common.quiet)
        .note(fmt::format("the error is {:.1e}: the precision {:g} would take too much work",
                          found.all.error, *question.precision));
}

std::string value_of(const Given& cell) {
  const auto* text = std::get_if<std::string>(&cell.value);
  return text ? brief(*text) : fmt::format("{}", std::get<double>(cell.value));
}

std::string in_words(const Between& between) {
  std::string text = brief(between.column);
  if (std::isfinite(between.low)) text = fmt::format("{} <= {}", between.low, text);
  if (std::isfinite(between.high)) text += fmt::format(" <= {}", between.high);
  return text;
}

/// 5 <= a <= 6, b = x | c = 2
std::string in_words(const ProbabilityQuestion& question, const Model& model) {
  std::string text;
  const auto add = [&](const std::string& one, const char* separator) {
    text += (text.empty() ? "" : separator) + one;
  };
  for (const Between& between : question.between) add(in_words(between), ", ");
  for (const Given& equal : question.equal)
    add(brief(equal.column) + " = " + value_of(equal), ", ");
  const char* separator = " | ";
  for (const Given& given : question.given) {
    text += separator + brief(given.column) + " = " + value_of(given);
    separator = ", ";
  }
  if (question.of_class)
    text += separator + brief(model.target().empty() ? "class" : model.target()) + " = " +
            brief(*question.of_class);
  return text;
}

/// Small probabilities have a relative error, and their logarithm.
std::string accuracy_of(const ProbabilityEstimate& estimate) {
  constexpr double small = 1e-9;
  std::string text = "by a formula";
  if (estimate.relative_error > 0)
    text = estimate.value < small
               ? fmt::format("numerically, error at most {:.1g} of it", estimate.relative_error)
               : fmt::format("numerically, error at most {:.1g}", estimate.error);
  if (estimate.value < small && std::isfinite(estimate.log_value))
    text += fmt::format("; its natural logarithm is {:.10g}", estimate.log_value);
  return text;
}

std::string as_text(const Probability& found, const ProbabilityQuestion& question,
                    const Model& model) {
  std::string text = fmt::format("P({}) = {:.10g}\n{}\n", in_words(question, model),
                                 found.all.value, accuracy_of(found.all));
  if (found.classes.size() == 1 || question.of_class) return text;
  TextCells cells{
      {"class", question.given.empty() ? "prior" : "p(class | given)", "P in the class"}};
  for (std::size_t k = 0; k < found.classes.size(); ++k)
    cells.push_back({model.classes()[k], rounded(found.classes[k].share),
                     rounded(found.classes[k].estimate.value)});
  return text + '\n' + text_table(cells);
}

void run_probability(const Words& words) {
  const ProbabilityArguments arguments = probability_arguments(words);
  const Common& common = arguments.common;
  refuse_output_onto(common, {arguments.model});
  const Model model = density_of(load_classifier(arguments.model), arguments.model,
                                 "it gives no probability to values of columns");
  const ProbabilityQuestion question = question_of(arguments, model);
  const Probability found =
      probability(model, question, Rng(common.seed), {.threads = common.threads});
  note_precision(question, found, common);
  write_output(common, common.json ? json_document(facts(found, question, model.classes()))
                                   : as_text(found, question, model));
}

}  // namespace

Verb probability_verb() { return {probability_text(), run_probability}; }

}  // namespace genera::cli
