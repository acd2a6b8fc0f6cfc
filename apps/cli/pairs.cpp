#include "pairs.hpp"

#include "options/model.hpp"
#include "values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace genera::cli {
namespace {

constexpr const char* linear_name = "logistic";

ModelPair parse_pair(const std::string& item) {
  if (const auto pair = pair_named(item)) return *pair;
  std::vector<std::string> names;
  for (const ModelPair& pair : matched_pairs())
    names.push_back(pair.generative + '-' + pair.discriminative);
  refuse_choice("--pairs", item, names);
}

/// One of the models with the options that it uses.
AnyRecipe recipe_of_model(const std::string& name, const Words& words) {
  const auto terms = terms_of(name);
  const std::string model = terms ? linear_name : name;
  OptionValues values = values_used_by(model, values_of(words));
  if (terms) values["terms"] = std::string(name_of(*terms));
  return recipe_from(model, values, common_of(words).seed);
}

/// The rows of these classes.
std::vector<Index> rows_of_classes(const Table& table, const std::vector<std::string>& classes) {
  std::vector<char> wanted(table.classes.size());
  for (const std::string& name : classes) {
    const auto k = find_label(table.classes, name);
    if (!k)
      throw Error(Errc::bad_argument, "--classes: '" + name + "' is not a class of the data",
                  suggest(name, table.classes, "the classes are " + alternatives(table.classes)));
    wanted[static_cast<std::size_t>(*k)] = 1;
  }
  std::vector<Index> list;
  for (Index i = 0; i < table.rows() && !table.labels.empty(); ++i) {
    const std::int32_t label = table.labels[static_cast<std::size_t>(i)];
    if (label >= 0 && wanted[static_cast<std::size_t>(label)]) list.push_back(i);
  }
  return list;
}

/// Adds models without duplicates, for each assignment of column types.
class Gathering {
 public:
  Gathering(const Words& words, Contenders& to) : words_(words), to_(to) {}

  /// `reading`: null if the rows are drawn from a model.
  std::size_t add(const std::string& name, const std::string& generative, const Table* reading,
                  const std::optional<Rows>& rows) {
    const auto known = places_.find({name, reading});
    if (known != places_.end()) return known->second;
    const bool taken = std::ranges::any_of(
        to_.candidates, [&](const Candidate& candidate) { return candidate.name == name; });
    to_.candidates.push_back(
        {taken ? name + " of " + generative : name, recipe_of_model(name, words_), rows});
    return places_[{name, reading}] = to_.candidates.size() - 1;
  }

 private:
  const Words& words_;
  Contenders& to_;
  std::map<std::pair<std::string, const Table*>, std::size_t> places_;
};

}  // namespace

std::vector<ModelPair> parse_pairs(const std::vector<std::string>& items) {
  std::vector<ModelPair> pairs;
  for (const std::string& item : items) {
    const ModelPair pair = parse_pair(item);
    if (std::ranges::find(pairs, pair) == pairs.end()) pairs.push_back(pair);
  }
  return pairs;
}

void check_pairs(const std::vector<ModelPair>& pairs, const Words& words) {
  std::vector<std::string> models;
  for (const ModelPair& pair : pairs) {
    if (!pair.generative.empty()) models.push_back(pair.generative);
    models.emplace_back(linear_name);
  }
  refuse_unused(values_of(words), models, "pairs");
  for (const ModelPair& pair : pairs) {
    if (!pair.generative.empty()) (void)recipe_of_model(pair.generative, words);
    (void)recipe_of_model(pair.discriminative, words);
  }
}

Contenders contenders_of(const std::vector<ModelPair>& pairs,
                         const std::vector<std::string>& classes, const Words& words,
                         Tables& tables) {
  Contenders found;
  Gathering gathering(words, found);
  std::map<const Table*, Rows> rows;
  for (const ModelPair& pair : pairs) {
    const Table& table = pair.generative.empty() ? tables.untyped() : tables.of(pair.generative);
    if (!rows.contains(&table)) {
      rows[&table] = Rows(table);
      if (!classes.empty()) {
        found.lists.push_back(rows_of_classes(table, classes));
        rows[&table] = rows[&table].only(found.lists.back());
      }
      if (rows.size() == 1) found.rows = rows[&table];
    }
    const std::size_t partner =
        gathering.add(pair.discriminative, pair.generative, &table, rows[&table]);
    if (pair.generative.empty()) continue;
    const std::size_t model = gathering.add(pair.generative, "", &table, rows[&table]);
    found.pairs.push_back({model, partner});
  }
  return found;
}

Contenders contenders_of(const std::vector<ModelPair>& pairs, const Words& words) {
  Contenders found;
  Gathering gathering(words, found);
  for (const ModelPair& pair : pairs) {
    const std::size_t partner = gathering.add(pair.discriminative, "", nullptr, {});
    if (!pair.generative.empty())
      found.pairs.push_back({gathering.add(pair.generative, "", nullptr, {}), partner});
  }
  return found;
}

}  // namespace genera::cli
