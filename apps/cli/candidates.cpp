#include "candidates.hpp"

#include "lists.hpp"
#include "options/model.hpp"
#include "show/report.hpp"
#include "values.hpp"

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

AnyRecipe recipe_of_point(const GridPoint& point, const OptionValues& given, std::uint64_t seed) {
  OptionValues values = values_used_by(point.model, given);
  for (const auto& [name, value] : point.values) values[name] = value;
  return recipe_from(point.model, values, seed);
}

}  // namespace

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
  Words words = words_;
  words.options["--model"] = {model};
  return read(source_of(words_.arguments[0], words));
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
  fingerprint_ = rows.fingerprint();
  return *table;
}

Candidates candidates_of(const std::vector<std::string>& named, const OptionGrid& given,
                         const Words& words, Tables& tables) {
  Candidates all;
  std::vector<std::string> models = named;
  const OptionValues values = values_of(words);
  const std::uint64_t seed = common_of(words).seed;
  for (const std::string& model : models) (void)model_named(model, "models");
  if (models.empty()) models = default_models(tables.untyped());
  refuse_unused(values, models, "models");
  OptionGrid unused = given;
  for (const std::string& model : models) {
    // Refuses what makes no sense before the rows are read.
    (void)recipe_from(model, values_used_by(model, values), seed);
    const Table& table = tables.of(model);
    refuse_unfit_types(model, table.columns);
    if (!all.table) all.table = &table;
    const OptionGrid grid = grid_of(model, given, table);
    for (const auto& [name, tried] : grid) unused.erase(name);
    for (GridPoint& point : points_of(model, grid)) {
      all.candidates.push_back({point.name(), recipe_of_point(point, values, seed),
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
