// The whole way: CSV rows, a fit by any recipe, then every question to the model.
#include "../check.hpp"
#include "../targets.hpp"

#include <optional>

#include <genera/evaluate.hpp>
#include <genera/fit.hpp>
#include <genera/mixture.hpp>
#include <genera/stream.hpp>

namespace genera::fuzz {
namespace {

constexpr MixtureOptions few_starts{.components = {1, 3}, .starts = 2, .max_iterations = 50};

AnyRecipe some_recipe(Input& input) {
  switch (input.choice(14)) {
    case 0:
      return qda();
    case 1:
      return lda();
    case 2:
      return gaussian_naive_bayes();
    case 3:
      return dlda();
    case 4:
      return spherical();
    case 5:
      return centroid();
    case 6:
      return rda(0.5, 0.1);
    case 7: {
      Recipe recipe = qda();
      recipe.gaussian.shrinkage = {.kind = Shrinkage::Kind::oas};
      return recipe;
    }
    case 8: {
      Recipe recipe = lda();
      recipe.gaussian.shrinkage = {.kind = Shrinkage::Kind::lw};
      recipe.gaussian.on_singular = OnSingular::shrink;
      return recipe;
    }
    case 9:
      return mda(few_starts, Covariance::diag);
    case 10:
      return bernoulli();
    case 11:
      return poisson();
    case 12:
      return joint();
    default:
      return complement();
  }
}

Roles some_roles_of_columns(Input& input) {
  Roles roles;
  if (const std::size_t type = input.choice(16); type < 5)
    roles.default_type = static_cast<ColumnType>(type);
  return roles;
}

void evaluate_and_group(const Classifier& model, const Table& table, std::uint64_t hash) {
  const std::string not_judged = refusal([&] {
    const Evaluation judged = evaluate(model, table);
    require(judged.rows() + judged.left_out().rows() == table.rows(), "every row is accounted for");
    require(judged.accuracy() >= 0 && judged.accuracy() <= 1, "accuracy is a share");
    require(judged.log_loss() >= 0, "log loss is not negative");
  });
  if (hash % 8 != 0) return;
  const std::string not_grouped = refusal([&] {
    const Clustering groups = cluster(table, {.mixture = few_starts});
    require(groups.best < groups.candidates.size(), "one of the candidates is the best");
    check_answers(groups.model, table);
  });
}

}  // namespace

void pipeline(std::string_view bytes) {
  Input input(bytes);
  const AnyRecipe recipe = some_recipe(input);
  const Roles roles = some_roles_of_columns(input);
  FitOptions options;
  options.missing = input.choice(4) == 3 ? Missing::drop : Missing::em;

  std::optional<Classifier> model;
  std::optional<Table> table;
  const std::string refused = refusal([&] {
    RowStream stream(Source::text(input.rest(), "in"), {}, roles);
    model = fit(stream, recipe, options).model;
    table = read_rows(stream);
  });
  if (!model || !table) return;
  const std::uint64_t hash = hash_of(bytes);
  check_answers(*model, *table);
  check_model(*model, hash);
  evaluate_and_group(*model, *table, hash);
}

}  // namespace genera::fuzz
