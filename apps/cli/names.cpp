#include "names.hpp"

#include "lists.hpp"

#include <genera/error.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace genera::cli {
namespace {

constexpr int most_threads = 1024;

template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// a, b or c
std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::vector<std::string>& names) {
  throw Error(Errc::bad_argument, option + " is '" + text + "', expected " + alternatives(names),
              suggest(text, names, "choose " + alternatives(names)));
}

template <class Value>
std::vector<std::string> names_of(const Choices<Value>& choices) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.push_back(choice.first);
  return names;
}

template <class Value>
Value choose(const std::string& option, const std::string& text, const Choices<Value>& choices) {
  for (const auto& [name, value] : choices)
    if (name == text) return value;
  refuse(option, text, names_of(choices));
}

/// Throws if `text` names something that only later versions can do.
void refuse_later(const std::string& option, const std::string& text,
                  const std::vector<std::string>& later, const std::string& hint) {
  if (std::find(later.begin(), later.end(), text) != later.end())
    throw Error(Errc::bad_argument, option + " " + text + " is not available in this version",
                hint);
}

template <class Number>
bool read_whole(std::string_view text, Number& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

ModelChoice parse_model(const std::string& text) {
  using Kind = CountParameters::Kind;
  const Choices<ModelChoice> models{
      {"qda", {.family = Family::qda}},
      {"lda", {.family = Family::lda}},
      {"gnb", {.family = Family::gnb}},
      {"dlda", {.family = Family::dlda}},
      {"spherical", {.family = Family::spherical}},
      {"centroid", {.family = Family::centroid}},
      {"rda", {.family = Family::rda}},
      {"mda", {.family = Family::qda, .mixture = true}},
      {"bernoulli", {.every_column = ColumnType::binary, .counts = Kind::bernoulli}},
      {"categorical", {.every_column = ColumnType::categorical}},
      {"joint", {.every_column = ColumnType::categorical, .joint = true}},
      {"multinomial", {.every_column = ColumnType::count, .counts = Kind::multinomial}},
      {"complement", {.every_column = ColumnType::count, .counts = Kind::complement}}};
  refuse_later("--model", text, {"logistic", "auto"}, "choose " + alternatives(names_of(models)));
  return choose("--model", text, models);
}

TextOptions::Lengths parse_lengths(const std::string& option, const std::string& text) {
  const std::size_t dash = text.find('-');
  int least = 0, most = 0;
  const bool one = dash == std::string::npos;
  const std::string_view whole(text);
  if (read_whole(whole.substr(0, dash), least) && (one || read_whole(whole.substr(dash + 1), most)))
    return {least, one ? least : most};
  throw Error(Errc::bad_argument, option + " is '" + text + "', expected lengths such as 1-2",
              "write the least and the largest length of a term, as in " + option + " 1-3");
}

std::vector<std::string> parse_stop_words(const std::string& text) {
  if (text == "english") return english_stop_words();
  std::vector<std::string> words = split_list("--stop-words", text);
  for (std::string& word : words)  // terms are in lower case
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
      return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
    });
  return words;
}

Index parse_whole_number(const std::string& option, const std::string& text, Index least) {
  Index value = 0;
  if (read_whole(text, value) && value >= least) return value;
  throw Error(
      Errc::bad_argument,
      option + " is '" + text + "', expected a whole number of at least " + std::to_string(least),
      "write a number such as " + std::to_string(least + 10));
}

Family parse_covariance(const std::string& text) {
  return choose<Family>("--covariance", text,
                        {{"qda", Family::qda},
                         {"lda", Family::lda},
                         {"gnb", Family::gnb},
                         {"dlda", Family::dlda},
                         {"spherical", Family::spherical},
                         {"centroid", Family::centroid}});
}

MixtureOptions::Range parse_components(const std::string& text) {
  const std::size_t dash = text.find('-');
  const bool one = dash == std::string::npos;
  const std::string_view whole(text);
  MixtureOptions::Range range;
  constexpr Index most = 10000;
  const bool read = read_whole(whole.substr(0, dash), range.least) &&
                    (one || read_whole(whole.substr(dash + 1), range.most));
  if (one) range.most = range.least;
  if (read && range.least >= 1 && range.least <= range.most && range.most <= most) return range;
  throw Error(Errc::bad_argument,
              "--components is '" + text + "', expected a number of at least 1 or a range",
              "write --components 3, or --components 1-5 to choose among them");
}

Divisor parse_divisor(const std::string& text) {
  return choose<Divisor>("--divisor", text,
                         {{"mle", Divisor::mle}, {"unbiased", Divisor::unbiased}});
}

Shrinkage parse_shrinkage(const std::string& text) {
  using Kind = Shrinkage::Kind;
  double amount = 0;
  if (read_whole(text, amount) && std::isfinite(amount))
    return {.kind = Kind::fixed, .amount = amount};
  for (const auto& [name, kind] :
       Choices<Kind>{{"none", Kind::none}, {"oas", Kind::oas}, {"lw", Kind::lw}})
    if (name == text) return {.kind = kind};
  refuse("--shrinkage", text, {"none", "oas", "lw", "a number in [0, 1]"});
}

