#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/description.hpp>
#include <genera/error.hpp>

#include "blocks/kinds.hpp"
#include "score/committee/bound_classifier.hpp"
#include "score/linear/features.hpp"
#include "score/linear/weights.hpp"

namespace genera {
namespace {

/// With more coefficients, boundaries are refused: unreadable, and too large for memory.
constexpr double max_numbers = 1e8;

/// With log priors.
struct AllScores {
  std::vector<std::string> names;
  Vector centres, intercepts;
  std::vector<Vector> coefficients;  // K
};

void add_scores(const FeatureScores& more, double temperature, AllScores& to) {
  to.names.insert(to.names.end(), more.names.begin(), more.names.end());
  to.centres.insert(to.centres.end(), more.centres.begin(), more.centres.end());
  to.centres.resize(to.names.size());
  for (std::size_t k = 0; k < to.intercepts.size(); ++k) {
    to.intercepts[k] += more.intercepts[k] / temperature;
    for (const double coefficient : more.coefficients.row(static_cast<Index>(k)))
      to.coefficients[k].push_back(coefficient / temperature);
  }
}

[[noreturn]] void refuse_curved(const std::string& what) {
  throw Error(Errc::bad_model, fmt::format("the boundaries of this model are not linear: {}", what),
              {"learn it with {}, {} or {}",
               {{"model", {"lda"}}, {"model", {"dlda"}}, {"model", {"logistic"}}}});
}

AllScores scores_of(const Model& model) {
  AllScores all{{}, {}, model.prior().log(), std::vector<Vector>(model.classes().size())};
  Index texts = 0;
  for (const Column& column : model.features()) texts += column.type == ColumnType::text ? 1 : 0;
  for (const Block& block : model.blocks()) {
    blocks::visit(block, [&](auto kind, const auto& known) {
      const auto scores = kind.linear_scores(known, texts > 1);
      if (!scores)
        refuse_curved(fmt::format("it has {}", kind.describe(known, model.classes()).meaning));
      add_scores(*scores, model.temperature(), all);
    });
  }
  return all;
}

AllScores scores_of(const LinearModel& model) {
  AllScores all{
      {}, {}, Vector(model.classes().size()), std::vector<Vector>(model.classes().size())};
  FeatureScores scores{.intercepts = model.weights().intercepts(),
                       .coefficients = model.coefficients()};
  for (const LinearFeatures& part : model.parts()) {
    if (score::are_products(part)) refuse_curved("it has squares of columns");
    for (Index j = 0; j < std::ssize(names_of(part)); ++j)
      scores.names.push_back(score::feature_name(part, j));
    if (const auto numbers = score::numeric_features(part))
      scores.centres.insert(scores.centres.end(), numbers->centres.begin(), numbers->centres.end());
    scores.centres.resize(scores.names.size());
  }
  add_scores(scores, model.temperature(), all);
  return all;
}

void refuse_infinite(const AllScores& all, const std::vector<std::string>& classes) {
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const bool finite =
        std::isfinite(all.intercepts[k]) &&
        std::ranges::all_of(all.coefficients[k], [](double c) { return std::isfinite(c); });
    if (finite) continue;
    throw Error(
        Errc::bad_model,
        fmt::format("class '{}' has a probability of 0: its boundaries are not planes", classes[k]),
        {"learn the model with a {} greater than 0, and no prior of 0", {{"smoothing"}}});
  }
}

Boundary between(const AllScores& all, std::size_t a, std::size_t b) {
  Boundary boundary{static_cast<Index>(a), static_cast<Index>(b),
                    all.intercepts[a] - all.intercepts[b]};
  for (std::size_t j = 0; j < all.names.size(); ++j) {
    boundary.coefficients.push_back(all.coefficients[a][j] - all.coefficients[b][j]);
    boundary.intercept -= boundary.coefficients.back() * all.centres[j];
  }
  return boundary;
}

}  // namespace

Boundaries boundaries(ClassifierRef model) {
  const std::vector<std::string>& classes = model.classes();
  if (classes.size() < 2)
    throw Error(Errc::bad_model, "a model of one class has no boundaries",
                "learn it from rows of several classes");
  if (model.committee()) score::refuse_committee("linear boundaries");
  AllScores all = model.model() ? scores_of(*model.model()) : scores_of(*model.linear());
  refuse_infinite(all, classes);
  const auto k = static_cast<double>(classes.size());
  if (k * (k - 1) / 2 * static_cast<double>(all.names.size() + 1) > max_numbers)
    throw Error(Errc::bad_model,
                fmt::format("the boundaries of {} classes over {} features are more than {:.0e} "
                            "numbers",
                            classes.size(), all.names.size(), max_numbers),
                {"learn the model with fewer terms ({})", {{"max_terms"}}});
  Boundaries found;
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = a + 1; b < classes.size(); ++b) found.pairs.push_back(between(all, a, b));
  }
  found.features = std::move(all.names);
  return found;
}

}  // namespace genera
