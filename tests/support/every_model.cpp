#include "support/every_model.hpp"

#include "support/discrete_tables.hpp"
#include "support/problems.hpp"

namespace genera::testing {
namespace {

Matrix small_counts(Index rows, Index columns) {
  Matrix counts(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j)
      counts(i, j) = static_cast<double>((i * (j + 3) + i / 3 * j + 2 * (i % 2) * (j % 2)) % 4);
  }
  return counts;
}

std::vector<std::string> alternating_labels(Index rows) {
  std::vector<std::string> labels;
  for (Index i = 0; i < rows; ++i) labels.push_back(i % 2 == 0 ? "a" : "b");
  return labels;
}

Table mixed_part(const std::vector<std::size_t>& places) {
  const std::vector<Cells> rows = mixed_rows(60, 3);
  return table_of(columns_at(mixed_columns(), places), cells_at(rows, places));
}

std::map<std::string, AnyRecipe> recipes() {
  std::map<std::string, AnyRecipe> all{
      {"rda", rda(0.6, 0.3)},
      {"bqda", bqda()},
      {"kernel", kernel_bayes()},
      {"mda", mda({.components = {2, 2}, .starts = 1})},
      {"multinomial", multinomial()},
      {"bernoulli", bernoulli()},
      {"poisson", poisson()},
      {"joint", joint()},
      {"aode", aode()},
      {"complement", complement()},
      {"logistic", logistic()},
      {"quadratic", logistic({.terms = LogisticTerms::quadratic})}};
  for (const Recipe& recipe : whole_family())
    all.emplace(std::string(name_of(recipe.gaussian)), recipe);
  Recipe sparse_counts = multinomial();
  sparse_counts.discrete.sparse_counts = true;
  all.emplace("multinomial of a sparse matrix", sparse_counts);
  Recipe presence = bernoulli();
  presence.discrete.sparse_counts = true;
  all.emplace("bernoulli of a sparse matrix", presence);
  return all;
}

}  // namespace

std::map<std::string, Table> every_kind_of_table() {
  const Index rows = 24;
  const Matrix counts = small_counts(rows, 4);
  const std::vector<std::string> labels = alternating_labels(rows);
  return {{"numbers", random_table(60, 4, 3, 1)},
          {"one number", random_table(60, 1, 2, 1)},
          {"sparse", sparse_table(counts, labels)},
          {"counts", dense_table(counts, labels, ColumnType::count)},
          {"categories", mixed_part({2, 3, 4})},
          {"text", mixed_part({7})},
          {"mixed", mixed_part({0, 1, 2, 3, 4, 5, 6, 7})}};
}

std::map<std::string, Classifier> every_model_of(const Table& table) {
  std::map<std::string, Classifier> models;
  for (const auto& [name, recipe] : recipes()) {
    try {
      models.emplace(name, fit(table, recipe).model);
    } catch (const Error&) {
      // a model of other kinds of columns
    }
  }
  models.emplace("auto", fit_auto(table).fitted.model);
  std::vector<Committee::Member> members;
  for (const char* name : {"lda", "qda", "gnb", "bernoulli", "multinomial"}) {
    const auto found = models.find(name);
    if (found != models.end() && members.size() < 2)
      members.push_back({name, 0.5, std::get<Model>(found->second)});
  }
  if (members.size() == 2) models.emplace("committee", Committee(std::move(members)));
  return models;
}

}  // namespace genera::testing
