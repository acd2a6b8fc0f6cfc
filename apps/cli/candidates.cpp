#include "candidates.hpp"

#include "lists.hpp"
#include "options/model.hpp"
#include "show/report.hpp"
#include "values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace genera::cli {
namespace {

/// 0.1,1,10 or 0:1:0.1
Vector parse_values(const std::string& text) {
  if (std::ranges::count(text, ':') == 2) {
    const std::size_t first = text.find(':'), second = text.rfind(':');
    return evenly(parse_number("--grid", text.substr(0, first)),
                  parse_number("--grid", text.substr(first + 1, second - first - 1)),
                  parse_number("--grid", text.substr(second + 1)));
  }
  Vector values;
  for (const std::string& item : split_list("--grid", text))
    values.push_back(parse_number("--grid", item));
  return values;
}

AnyRecipe recipe_of_point(const Words& words, const GridPoint& point) {
  Words with = words_of_model(words, point.model);
  for (const auto& [name, value] : point.values)
    with.options["--" + name] = {fmt::format("{}", value)};
  return recipe_of(with);
}

}  // namespace

Words words_of_model(Words words, const std::string& model) {
  for (const OwnedOption& owned : owned_options()) {
    if (!owned.belongs_to(model)) words.options.erase("--" + owned.name);
  }
  if (model == "complement") words.options.erase("--priors");
  words.options["--model"] = {model};
  return words;
}

void refuse_unused(const Words& words, const std::vector<std::string>& models,
                   const std::string& list) {
  for (const OwnedOption& owned : owned_options()) {
    const std::string option = "--" + owned.name;
    const bool used = std::ranges::any_of(
        models, [&](const std::string& model) { return owned.belongs_to(model); });
    if (words.has(option) && !used)
      throw Error(
          Errc::bad_argument,
          option + " belongs to " + alternatives(owned.models) + ", which is not among " + list,
          "add it to " + list + ", or leave " + option + " out");
  }
}

OptionGrid parse_grid(const std::vector<std::string>& texts) {
  OptionGrid grid;
  for (const std::string& text : texts) {
    const std::size_t end = text.find('=');
    if (end == std::string::npos)
      throw Error(Errc::bad_argument, "--grid is '" + text + "', expected NAME=VALUES",
                  "write --grid alpha=0:1:0.1, or --grid smoothing=0.1,1,10");
    const std::string name = text.substr(0, end);
    const std::vector<std::string>& names = grid_options();
    if (std::ranges::find(names, name) == names.end()) refuse_choice("--grid", name, names);
    grid[name] = parse_values(text.substr(end + 1));
  }
  return grid;
}

const Table& Tables::of(const std::string& model) {
  return read(source_of(words_.arguments[0], words_of_model(words_, model)));
}
const Table& Tables::untyped() { return read(source_of(words_.arguments[0], words_)); }

const Table& Tables::read(const Source& source) {
  auto& table = tables_[source.roles.default_type];
  if (table) return *table;
  if (tables_.size() > 1 && source.data == "-")
    throw Error(Errc::bad_argument,
                "these models read the columns in different ways, and standard input can be read "
                "only once",
                "save the data to a file, or try fewer models");
  ProgressLine progress(common_.quiet);
  RowStream rows(source.rows(), source.csv, source.roles);
  table = std::make_unique<Table>(read_rows(rows, progress.control(common_.threads)));
  if (tables_.size() == 1) notes_ = rows.notes();
  return *table;
}

Candidates candidates_of(const std::vector<std::string>& named, const OptionGrid& given,
                         const Words& words, Tables& tables) {
  Candidates all;
  std::vector<std::string> models = named;
  refuse_unknown_models("--models", named);
  if (models.empty()) models = default_models(tables.untyped());
  refuse_unused(words, models, "--models");
  OptionGrid unused = given;
  for (const std::string& model : models) {
    (void)recipe_of(words_of_model(words, model));  // refuses what makes no sense before reading
    const Table& table = tables.of(model);
    if (!all.table) all.table = &table;
    const OptionGrid grid = grid_of(model, given, table);
    for (const auto& [name, values] : grid) unused.erase(name);
    for (GridPoint& point : points_of(model, grid)) {
      all.candidates.push_back({point.name(), recipe_of_point(words, point),
                                &table == all.table ? std::nullopt : std::optional(Rows(table))});
      all.points.push_back(std::move(point));
    }
  }
  if (!unused.empty())
    throw Error(Errc::bad_argument,
                "--grid " + unused.begin()->first + " belongs to none of " + joined_list(models),
                "add a model that has it to --models, or leave it out");
  return all;
}

}  // namespace genera::cli
