#include "lists.hpp"
#include "options/common.hpp"
#include "options/model.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "options/terms.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "show/summary.hpp"
#include "show/text_table.hpp"
#include "statistics_files.hpp"
#include "values.hpp"

#include <genera/io.hpp>
#include <genera/select.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace genera::cli {
namespace {

VerbText select_text() {
  OptionGroup fitting = model_texts();
  std::erase_if(fitting.options, [](const OptionText& option) {
    return option.names == "--model" || option.names == "--alpha" || option.names == "--gamma";
  });
  fitting.title = "Models (each takes the options that it has)";
  fitting.options.push_back({"--unlabelled-weight", "W",
                             "how much a row without a label counts (default 1; 0: not at all)"});
  const OptionText learn_missing{
      "--missing", "HOW",
      "rows that lack values or labels: em (default) learns from what is there, drop leaves them "
      "out"};
  return {
      "select",
      "choose the model that predicts best what it has not seen",
      "Learns each candidate from some of the rows, asks it about the others, and prints how good "
      "its answers are: the log loss (mean of -log p(truth); lower is better) with its standard "
      "error, the error rate and the Brier score. Rows are held out in folds, the same for all "
      "candidates, or one by one with --loo, which is exact and in closed form for the whole "
      "Gaussian family and for categories, counts and text; what has no closed form is judged by "
      "folds, and says so. Of rda a grid of alpha and gamma is tried. The table has the best of "
      "each model, --json all candidates. With -o the winner is learned from all rows and saved. "
      "All rows are kept in memory.",
      {data_argument()},
      {{"Choice",
        {{"--models", "A,B",
          "which models to try, as --model of fit calls them (default: gnb,dlda,lda,qda,rda; "
          "without numbers multinomial,bernoulli or categorical)"},
         {"--folds", "K", "hold out every K-th part in turn, each class in its share (default 10)"},
         {"--loo", "", "leave out one row at a time instead"},
         {"--loo-priors", "HOW",
          "of --loo: refit (default) without the row, or full, those of all rows"},
         {"--metric", "NAME", "log_loss (default) or error"},
         {"--grid", "NAME=VALUES",
          "values to try of alpha, gamma (rda; default 0:1:0.1 and 0:1:0.2), shrinkage (qda, lda), "
          "smoothing or ridge: a list 0.1,1,10 or FIRST:LAST:STEP (repeatable)"}}},
       fitting,
       terms_texts(),
       columns_texts(learn_missing),
       reading_texts(),
       common_texts("do not save a model")},
      {"genera select @wine", "genera select @iris --models lda,qda,gnb --loo --json",
       "genera select @crabs --models rda --grid alpha=0:1:0.25 --grid gamma=0 -o crabs.json",
       "genera select @house_votes84 --models categorical --grid smoothing=0.1,1,10"}};
}

using Grid = std::map<std::string, Vector>;

struct SelectArguments {
  std::vector<std::string> models;  ///< empty: as the data ask for
  Grid grid;
  SelectOptions options;
  bool loo = false;
  Metric metric = Metric::log_loss;
  Common common;
};

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

SelectArguments select_arguments(const Words& words) {
  SelectArguments select{.models = split_lists("--models", words.values("--models")),
                         .grid = parse_grid(words.values("--grid")),
                         .options = {},
                         .loo = words.has("--loo"),
                         .common = common_of(words)};
  select.options.seed = select.common.seed;
  if (const auto folds = words.value("--folds"))
    select.options.folds = parse_whole_number("--folds", *folds, 2);
  if (const auto priors = words.value("--loo-priors")) {
    if (!select.loo)
      throw Error(Errc::bad_argument, "--loo-priors is about leaving out one row at a time",
                  "add --loo, or leave --loo-priors out");
    select.options.loo_priors = choose<LooPriors>(
        "--loo-priors", *priors, {{"refit", LooPriors::refit}, {"full", LooPriors::full}});
  }
  if (const auto metric = words.value("--metric"))
    select.metric = choose<Metric>("--metric", *metric,
                                   {{"log_loss", Metric::log_loss}, {"error", Metric::error}});
  if (const auto weight = words.value("--unlabelled-weight"))
    select.options.fit.unlabelled_weight = parse_number("--unlabelled-weight", *weight);
  return select;
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
      {"--toward", {"rda"}},     {"--shrinkage", {"qda", "lda"}}, {"--components", {"mda"}},
      {"--covariance", {"mda"}}, {"--starts", {"mda"}},           {"--ridge", {"logistic"}},
      {"--terms", {"logistic"}}};
  return owned;
}

/// What `fit --model NAME` would be told.
Words words_of_model(Words words, const std::string& model) {
  for (const OwnedOption& owned : owned_options()) {
    if (!is_one_of(model, owned.models)) words.options.erase(owned.option);
  }
  if (model == "complement") words.options.erase("--priors");
  words.options["--model"] = {model};
  return words;
}