Toward parse_toward(const std::string& text) {
  return choose<Toward>("--toward", text,
                        {{"diagonal", Toward::diagonal}, {"identity", Toward::identity}});
}

OnSingular parse_on_singular(const std::string& text) {
  return choose<OnSingular>("--on-singular", text,
                            {{"error", OnSingular::error}, {"shrink", OnSingular::shrink}});
}

Missing parse_missing(const std::string& text) {
  return choose<Missing>("--missing", text, {{"em", Missing::em}, {"drop", Missing::drop}});
}

ColumnType parse_column_type(const std::string& text) {
  return choose<ColumnType>("--type", text,
                            {{"numeric", ColumnType::numeric},
                             {"categorical", ColumnType::categorical},
                             {"binary", ColumnType::binary},
                             {"count", ColumnType::count},
                             {"text", ColumnType::text}});
}

PriorChoice parse_priors(const std::string& text, Estimate estimate) {
  using Kind = PriorChoice::Kind;
  if (text == "estimate" && estimate == Estimate::never)
    throw Error(Errc::bad_argument,
                "--priors estimate looks at the rows to be decided: it is for predict and evaluate",
                "choose empirical, uniform or a list such as A=0.2,B=0.8");
  if (text == "empirical") return {.kind = Kind::empirical, .given = {}};
  if (text == "uniform") return {.kind = Kind::uniform, .given = {}};
  if (text.find('=') == std::string::npos) {
    std::vector<std::string> names{"empirical", "uniform", "a list such as A=0.2,B=0.8"};
    if (estimate == Estimate::possible) names.insert(names.begin() + 2, "estimate");
    refuse("--priors", text, names);
  }
  PriorChoice choice{.kind = Kind::given, .given = {}};
  for (const auto& [name, value] : split_pairs("--priors", {text}))
    choice.given.emplace_back(name, parse_number("--priors: the prior of '" + name + "'", value));
  return choice;
}

char parse_delimiter(const std::string& text) {
  for (const auto& [name, value] : Choices<char>{{"tab", '\t'},
                                                 {"\\t", '\t'},
                                                 {"comma", ','},
                                                 {"semicolon", ';'},
                                                 {"pipe", '|'},
                                                 {"space", ' '}})
    if (name == text) return value;
  if (text.size() == 1 && text != "\"" && text != "\n" && text != "\r") return text[0];
  throw Error(Errc::bad_argument, "--delimiter is '" + text + "', expected one character",
              "write the character in quotes, as in ';', or the word tab");
}

char parse_decimal(const std::string& text) {
  return choose<char>("--decimal", text, {{".", '.'}, {",", ','}, {"point", '.'}, {"comma", ','}});
}

double parse_number(const std::string& option, const std::string& text) {
  double value = 0;
  if (read_whole(text, value) && std::isfinite(value)) return value;
  throw Error(Errc::bad_argument, option + " is '" + text + "', which is not a number",
              "write a finite number such as 0.25");
}

double parse_probability(const std::string& option, const std::string& text) {
  const double value = parse_number(option, text);
  if (value >= 0 && value <= 1) return value;
  throw Error(Errc::bad_argument, option + " is " + text + ", expected a number from 0 to 1",
              "write a probability such as 0.9");
}

double parse_inner_probability(const std::string& option, const std::string& text) {
  const double value = parse_number(option, text);
  if (value > 0 && value < 1) return value;
  throw Error(Errc::bad_argument, option + " is " + text + ", expected a number between 0 and 1",
              "write a small probability such as 0.01");
}

int parse_threads(const std::string& text) {
  int threads = 0;
  if (read_whole(text, threads) && threads >= 1 && threads <= most_threads) return threads;
  throw Error(Errc::bad_argument,
              "--threads is '" + text + "', expected a whole number from 1 to " +
                  std::to_string(most_threads),
              "leave --threads out to use all processors");
}

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  if (read_whole(text, seed)) return seed;
  throw Error(Errc::bad_argument,
              "--seed is '" + text + "', expected a whole number from 0 to 18446744073709551615",
              "leave --seed out for the usual one");
}

std::string_view meaning_of_components(Family family) {
  switch (family) {
    case Family::qda:
      return "a full covariance for each";
    case Family::lda:
      return "one full covariance shared by all";
    case Family::gnb:
      return "a diagonal covariance for each";
    case Family::dlda:
      return "one diagonal covariance shared by all";
    case Family::spherical:
      return "a multiple of the identity for each";
    case Family::centroid:
      return "one multiple of the identity shared by all";
    case Family::rda:
      return "full covariances";
  }
  return "";
}

std::string_view meaning_of(Family family) {
  switch (family) {
    case Family::qda:
      return "a full covariance of its own for each class";
    case Family::lda:
      return "one full covariance shared by all classes";
    case Family::gnb:
      return "a diagonal covariance of its own for each class";
    case Family::dlda:
      return "one diagonal covariance shared by all classes";
    case Family::spherical:
      return "a multiple of the identity for each class";
    case Family::centroid:
      return "one multiple of the identity shared by all classes";
    case Family::rda:
      return "full covariances between each class's own and the pooled one";
  }
  return "";
}

}  // namespace genera::cli
