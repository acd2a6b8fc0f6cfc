#include <genera/candidates.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <genera/select.hpp>
#include <genera/spec.hpp>

namespace genera {
namespace {

struct DiscriminativeName {
  std::string whole, alone;
  LogisticTerms terms;
};

const std::vector<DiscriminativeName>& discriminative_names() {
  static const std::vector<DiscriminativeName> all{
      {"logistic", "logistic", LogisticTerms::linear},
      {"logistic-squares", "squares", LogisticTerms::squares},
      {"logistic-quadratic", "quadratic", LogisticTerms::quadratic}};
  return all;
}

std::optional<std::string> discriminative_named(const std::string& text) {
  for (const DiscriminativeName& name : discriminative_names()) {
    if (text == name.whole || text == name.alone) return name.whole;
  }
  return std::nullopt;
}

std::optional<ModelPair> matched_of(const std::string& generative) {
  const auto found = std::ranges::find(matched_pairs(), generative, &ModelPair::generative);
  return found == matched_pairs().end() ? std::nullopt : std::optional(*found);
}

std::optional<ModelPair> pair_of(const std::string& one, const std::string& other) {
  const auto partner = discriminative_named(other);
  if (partner && matched_of(one)) return ModelPair{one, *partner};
  return std::nullopt;
}

bool has(const Rows& rows, ColumnType type) {
  return std::ranges::any_of(rows.data().columns,
                             [&](const Column& column) { return column.type == type; });
}

bool has_matrix(const Rows& rows) {
  return std::ranges::any_of(
      rows.data().sparse, [](const SparseView& sparse) { return sparse.kind != SparseKind::text; });
}

bool has_discrete(const Rows& rows) {
  return !rows.data().sparse.empty() ||
         std::ranges::any_of(rows.data().columns, [](const Column& column) {
           return column.type != ColumnType::numeric;
         });
}

/// Of bqda: the prior in rows, relative to the number of columns.
OptionGrid prior_grid(const Rows& rows) {
  const auto d = static_cast<double>(
      std::ranges::count(rows.data().columns, ColumnType::numeric, &Column::type));
  Vector prior_rows;
  for (const double each : {0.1, 0.5, 2.0, 8.0}) prior_rows.push_back(std::max(2.0, each * d));
  prior_rows.erase(std::unique(prior_rows.begin(), prior_rows.end()), prior_rows.end());
  return {{"prior_rows", prior_rows}, {"prior_gamma", {0.1, 0.4, 1}}};
}

}  // namespace

std::vector<std::string> default_models(const Rows& rows) {
  if (has_matrix(rows)) return {"gnb", "dlda", "multinomial", "bernoulli"};
  if (has(rows, ColumnType::numeric)) return {"gnb", "dlda", "lda", "qda", "rda"};
  if (has(rows, ColumnType::text) || has(rows, ColumnType::count))
    return {"multinomial", "bernoulli"};
  return {"categorical"};
}

std::vector<std::string> grid_options() {
  std::vector<std::string> names;
  for (const OptionSpec& option : model_options())
    if (option.in_grids) names.push_back(option.name);
  return names;
}

OptionGrid grid_of(const std::string& model, const OptionGrid& given, const Rows& rows) {
  OptionGrid grid;
  if (model == "bqda") grid = prior_grid(rows);
  if (model == "rda") grid = {{"alpha", evenly(0, 1, 0.1)}, {"gamma", evenly(0, 1, 0.2)}};
  for (const auto& [name, values] : given) {
    const OptionSpec* option = find_option(name);
    const bool applies = option && option->belongs_to(model);
    const bool counts = has_discrete(rows) || model_named(model).is(NamedModel::Kind::pairs);
    if (applies && (option->group != OptionSpec::Group::terms || counts)) grid[name] = values;
  }
  return grid;
}

std::string GridPoint::name() const {
  std::string text = model;
  for (const auto& [name, value] : values) text += fmt::format(" {} {:.6g}", name, value);
  return text;
}

std::optional<double> GridPoint::value(const std::string& option) const {
  const auto found = values.find(option);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

std::vector<GridPoint> points_of(const std::string& model, const OptionGrid& grid) {
  std::vector<GridPoint> points{{.model = model}};
  for (const auto& [name, values] : grid) {
    std::vector<GridPoint> more;
    for (const GridPoint& point : points) {
      for (const double value : values) {
        more.push_back(point);
        more.back().values[name] = value;
      }
    }
    points = std::move(more);
  }
  return points;
}

const std::vector<ModelPair>& matched_pairs() {
  static const std::vector<ModelPair> all{
      {"dlda", "logistic"},          {"lda", "logistic"},
      {"gnb", "logistic-squares"},   {"qda", "logistic-quadratic"},
      {"rda", "logistic-quadratic"}, {"spherical", "logistic-squares"},
      {"centroid", "logistic"},      {"bernoulli", "logistic"},
      {"categorical", "logistic"},   {"multinomial", "logistic"},
      {"poisson", "logistic"},       {"joint", "logistic"},
      {"aode", "logistic"}};
  return all;
}

std::optional<ModelPair> pair_named(const std::string& text) {
  if (const auto pair = matched_of(text)) return pair;
  if (const auto alone = discriminative_named(text)) return ModelPair{"", *alone};
  for (const std::string separator : {"-", ":", "/", "\u2013"}) {
    for (std::size_t at = text.find(separator); at != std::string::npos;
         at = text.find(separator, at + 1)) {
      const std::string left = text.substr(0, at), right = text.substr(at + separator.size());
      if (const auto pair = pair_of(left, right)) return pair;
      if (const auto pair = pair_of(right, left)) return pair;
    }
  }
  return std::nullopt;
}

std::vector<ModelPair> default_pairs(const Rows& rows) {
  if (has(rows, ColumnType::numeric)) return {{"dlda", "logistic"}, {"lda", "logistic"}};
  if (has_matrix(rows) || has(rows, ColumnType::text) || has(rows, ColumnType::count))
    return {{"multinomial", "logistic"}};
  return {{"categorical", "logistic"}};
}

std::optional<LogisticTerms> terms_of(const std::string& discriminative) {
  const auto found =
      std::ranges::find(discriminative_names(), discriminative, &DiscriminativeName::whole);
  return found == discriminative_names().end() ? std::nullopt : std::optional(found->terms);
}

Vector default_ridges() { return {1, 10, 0.1, 100, 0.01}; }

}  // namespace genera
