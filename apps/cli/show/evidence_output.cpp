#include "show/evidence_output.hpp"

#include "show/printable.hpp"

#include "show/json.hpp"
#include "show/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace genera::cli {
namespace {

std::string json_evidence(const Evidence& evidence, const char* key) {
  std::string text = "{\"feature\": " + json_string(evidence.feature) + ", \"" + key + "\": ";
  append_json_number(text, evidence.log_odds);
  return text + "}";
}

/// A level, a term, or a column of numbers at its mean in the class.
struct TopFeature {
  std::string feature;
  std::optional<double> mean;
  double log_odds = 0;
};

/// The strongest evidence for each class; empty if the model has nothing to compare.
std::vector<std::vector<TopFeature>> strongest_features(ClassifierRef model, Index max) {
  const auto words = strongest_evidence(model, max);
  const auto numbers = strongest_numbers(model, max);
  std::vector<std::vector<TopFeature>> strongest(std::max(words.size(), numbers.size()));
  for (std::size_t k = 0; k < strongest.size(); ++k) {
    if (k < words.size())
      for (const Evidence& one : words[k])
        strongest[k].push_back({one.feature, std::nullopt, one.log_odds});
    if (k < numbers.size())
      for (const NumberEvidence& one : numbers[k])
        strongest[k].push_back({one.column, one.mean, one.log_odds});
    std::ranges::stable_sort(strongest[k], std::ranges::greater(), &TopFeature::log_odds);
    if (std::ssize(strongest[k]) > max) strongest[k].resize(static_cast<std::size_t>(max));
  }
  return strongest;
}

Facts facts_of(const TopFeature& top) {
  Facts all{{"feature", top.feature}};
  if (top.mean) all.push_back({"mean", *top.mean});
  all.push_back({"log_odds", top.log_odds});
  return all;
}

}  // namespace

std::vector<std::string> explanation_columns(Index max) {
  std::vector<std::string> columns{"second", "log_odds", "base"};
  for (Index i = 1; i <= max; ++i) {
    columns.push_back(fmt::format("feature_{}", i));
    columns.push_back(fmt::format("contribution_{}", i));
  }
  columns.emplace_back("rest");
  return columns;
}

void add_cells(const Explanation& reason, Index max, const std::vector<std::string>& classes,
               CsvWriter& rows) {
  rows.cell(reason.second < 0 ? std::string()
                              : csv_cell(classes[static_cast<std::size_t>(reason.second)]));
  rows.cell(reason.log_odds);
  rows.cell(reason.base);
  for (std::size_t i = 0; i < static_cast<std::size_t>(max); ++i) {
    if (i < reason.evidence.size()) {
      rows.cell(csv_cell(reason.evidence[i].feature));
      rows.cell(reason.evidence[i].log_odds);
    } else {
      rows.cell(std::string_view());
      rows.cell(std::string_view());
    }
  }
  rows.cell(reason.rest);
}

void append_json(const Explanation& reason, const std::vector<std::string>& classes,
                 std::string& text) {
  text += ", \"second\": ";
  text +=
      reason.second < 0 ? "null" : json_string(classes[static_cast<std::size_t>(reason.second)]);
  text += ", \"log_odds\": ";
  append_json_number(text, reason.log_odds);
  text += ", \"base\": ";
  append_json_number(text, reason.base);
  text += ", \"evidence\": [";
  for (std::size_t i = 0; i < reason.evidence.size(); ++i)
    text += (i > 0 ? ", " : "") + json_evidence(reason.evidence[i], "contribution");
  text += "], \"rest\": ";
  append_json_number(text, reason.rest);
}

std::string top_table(ClassifierRef model, Index max) {
  const auto strongest = strongest_features(model, max);
  if (strongest.empty()) return "nothing to compare: the model has one class, or mixtures only\n";
  std::string text;
  bool numbers = false;
  for (std::size_t k = 0; k < strongest.size(); ++k) {
    text += (k > 0 ? "\n" : "") +
            fmt::format("for {}, in nats against the other classes\n", brief(model.classes()[k]));
    TextCells cells;
    for (const TopFeature& top : strongest[k]) {
      numbers = numbers || top.mean;
      cells.push_back({top.mean ? fmt::format("{} = {:.4g}", top.feature, *top.mean) : top.feature,
                       fmt::format("{:+.4f}", top.log_odds)});
    }
    text += text_table(cells);
  }
  return numbers ? text + "\nnumbers are at the mean of the class, each column seen alone\n" : text;
}

std::string top_json(ClassifierRef model, Index max) {
  const auto strongest = strongest_features(model, max);
  Facts classes;
  for (std::size_t k = 0; k < strongest.size(); ++k)
    classes.push_back({model.classes()[k], list_of(strongest[k], facts_of)});
  return json_document(Facts{{"top", std::move(classes)}});
}

}  // namespace genera::cli
