// Checks of option values, with one set of errors for every edge.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/text.hpp"
#include "spec/draft.hpp"

namespace genera::spec {
namespace {

using Type = OptionSpec::Type;
using Words = std::vector<std::string>;

constexpr Index max_components = 10000;

std::string number_text(const OptionSpec& spec) {
  const char* what = spec.type == Type::whole ? "a whole number" : "a number";
  if (spec.max <= 1) return fmt::format("{} from {} to {}", what, spec.min, spec.max);
  return fmt::format("{} of at least {}", what, spec.min);
}

/// Description of the accepted values.
std::string expected(const OptionSpec& spec) {
  Words names = spec.choices;
  switch (spec.type) {
    case Type::flag:
      return "true or false";
    case Type::number:
    case Type::whole:
      return number_text(spec);
    case Type::range:
      return fmt::format("a whole number from 1 to {}, or a range such as 1-5", max_components);
    case Type::choice:
      break;
    case Type::choices:
      return "a list of " + alternatives(names);
    case Type::number_or_choice:
      names.push_back(number_text(spec));
      break;
    case Type::words:
      names.emplace_back("a list of words");
      break;
    case Type::priors:
      names.emplace_back("a list such as A=0.2,B=0.8");
      break;
  }
  return alternatives(names);
}

std::string text_of(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return '\'' + *text + '\'';
  if (const auto* range = std::get_if<MixtureOptions::Range>(&value))
    return range->min == range->max ? fmt::format("{}", range->min)
                                    : fmt::format("{}-{}", range->min, range->max);
  if (const auto* words = std::get_if<Words>(&value)) return kernel::quoted_list(*words);
  return "a list of probabilities";
}

[[noreturn]] void refuse(const OptionSpec& spec, const OptionValue& value) {
  const std::string takes = expected(spec);
  const auto* word = std::get_if<std::string>(&value);
  const std::string near = word ? suggest(*word, spec.choices, "") : "";
  throw Error(Errc::bad_argument,
              Advice(OptionUse{spec.name}) +
                  Advice(fmt::format(" is {}, expected {}", text_of(value), takes)),
              near.empty()
                  ? Advice("set {} to ", std::vector<OptionUse>{{spec.name}}) + Advice(takes)
                  : Advice(near));
}

std::optional<std::string> chosen(const OptionSpec& spec, const std::string& name) {
  if (std::ranges::find(spec.choices, name) != spec.choices.end()) return name;
  const auto alias =
      std::ranges::find(spec.aliases, name, &std::pair<std::string, std::string>::first);
  return alias == spec.aliases.end() ? std::nullopt : std::optional(alias->second);
}

bool in_range(const OptionSpec& spec, double number) {
  const bool whole = spec.type != Type::whole || number == std::floor(number);
  return whole && std::isfinite(number) && number >= spec.min && number <= spec.max;
}

/// Checks each element of a list.
std::optional<OptionValue> list_of_choices(const OptionSpec& spec, const OptionValue& value) {
  Words list;
  if (const auto* one = std::get_if<std::string>(&value)) list = {*one};
  if (const auto* several = std::get_if<Words>(&value)) list = *several;
  if (list.empty()) return std::nullopt;
  for (std::string& name : list) {
    const auto found = chosen(spec, name);
    if (!found) refuse(spec, name);
    name = *found;
  }
  return list;
}

std::optional<OptionValue> range_of(const OptionValue& value) {
  MixtureOptions::Range range{0, 0};
  if (const auto* given = std::get_if<MixtureOptions::Range>(&value)) range = *given;
  if (const auto* one = std::get_if<double>(&value); one && *one == std::floor(*one))
    range.min = range.max = static_cast<Index>(std::clamp(*one, 0.0, 1e9));
  const bool possible = range.min >= 1 && range.min <= range.max && range.max <= max_components;
  return possible ? std::optional<OptionValue>(range) : std::nullopt;
}

std::optional<OptionValue> converted(const OptionSpec& spec, const OptionValue& value) {
  const auto* number = std::get_if<double>(&value);
  const auto* word = std::get_if<std::string>(&value);
  if (spec.type == Type::flag && std::holds_alternative<bool>(value)) return value;
  if (spec.type == Type::range) return range_of(value);
  if (spec.type == Type::choices) return list_of_choices(spec, value);
  if (spec.type == Type::words && std::holds_alternative<Words>(value)) return value;
  if (spec.type == Type::priors && std::holds_alternative<ClassProbabilities>(value)) return value;
  const bool numeric =
      spec.type == Type::number || spec.type == Type::whole || spec.type == Type::number_or_choice;
  if (numeric && number && in_range(spec, *number)) return value;
  if (word && !spec.choices.empty()) return chosen(spec, *word);
  return std::nullopt;
}

[[noreturn]] void refuse_name(const std::vector<Row>& table, const std::string& name) {
  Words names;
  for (const Row& row : table) names.push_back(row.spec.name);
  throw Error(Errc::bad_argument, fmt::format("there is no option '{}'", name),
              suggest(name, names, "the options are " + alternatives(names)));
}

}  // namespace

OptionValue checked(const OptionSpec& spec, const OptionValue& value) {
  if (const auto found = converted(spec, value)) return *found;
  refuse(spec, value);
}

void read(const std::vector<Row>& table, const OptionValues& values, Draft& to) {
  for (const auto& [name, value] : values) {
    const Row* row = find(table, name);
    if (!row) refuse_name(table, name);
    if (!std::holds_alternative<std::monostate>(value)) row->at.set(to, checked(row->spec, value));
  }
}

}  // namespace genera::spec
