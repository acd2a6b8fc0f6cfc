#include "options/common.hpp"
#include "lists.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/text_table.hpp"
#include "values.hpp"

#include <genera/error.hpp>
#include <genera/spec.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace genera::cli {
namespace {

VerbText parameters_text() {
  return {"parameters",
          "numbers of parameters of models, without data",
          "Counts the free parameters of models of p features and K classes, with the formula and "
          "the memory that they take as numbers of 8 bytes. Parameters of one kind of columns "
          "only: the columns are numbers, categories, counts or terms as the model needs them.",
          {},
          {{"Size",
            {{"--features", "P", "number of features, or of terms (default: 1)"},
             {"--classes", "K", "number of classes (default: 2)"},
             {"--levels", "L", "levels of each category: categorical, joint (default: 2)"},
             {"--components", "M", "Gaussians of each class: mda (default: 3)"},
             {"--covariance",
              "NAME",
              "structure of the covariances of mda (default: full)",
              {"full", "tied", "diag", "tied_diag", "spherical", "tied_spherical"}},
             {"--terms",
              "NAME",
              "terms of logistic (default: linear)",
              {"linear", "squares", "quadratic"}},
             {"--model", "NAMES", "only these models (default: all)"}}},
           common_texts("standard output")},
          {"genera parameters --features 784 --classes 1000",
           "genera parameters --features 784 --classes 10 --model qda,lda,logistic"}};
}

double whole_of(const Words& words, const std::string& option, double otherwise) {
  const auto text = words.value(option);
  if (!text) return otherwise;
  std::int64_t value = 0;
  constexpr std::int64_t max = 1'000'000'000'000;
  if (read_whole(*text, value) && value >= 1 && value <= max) return static_cast<double>(value);
  throw Error(Errc::bad_argument,
              option + " is '" + *text + "', expected a whole number from 1 to 1e12",
              "write " + option + " 10");
}

/// Exact as long as a double is: 308504999; else 1.2e+30.
std::string count_text(double count) {
  constexpr double exact = 9007199254740992;  // 2^53
  return count <= exact ? fmt::format("{:.0f}", count) : fmt::format("about {:.3g}", count);
}

std::string memory_of(double count) {
  double size = 8 * count;
  for (const char* unit : {"B", "kB", "MB", "GB", "TB"}) {
    if (size < 1000) return fmt::format("{:.3g} {}", size, unit);
    size /= 1000;
  }
  return size < 1000 ? fmt::format("{:.3g} PB", size) : "-";
}

double total_of(const std::vector<NamedCount>& counts) {
  double total = 0;
  for (const NamedCount& count : counts) total += count.count;
  return total;
}

std::string formula_of(const std::vector<NamedCount>& counts) {
  std::string text;
  for (const NamedCount& count : counts) text += (text.empty() ? "" : " + ") + count.formula;
  return text;
}

Facts facts_of(const std::string& model, const std::vector<NamedCount>& counts) {
  return {{"model", model},
          {"parameters", total_of(counts)},
          {"formula", formula_of(counts)},
          {"groups", list_of(counts, [](const NamedCount& count) {
             return Facts{{"name", count.name}, {"count", count.count}, {"formula", count.formula}};
           })}};
}

void run_parameters(const Words& words) {
  const Common common = common_of(words);
  constexpr double usual_components = 3;
  const ProblemSize size{.features = whole_of(words, "--features", 1),
                         .classes = whole_of(words, "--classes", 2),
                         .levels = whole_of(words, "--levels", 2),
                         .components = whole_of(words, "--components", usual_components),
                         .covariance = words.value("--covariance").value_or("full"),
                         .terms = words.value("--terms").value_or("linear")};
  const std::vector<std::string> models =
      words.has("--model") ? split_lists("--model", words.values("--model")) : countable_models();
  TextCells rows{{"model", "parameters", "memory"}};
  std::vector<std::string> formulas{"formula"};
  Fact::List list;
  for (const std::string& model : models) {
    const std::vector<NamedCount> counts = parameter_counts(model, size);
    rows.push_back({model, count_text(total_of(counts)), memory_of(total_of(counts))});
    formulas.push_back(formula_of(counts));
    list.emplace_back(facts_of(model, counts));
  }
  write_output(common, common.json ? json_document(list)
                                   : fmt::format("p = {:.0f} features, K = {:.0f} classes\n\n",
                                                 size.features, size.classes) +
                                         text_table(rows, formulas));
}

}  // namespace

Verb parameters_verb() { return {parameters_text(), run_parameters}; }

}  // namespace genera::cli