void refuse_unused(const Words& words, const std::vector<std::string>& models) {
  for (const OwnedOption& owned : owned_options()) {
    const bool used = std::ranges::any_of(
        models, [&](const std::string& model) { return is_one_of(model, owned.models); });
    if (words.has(owned.option) && !used)
      throw Error(Errc::bad_argument,
                  owned.option + " belongs to " + alternatives(owned.models) +
                      ", which is not among --models",
                  "add it to --models, or leave " + owned.option + " out");
  }
}

/// The rows as some of the models read them.
class Tables {
 public:
  Tables(const Words& words, const Common& common) : words_(words), common_(common) {}

  /// Read once for each way in which a model types the columns.
  const Table& of(const std::string& model) {
    const Source source = source_of(words_.arguments[0], words_of_model(words_, model));
    return read(source);
  }
  const Table& untyped() { return read(source_of(words_.arguments[0], words_)); }
  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }

 private:
  const Table& read(const Source& source) {
    auto& table = tables_[source.roles.default_type];
    if (table) return *table;
    if (tables_.size() > 1 && source.data == "-")
      throw Error(Errc::bad_argument,
                  "these models read the columns in different ways, and standard input can be read "
                  "only once",
                  "save the data to a file, or try fewer --models");
    ProgressLine progress(common_.quiet);
    RowStream rows(source.data, source.csv, source.roles);
    table = std::make_unique<Table>(read_rows(rows, progress.control(common_.threads)));
    if (tables_.size() == 1) notes_ = rows.notes();
    return *table;
  }

  const Words& words_;
  const Common& common_;
  std::map<std::optional<ColumnType>, std::unique_ptr<Table>> tables_;
  std::vector<Note> notes_;
};

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

