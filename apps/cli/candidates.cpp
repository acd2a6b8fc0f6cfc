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

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

/// Options that only some models have: others are tried without them.
struct OwnedOption {
  std::string option;
  std::vector<std::string> models;
};
const std::vector<OwnedOption>& owned_options() {
  static const std::vector<OwnedOption> owned{
      {"--alpha", {"rda"}},      {"--gamma", {"rda"}},
      {"--toward", {"rda"}},     {"--shrinkage", {"qda", "lda"}},
      {"--components", {"mda"}}, {"--covariance", {"mda"}},
      {"--starts", {"mda"}},     {"--ridge", {"logistic"}},
      {"--terms", {"logistic"}}};
  return owned;
}

std::vector<std::string> default_models(const Table& table) {
  const auto has = [&](ColumnType type) {
    return std::ranges::any_of(table.columns, [&](const Column& c) { return c.type == type; });
  };
  const Rows rows(table);
  const bool matrix = std::ranges::any_of(
      rows.data().sparse, [](const SparseView& sparse) { return sparse.kind != SparseKind::text; });
  if (matrix) return {"gnb", "dlda", "multinomial", "bernoulli"};
  if (has(ColumnType::numeric)) return {"gnb", "dlda", "lda", "qda", "rda"};
  if (has(ColumnType::text) || has(ColumnType::count)) return {"multinomial", "bernoulli"};
  return {"categorical"};
}

bool has_discrete(const Rows& rows) {
  return !rows.data().sparse.empty() ||
         std::ranges::any_of(rows.data().columns,
                             [](const Column& c) { return c.type != ColumnType::numeric; });
}

/// The grid of one model.
Grid grid_of(const std::string& model, const Grid& given, const Rows& rows) {
  Grid grid;
  if (model == "rda") grid = {{"alpha", evenly(0, 1, 0.1)}, {"gamma", evenly(0, 1, 0.2)}};
  for (const auto& [name, values] : given) {
    const bool applies = name == "smoothing"   ? has_discrete(rows)
                         : name == "shrinkage" ? model == "qda" || model == "lda"
                         : name == "ridge"     ? model == "logistic"
                                               : model == "rda";
    if (applies) grid[name] = values;
  }
  return grid;
}

std::vector<Point> points_of(const std::string& model, const Grid& grid) {
  std::vector<Point> points{{model, {}}};
  for (const auto& [name, values] : grid) {
    std::vector<Point> more;
    for (const Point& point : points) {
      for (const double value : values) {
        more.push_back(point);
        more.back().values[name] = value;
      }
    }
    points = std::move(more);
  }
  return points;
}

std::string text_of_point(const Point& point) {
  std::string text = point.model;
  for (const auto& [name, value] : point.values) text += fmt::format(" {} {:.6g}", name, value);
  return text;
}

AnyRecipe recipe_of_point(const Words& words, const Point& point) {
  Words with = words_of_model(words, point.model);
  for (const auto& [name, value] : point.values)
    with.options["--" + name] = {fmt::format("{}", value)};
  return recipe_of(with);
}

}  // namespace

Words words_of_model(Words words, const std::string& model) {
  for (const OwnedOption& owned : owned_options()) {
    if (!is_one_of(model, owned.models)) words.options.erase(owned.option);
  }
  if (model == "complement") words.options.erase("--priors");
  words.options["--model"] = {model};
  return words;
}

void refuse_unused(const Words& words, const std::vector<std::string>& models,
                   const std::string& list) {
  for (const OwnedOption& owned : owned_options()) {
    const bool used = std::ranges::any_of(
        models, [&](const std::string& model) { return is_one_of(model, owned.models); });
    if (words.has(owned.option) && !used)
      throw Error(Errc::bad_argument,
                  owned.option + " belongs to " + alternatives(owned.models) +
                      ", which is not among " + list,
                  "add it to " + list + ", or leave " + owned.option + " out");
  }
}

Grid parse_grid(const std::vector<std::string>& texts) {
  Grid grid;
  for (const std::string& text : texts) {
    const std::size_t end = text.find('=');
    if (end == std::string::npos)
      throw Error(Errc::bad_argument, "--grid is '" + text + "', expected NAME=VALUES",
                  "write --grid alpha=0:1:0.1, or --grid smoothing=0.1,1,10");
    const std::string name = text.substr(0, end);
    const std::vector<std::string> names{"alpha", "gamma", "shrinkage", "smoothing", "ridge"};
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

Candidates candidates_of(const std::vector<std::string>& named, const Grid& given,
                         const Words& words, Tables& tables) {
  Candidates all;
  std::vector<std::string> models = named;
  if (models.empty()) models = default_models(tables.untyped());
  refuse_unused(words, models, "--models");
  Grid unused = given;
  for (const std::string& model : models) {
    (void)recipe_of(words_of_model(words, model));  // refuses what makes no sense before reading
    const Table& table = tables.of(model);
    if (!all.table) all.table = &table;
    const Grid grid = grid_of(model, given, table);
    for (const auto& [name, values] : grid) unused.erase(name);
    for (Point& point : points_of(model, grid)) {
      all.candidates.push_back({text_of_point(point), recipe_of_point(words, point),
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
