#include "options/priors.hpp"

#include "lists.hpp"
#include "values.hpp"

namespace genera::cli {
namespace {

using Kind = PriorChoice::Kind;

PriorChoice parse_list(const std::string& text) {
  PriorChoice choice{.kind = Kind::given, .given = {}};
  for (const auto& [name, value] : split_pairs("--priors", {text}))
    choice.given.emplace_back(name, parse_number("--priors: the prior of '" + name + "'", value));
  return choice;
}

/// `words_of_verb`: words that this verb takes besides those for everyone.
PriorChoice parse_priors(const std::string& text, const std::vector<std::string>& words_of_verb) {
  if (text == "empirical") return {.kind = Kind::empirical, .given = {}};
  if (text == "uniform") return {.kind = Kind::uniform, .given = {}};
  if (text.find('=') != std::string::npos) return parse_list(text);
  std::vector<std::string> names{"empirical", "uniform"};
  names.insert(names.end(), words_of_verb.begin(), words_of_verb.end());
  names.emplace_back("a list such as A=0.2,B=0.8");
  refuse_choice("--priors", text, names);
}

}  // namespace

OptionText priors_text() {
  return {"--priors", "PRIORS",
          "empirical, uniform or a list A=0.2,B=0.8; default: as in the model"};
}

OptionText decision_priors_text() {
  return {"--priors", "PRIORS",
          "empirical, uniform, a list A=0.2,B=0.8, or estimate: the proportions of the classes in "
          "DATA itself; default: as in the model"};
}

std::optional<PriorChoice> priors_of(const Words& words) {
  const auto text = words.value("--priors");
  if (!text) return std::nullopt;
  if (*text == "estimate")
    throw Error(Errc::bad_argument,
                "--priors estimate looks at the rows to be decided: it is for predict and evaluate",
                "choose empirical, uniform or a list such as A=0.2,B=0.8");
  return parse_priors(*text, {});
}

DecisionPriors decision_priors_of(const Words& words) {
  const auto text = words.value("--priors");
  if (!text) return {};
  if (*text == "estimate") return {.given = std::nullopt, .estimate = true};
  return {.given = parse_priors(*text, {"estimate"})};
}

}  // namespace genera::cli