/// One of the things to try: a model with values of the grid.
struct Point {
  std::string model;
  std::map<std::string, double> values;
  [[nodiscard]] std::optional<double> value(const std::string& name) const {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
};

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

struct Candidates {
  std::vector<Point> points;
  std::vector<Candidate> candidates;
  const Table* table = nullptr;  ///< of the first
};

Candidates candidates_of(const SelectArguments& arguments, const Words& words, Tables& tables) {
  Candidates all;
  std::vector<std::string> models = arguments.models;
  if (models.empty()) models = default_models(tables.untyped());
  refuse_unused(words, models);
  Grid unused = arguments.grid;
  for (const std::string& model : models) {
    (void)recipe_of(words_of_model(words, model));  // refuses what makes no sense before reading
    const Table& table = tables.of(model);
    if (!all.table) all.table = &table;
    const Grid grid = grid_of(model, arguments.grid, table);
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

Json number_or_null(const std::optional<double>& value) {
  return value ? Json::number(*value) : Json();
}

std::string method_name(HeldOut::Method method) {
  return method == HeldOut::Method::folds ? "folds" : "loo";
}

Json candidate_json(const Point& point, const HeldOut& found) {
  const auto figure = [&](double value) { return found.usable ? Json::number(value) : Json(); };
  Json json = Json::object()
                  .add("model", point.model)
                  .add("alpha", number_or_null(point.value("alpha")))
                  .add("gamma", number_or_null(point.value("gamma")));
  for (const auto& [name, value] : point.values)
    if (name != "alpha" && name != "gamma") json.add(name, Json::number(value));
  json.add("log_loss", figure(found.log_loss))
      .add("log_loss_se", figure(found.log_loss_se))
      .add("error_rate", figure(found.error_rate))
      .add("errors", found.usable ? Json(found.errors) : Json())
      .add("rows", found.rows)
      .add("brier", figure(found.brier))
      .add("method", method_name(found.method));
  if (!found.usable) json.add("why_not", found.why_not);
  return json;
}

std::string selection_json(const SelectArguments& arguments, const Candidates& all,
                           const Selection& selection, std::size_t best) {
  Json candidates = Json::array();
  for (std::size_t c = 0; c < all.points.size(); ++c)
    candidates.push(candidate_json(all.points[c], selection.candidates[c]));
  return Json::object()
      .add("best", candidate_json(all.points[best], selection.candidates[best]))
      .add("metric", arguments.metric == Metric::log_loss ? "log_loss" : "error")
      .add("not_judged", selection.not_judged)
      .add("candidates", std::move(candidates))
      .document();
}

/// The best of each model, best first; then those of which none can be used.
std::string candidates_table(const Candidates& all, const Selection& selection,
                             const std::vector<std::size_t>& ranking) {
  std::vector<std::vector<std::string>> cells{
      {"model", "log loss", "se", "error rate", "errors", "Brier", "judged by"}};
  std::vector<std::string> shown;
  for (const std::size_t c : ranking) {
    const HeldOut& found = selection.candidates[c];
    if (is_one_of(all.points[c].model, shown)) continue;
    shown.push_back(all.points[c].model);
    cells.push_back({all.candidates[c].name, fmt::format("{:.5g}", found.log_loss),
                     fmt::format("{:.2g}", found.log_loss_se),
                     fmt::format("{:.4f}", found.error_rate), std::to_string(found.errors),
                     fmt::format("{:.5g}", found.brier), method_name(found.method)});
  }
  std::string text = text_table(cells);
  for (std::size_t c = 0; c < all.points.size(); ++c) {
    if (is_one_of(all.points[c].model, shown)) continue;
    shown.push_back(all.points[c].model);
    text += all.candidates[c].name + ": cannot be used: " + selection.candidates[c].why_not + '\n';
  }
  return text;
}

/// What was chosen, and by how much.
std::string verdict(const SelectArguments& arguments, const Candidates& all,
                    const Selection& selection, const std::vector<std::size_t>& ranking) {
  const std::size_t best = ranking.front();
  std::string text =
      "best of " + std::to_string(all.points.size()) + ": " + all.candidates[best].name;
  const auto next = std::ranges::find_if(
      ranking, [&](std::size_t c) { return all.points[c].model != all.points[best].model; });
  if (next == ranking.end()) return text + '\n';
  const std::string& other = all.candidates[*next].name;
  if (arguments.metric == Metric::error)
    return text +
           fmt::format(", {} errors fewer than {}\n",
                       selection.candidates[*next].errors - selection.candidates[best].errors,
                       other);
  const Selection::Difference ahead = selection.difference(*next, best);
  return text + fmt::format(", ahead of {} by {:.3g} in log loss (standard error {:.2g})\n", other,
                            ahead.mean, ahead.se);
}

[[noreturn]] void refuse_all(const Candidates& all, const Selection& selection) {
  throw Error(Errc::bad_model,
              "no candidate can be used; of " + all.candidates.front().name + ": " +
                  selection.candidates.front().why_not,
              selection.candidates.front().hint);
}

void report_notes(bool quiet, const Tables& tables, const Candidates& all,
                  const Selection& selection) {
  const Report report(quiet);
  report.notes(tables.notes());
  report.notes(selection.notes);
  std::vector<std::string> known;
  for (std::size_t c = 0; c < all.points.size(); ++c) {
    for (const std::string& note : typed(selection.candidates[c].notes)) {
      const std::string text = all.points[c].model + ": " + note;
      if (is_one_of(text, known)) continue;
      known.push_back(text);
      report.note(text);
    }
  }
  if (selection.not_judged > 0)
    report.warning(fmt::format("{} {} not judged: without {} the class has no row",
                               selection.not_judged,
                               selection.not_judged == 1 ? "row is" : "rows are",
                               selection.not_judged == 1 ? "it" : "them"));
}

/// As fit would have it, with what was noticed while the rows were read.
Classifier with_notes_of(const std::vector<Note>& reading, const Fitted<Classifier>& fitted) {
  std::vector<std::string> notes;
  for (const Note& note : reading) notes.push_back(in_words(note));
  for (const Note& note : fitted.report.notes) notes.push_back(in_words(note));
  return std::visit([&](const auto& model) { return Classifier(model.with_notes(notes)); },
                    fitted.model);
}

void save_winner(const SelectArguments& arguments, const Tables& tables, const Candidates& all,
                 std::size_t best, bool weighted) {
  const Common& common = arguments.common;
  const Candidate& winner = all.candidates[best];
  ProgressLine progress(common.quiet);
  const Fitted<Classifier> fitted =
      fit(winner.rows ? *winner.rows : Rows(*all.table), winner.recipe, arguments.options.fit,
          progress.control(common.threads));
  save(with_notes_of(tables.notes(), fitted), *common.output);
  const Report report(common.quiet);
  report.notes(fitted.report.notes);
  report.note(headline(fitted.model, weighted ? Weights::given : Weights::rows));
}

void run_select(const Words& words) {
  SelectArguments arguments = select_arguments(words);
  const Common& common = arguments.common;
  const Source source = source_of(words.arguments[0], words);
  refuse_output_onto(common, {source.data});
  if (looks_like_statistics(source.data))
    throw Error(Errc::bad_argument,
                "select needs the rows, but '" + source.data + "' holds statistics",
                "give the table itself");
  arguments.options.fit.missing = source.missing.value_or(Missing::em);
  Tables tables(words, common);
  const Candidates all = candidates_of(arguments, words, tables);
  Selection selection;
  {
    ProgressLine progress(common.quiet);
    const Control control = progress.control(common.threads);
    selection = arguments.loo
                    ? leave_one_out(*all.table, all.candidates, arguments.options, control)
                    : cross_validate(*all.table, all.candidates, arguments.options, control);
  }
  report_notes(common.quiet, tables, all, selection);
  const std::vector<std::size_t> ranking = selection.ranking(arguments.metric);
  if (ranking.empty()) refuse_all(all, selection);
  Common to_stdout = common;
  to_stdout.output.reset();
  write_output(to_stdout, common.json ? selection_json(arguments, all, selection, ranking.front())
                                      : candidates_table(all, selection, ranking) +
                                            verdict(arguments, all, selection, ranking));
  if (common.output)
    save_winner(arguments, tables, all, ranking.front(), source.roles.weights.has_value());
}

}  // namespace

Verb select_verb() { return {select_text(), run_select}; }

}  // namespace genera::cli
