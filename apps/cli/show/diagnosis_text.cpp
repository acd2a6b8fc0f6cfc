#include "show/diagnosis_output.hpp"

#include "lists.hpp"
#include "show/printable.hpp"
#include "show/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace genera::cli {
namespace {

/// Longer lists are cut.
constexpr std::size_t max_lines = 60;
constexpr std::size_t max_variates = 5;

std::string probability(double p) {
  return p > 0 ? fmt::format("{:.2g}", p) : std::string("<1e-300");
}

std::string relation(double p) { return p > 0 ? "= " + probability(p) : "< 1e-300"; }

std::string f_in_words(const FTest& test) {
  return fmt::format("F({:.6g}, {:.6g}) = {}, p {}", test.df1, test.df2, rounded(test.f),
                     relation(test.p));
}

std::string chi_square_in_words(const ChiSquareTest& test) {
  return fmt::format("chi-square({:.6g}) = {}, p {}", test.df, rounded(test.chi2),
                     relation(test.p));
}

std::string means(const Advice& meaning) {
  return "  → " + readable_sentence(in_words(meaning, as_typed)) + '\n';
}

/// A table; each line except the first ends with its interpretation.
std::string with_meanings(const TextCells& cells, const std::vector<Advice>& meanings) {
  const std::string table = text_table(cells);
  std::string text;
  std::size_t begin = 0;
  for (std::size_t line = 0; line < cells.size(); ++line) {
    const std::size_t end = table.find('\n', begin);
    text += table.substr(begin, end - begin);
    text += line == 0 ? "\n" : means(meanings[line - 1]);
    begin = end + 1;
  }
  return text;
}

/// A line about a test that could not be run.
std::string without(const std::string& what, const std::string& why, const Advice& meaning) {
  return fmt::format("  {}: no test, {}{}", what, readable_sentence(why), means(meaning));
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 8; ++i)
    text += (i > 0 ? ", '" : "'") + brief(names[i]) + "'";
  return names.size() > 8 ? text + fmt::format(" and {} more", names.size() - 8) : text;
}

std::string rest_of(std::size_t all, const char* what) {
  if (all <= max_lines) return "";
  return fmt::format("  … and {} more {} (--json has all)\n", all - max_lines, what);
}

std::string head_text(const Diagnosis& diagnosis) {
  std::string classes;
  for (std::size_t k = 0; k < diagnosis.classes.size() && k < 10; ++k)
    classes += fmt::format("{}{} {}", k > 0 ? ", " : "", brief(diagnosis.classes[k]),
                           rounded(diagnosis.counts[k]));
  if (diagnosis.classes.size() > 10)
    classes += fmt::format(" and {} more", diagnosis.classes.size() - 10);
  std::string text =
      fmt::format("{}, {}, {}: {}\n", counted(diagnosis.rows, "row"),
                  counted(std::ssize(diagnosis.columns), "numeric column"),
                  counted(std::ssize(diagnosis.classes), "class", "classes"), classes);
  const auto& unused = diagnosis.columns_left_out;
  for (std::size_t i = 0; i < std::min(unused.size(), max_lines); ++i)
    text += fmt::format("  '{}' {}\n", brief(unused[i].name), readable_sentence(unused[i].why));
  return text + rest_of(unused.size(), "columns left out");
}

std::string coefficients_text(const Diagnosis& diagnosis) {
  const std::size_t shown = std::min(diagnosis.variates.size(), max_variates);
  const std::size_t columns = std::min(diagnosis.columns.size(), max_lines);
  TextCells cells{{"coefficients"}};
  for (std::size_t i = 0; i < shown; ++i) cells[0].push_back(fmt::format("variate {}", i + 1));
  for (std::size_t j = 0; j < columns; ++j) {
    cells.push_back({diagnosis.columns[j]});
    for (std::size_t i = 0; i < shown; ++i)
      cells.back().push_back(rounded(diagnosis.variates[i].coefficients[j]));
  }
  return text_table(cells) + rest_of(diagnosis.columns.size(), "columns");
}

std::string means_text(const Diagnosis& diagnosis) {
  std::string text = "\nDo the means of the classes differ?\n";
  const auto& found = diagnosis.means.result;
  if (!found)
    return text + without("Wilks' Lambda", diagnosis.means.why_not, diagnosis.means.meaning);
  text += fmt::format("  Wilks' Lambda {}, {}{}", rounded(found->lambda()), f_in_words(found->test),
                      means(diagnosis.means.meaning));
  TextCells cells{{"canonical variate", "proportion", "correlation", "chi-square", "df", "p"}};
  std::vector<Advice> meanings;
  for (std::size_t i = 0; i < std::min(diagnosis.variates.size(), max_lines); ++i) {
    const CanonicalVariate& one = diagnosis.variates[i];
    cells.push_back({std::to_string(i + 1), fmt::format("{:.6f}", one.proportion),
                     fmt::format("{:.4f}", one.correlation), rounded(one.test.chi2),
                     rounded(one.test.df), probability(one.test.p)});
    meanings.push_back(one.meaning);
  }
  return text + with_meanings(cells, meanings) + coefficients_text(diagnosis);
}

