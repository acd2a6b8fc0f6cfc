#include "io/document.hpp"

#include <cmath>

#include "fit/em/partitions.hpp"
#include "kernel/infinity.hpp"

namespace genera::io {
namespace {

using fit_detail::Expected;
using fit_detail::Plan;

Members root_of(std::string_view format, const std::string& plan) {
  Members root;
  root["format"] = Value{std::string(format)};
  root["version"] = Value{format_version};
  root["plan"] = Value{plan};
  return root;
}

void check_plan(const Field& root, const EmPlan& plan) {
  if (root["plan"].text() != plan.key())
    root["plan"].refuse("is the key of another EM plan",
                        "make every plan from the same merged statistics, recipe and options");
}

Value pattern_document(const std::vector<Index>& observed, const Vector& weights) {
  Members members;
  members["observed"] = Value{Numbers(observed.begin(), observed.end())};
  members["weights"] = Value{weights};
  return {std::move(members)};
}

/// Column indices in ascending order.
std::vector<Index> read_observed(const Field& field, Index columns) {
  std::vector<Index> observed;
  for (const double place : field.numbers()) {
    const bool ascending = observed.empty() || place > static_cast<double>(observed.back());
    if (!(place >= 0 && place < static_cast<double>(columns)) || place != std::trunc(place) ||
        !ascending)
      field.refuse("does not hold places of columns in ascending order", "make the sums again");
    observed.push_back(static_cast<Index>(place));
  }
  return observed;
}

}  // namespace

/// Leaves out an infinite log-likelihood, caused by rows that are impossible under the model.
Value to_document(const ExpectedSums& sums) {
  if (sums.empty()) return {root_of(expected_format, "")};
  const Expected& expected = sums.state()->expected;
  Members root = root_of(expected_format, sums.state()->plan);
  root["class_weights"] = Value{expected.sums.class_weights};
  List blocks;
  for (const auto& block : expected.sums.blocks) blocks.push_back(block->to_document());
  root["blocks"] = Value{std::move(blocks)};
  if (std::isfinite(expected.log_likelihood))
    root["log_likelihood"] = Value{expected.log_likelihood};
  root["likeliest"] = Value{expected.likeliest};
  root["weight"] = Value{expected.rows.weight};
  root["unlabelled_rows"] = Value{static_cast<double>(expected.rows.unlabelled)};
  root["missing_numbers"] = Value{static_cast<double>(expected.rows.missing_numbers)};
  return {std::move(root)};
}

ExpectedSums to_expected_sums(const Value& document, const EmPlan& plan, const std::string& place) {
  const Field root(document, place);
  check_format(root, expected_format);
  if (root["plan"].text().empty()) return {};
  check_plan(root, plan);
  root.allow_only({"format", "version", "plan", "class_weights", "blocks", "log_likelihood",
                   "likeliest", "weight", "unlabelled_rows", "missing_numbers"});
  const Plan& of = *plan.state()->start.plan;
  Expected read{.sums = fit_detail::PlanSums(of)};
  read.sums.class_weights = root["class_weights"].weights(std::ssize(of.classes));
  const std::vector<Field> blocks = root["blocks"].elements("an object", std::ssize(of.blocks));
  for (std::size_t b = 0; b < blocks.size(); ++b) read.sums.blocks[b]->read_document(blocks[b]);
  read.log_likelihood =
      root.has("log_likelihood") ? root["log_likelihood"].number() : -kernel::infinity;
  read.likeliest = root["likeliest"].number_at_least(0);
  read.rows = {.weight = root["weight"].number_at_least(0),
               .unlabelled = root["unlabelled_rows"].count(),
               .missing_numbers = root["missing_numbers"].count()};
  return ExpectedSums(
      std::make_unique<ExpectedSums::State>(ExpectedSums::State{plan.key(), std::move(read)}));
}

Value to_document(const PatternSums& sums) {
  if (sums.empty()) return {root_of(patterns_format, "")};
  Members root = root_of(patterns_format, sums.state()->plan);
  List blocks;
  for (const auto& of_block : sums.state()->blocks) {
    List patterns;
    for (const auto& [observed, weights] : of_block)
      patterns.push_back(pattern_document(observed, weights));
    blocks.push_back(Value{std::move(patterns)});
  }
  root["blocks"] = Value{std::move(blocks)};
  return {std::move(root)};
}

PatternSums to_pattern_sums(const Value& document, const EmPlan& plan, const std::string& place) {
  const Field root(document, place);
  check_format(root, patterns_format);
  if (root["plan"].text().empty()) return {};
  check_plan(root, plan);
  root.allow_only({"format", "version", "plan", "blocks"});
  const Plan& of = *plan.state()->start.plan;
  const std::vector<Field> blocks = root["blocks"].elements("a list", std::ssize(of.blocks));
  fit_detail::PatternMaps read(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const Field& one : blocks[b].elements("an object")) {
      one.allow_only({"observed", "weights"});
      read[b][read_observed(one["observed"], of.blocks[b]->pattern_columns())] =
          one["weights"].weights(std::ssize(of.classes));
    }
  }
  return PatternSums(
      std::make_unique<PatternSums::State>(PatternSums::State{plan.key(), std::move(read)}));
}

}  // namespace genera::io