std::string covariances_text(const Diagnosis& diagnosis) {
  std::string text = "\nDo the covariances of the classes differ?\n";
  const auto& found = diagnosis.covariances.result;
  if (!found)
    return text + without("Box's M", diagnosis.covariances.why_not, diagnosis.covariances.meaning);
  text +=
      fmt::format("  Box's M {}, {}", rounded(found->m), chi_square_in_words(found->chi_square));
  if (found->f) text += "; " + f_in_words(*found->f);
  text += fmt::format("; BIC of qda {} that of lda by {}", found->bic_gain > 0 ? "below" : "above",
                      rounded(std::abs(found->bic_gain)));
  if (!found->classes_left_out.empty())
    text +=
        fmt::format("; without {}, whose covariance is singular", listed(found->classes_left_out));
  return text + means(diagnosis.covariances.meaning);
}

std::string normality_text(const Diagnosis& diagnosis) {
  std::string text = "\nIs each class Gaussian? (Mardia)\n", others;
  TextCells cells{{"class", "rows", "skewness", "p", "kurtosis", "z", "p"}};
  std::vector<Advice> meanings;
  for (std::size_t k = 0; k < std::min(diagnosis.normality.size(), max_lines); ++k) {
    const auto& [name, mardia] = diagnosis.normality[k];
    if (!mardia.result) {
      others += without(fmt::format("'{}'", brief(name)), mardia.why_not, mardia.meaning);
      continue;
    }
    const MardiaTest& found = *mardia.result;
    cells.push_back({name, rounded(found.rows), rounded(found.skewness), probability(found.skew.p),
                     rounded(found.kurtosis), fmt::format("{:.3g}", found.kurtosis_z),
                     probability(found.kurtosis_p)});
    meanings.push_back(mardia.meaning);
  }
  if (!meanings.empty()) text += with_meanings(cells, meanings);
  return text + others + rest_of(diagnosis.normality.size(), "classes");
}

std::string features_text(const Diagnosis& diagnosis) {
  if (diagnosis.features.empty()) return "";
  const FTest& first = diagnosis.features.front().alone;
  TextCells cells{{"column", fmt::format("F({:.6g}, {:.6g})", first.df1, first.df2), "p",
                   "F beside the others", "p", "inflation"}};
  std::vector<Advice> meanings;
  for (std::size_t j = 0; j < std::min(diagnosis.features.size(), max_lines); ++j) {
    const FeatureTest& one = diagnosis.features[j];
    const auto& beside = one.given_others;
    cells.push_back({one.name, rounded(one.alone.f), probability(one.alone.p),
                     beside ? rounded(beside->f) : "-", beside ? probability(beside->p) : "-",
                     one.inflation ? fmt::format("{:.4g}", *one.inflation) : "-"});
    meanings.push_back(one.meaning);
  }
  return "\nWhat does each column say about the class?\n" + with_meanings(cells, meanings) +
         rest_of(diagnosis.features.size(), "columns");
}

std::string collinearity_text(const Finding<Collinearity>& finding) {
  std::string text = "\nAre columns nearly determined by others?\n";
  if (!finding.result) return text + without("condition", finding.why_not, finding.meaning);
  for (const NearDependence& set : finding.result->sets)
    text += fmt::format("  condition index {:.4g}: {}{}", set.condition_index, listed(set.columns),
                        means(set.meaning));
  return text + fmt::format("  largest condition index {:.4g}", finding.result->condition) +
         means(finding.meaning);
}

std::string outliers_text(const Finding<Outliers>& finding) {
  std::string text = "\nWhich rows look like outliers?\n";
  if (!finding.result) return text + without("outliers", finding.why_not, finding.meaning);
  const Outliers& found = *finding.result;
  for (const OutlyingRow& row : found.rows) {
    text += fmt::format("  {} ('{}'): tail {}; {} = {} is {:.1f} deviations from what is expected",
                        brief(row.place), brief(row.name), probability(row.tail), brief(row.column),
                        rounded(row.value), row.deviations);
    text += row.fits.empty() ? "  → check the value\n"
                             : fmt::format("  → check the label: it fits '{}'\n", brief(row.fits));
  }
  if (found.count > std::ssize(found.rows))
    text += fmt::format("  … and {} more (--outliers N lists them)\n",
                        found.count - std::ssize(found.rows));
  if (!found.classes_by_column.empty())
    text += fmt::format("  by single columns, as there are few rows or many equal values: {}\n",
                        listed(found.classes_by_column));
  if (!found.classes_left_out.empty())
    text += fmt::format("  too few rows to tell: {}\n", listed(found.classes_left_out));
  return text +
         fmt::format("  {} of {} {} a tail below {:.2g}", found.count, counted(found.tested, "row"),
                     found.count == 1 ? "has" : "have",
                     found.level / static_cast<double>(std::max<Index>(1, found.tested))) +
         means(finding.meaning);
}

}  // namespace

std::string diagnosis_text(const Diagnosis& diagnosis) {
  return head_text(diagnosis) + means_text(diagnosis) + covariances_text(diagnosis) +
         normality_text(diagnosis) + features_text(diagnosis) +
         collinearity_text(diagnosis.collinearity) + outliers_text(diagnosis.outliers);
}

}  // namespace genera::cli
