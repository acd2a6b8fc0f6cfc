#include "tour/chapters.hpp"

#include <genera/curves.hpp>
#include <genera/description.hpp>
#include <genera/evaluate.hpp>
#include <genera/impute.hpp>
#include <genera/mixture.hpp>
#include <genera/probability.hpp>
#include <genera/query.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace genera::cli::tour {
namespace {

/// petal width
std::string spaced(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

/// Of a model of two classes, the log-odds of the second: the intercept, then the features.
struct LogOdds {
  double intercept = 0;
  std::vector<std::string> names;
  Vector coefficients;
};
LogOdds log_odds_of(ClassifierRef model) {
  const Boundaries found = boundaries(model);
  LogOdds odds{-found.pairs.front().intercept, found.features, found.pairs.front().coefficients};
  for (double& coefficient : odds.coefficients) coefficient = -coefficient;
  return odds;
}

/// Columns of two levels, n and y: log-odds as a function of 1 for y and 0 for n.
LogOdds of_flags(const LogOdds& levels) {
  LogOdds flags{levels.intercept, {}, {}};
  for (std::size_t j = 0; j + 1 < levels.names.size(); j += 2) {
    flags.names.push_back(levels.names[j].substr(0, levels.names[j].rfind('=')));
    flags.coefficients.push_back(levels.coefficients[j + 1] - levels.coefficients[j]);
    flags.intercept += levels.coefficients[j];
  }
  return flags;
}

TextTable lda_table(Workshop& shop) {
  const Commands data{iris_without("two-species.csv", "setosa")};
  const auto fit = [&](const char* recipe, const char* file) {
    return data + Commands{genera_command(fmt::format(
                      "fit two-species.csv --features petal_length,petal_width --model {} -o {}",
                      recipe, file))};
  };
  const Commands generative = fit("lda", "two-lda.json");
  const Commands discriminative = fit("logistic --ridge 1e-6", "two-logistic.json");
  shop.run(generative);
  shop.run(discriminative);
  const LogOdds lda = log_odds_of(shop.model("two-lda.json"));
  const Classifier logistic = shop.classifier("two-logistic.json");
  const LogOdds softmax = log_odds_of(logistic);
  TextTable table{
      .caption = "Log-odds of virginica against versicolor",
      .header = {"", "LDA", "logistic regression"},
      .rows = {{"intercept", fixed(lda.intercept, 3), fixed(softmax.intercept, 3)}},
      .commands =
          typed(generative + Commands{discriminative.back(),
                                      genera_command("inspect two-lda.json --boundaries"),
                                      genera_command("inspect two-logistic.json --boundaries")})};
  for (std::size_t j = 0; j < lda.names.size(); ++j)
    table.rows.push_back(
        {lda.names[j], fixed(lda.coefficients[j], 3), fixed(softmax.coefficients[j], 3)});
  return table;
}

TextTable bernoulli_table(Workshop& shop) {
  const Commands naive{
      genera_command("fit @house_votes84 --missing drop --model bernoulli -o votes.json")};
  const Commands softmax{genera_command(
      "fit @house_votes84 --missing drop --model logistic --ridge 1 -o votes-logistic.json")};
  shop.run(naive);
  shop.run(softmax);
  const LogOdds first = of_flags(log_odds_of(shop.model("votes.json")));
  const Classifier logistic = shop.classifier("votes-logistic.json");
  const LogOdds second = of_flags(log_odds_of(logistic));
  std::vector<std::size_t> order(first.names.size());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::abs(first.coefficients[a]) > std::abs(first.coefficients[b]);
  });
  constexpr std::size_t shown = 5;
  TextTable table{
      .caption = fmt::format("Log-odds of republican against democrat for a vote of yes instead of "
                             "no: the {} largest of {} (votes of the US House of 1984)",
                             shown, order.size()),
      .header = {"", "Bernoulli naive Bayes", "logistic regression"},
      .rows = {{"intercept", fixed(first.intercept, 3), fixed(second.intercept, 3)}},
      .commands = typed(naive + softmax +
                        Commands{genera_command("inspect votes.json --boundaries"),
                                 genera_command("inspect votes-logistic.json --boundaries")})};
  for (std::size_t i = 0; i < shown; ++i)
    table.rows.push_back({spaced(first.names[order[i]]), fixed(first.coefficients[order[i]], 3),
                          fixed(second.coefficients[order[i]], 3)});
  return table;
}

Section logistic_section(Workshop& shop) {
  return {
      "logistic",
      "LDA is a logistic function",
      {Paragraph{"With two classes and a shared covariance the posterior of LDA is exactly a "
                 "logistic function of *x*:"},
       Formula{"p(y = 1 | x) = 1 / (1 + exp(−(θ_{0} + θᵀx)))"},
       Formula{"θ = Σ^{−1}(μ_{1} − μ_{0}),\u2003 θ_{0} = log φ_{1}/φ_{0} − ½ (μ_{1} + μ_{0})ᵀ θ"},
       Paragraph{"Logistic regression has the same form and chooses θ differently: by the "
                 "conditional likelihood, without assuming that the classes are Gaussian. If they "
                 "are, LDA needs fewer rows; if not, logistic regression is safer."},
       lda_table(shop),
       Paragraph{"The same holds for naive Bayes of yes-or-no columns: every answer adds its "
                 "own term to the log-odds. Naive Bayes takes each answer as independent "
                 "evidence, so that answers that say the same thing are counted several times; "
                 "logistic regression shares the weight out among them."},
       bernoulli_table(shop)}};
}

Section notes_section(Workshop& shop) {
  const Commands fit{genera_command("fit @notes3b --model qda -o notes.json")};
  const Figures data{{shop.figure({genera_command("plot scatter @notes3b -o notes-data.svg")},
                                  "The data: two classes, neither of them one clump.",
                                  "Scatter plot of two simulated classes")}};
  const Figures figures{
      {shop.figure(fit + Commands{genera_command(
                             "plot predictions notes.json @notes3b -o notes-predictions.svg")},
                   "QDA's Gaussians, and the points in the colour of their prediction.",
                   "Points by prediction with two Gaussians"),
       shop.figure(
           fit + Commands{genera_command("plot regions notes.json @notes3b -o notes-regions.svg")},
           "The quadratic border, with the true classes.",
           "Quadratic decision boundary with the data")}};
  const Model model = shop.model("notes.json");
  const Evaluation judged = evaluate(model, shop.rows("@notes3b", model), {}, shop.control());
  return {"notes3b",
          "The second lecture's data",
          {Paragraph{fmt::format(
               "{} simulated points of two classes. Each class is itself a mixture, so a Gaussian "
               "for each is wrong, and yet its border is useful: {} of them are on the wrong side.",
               judged.rows(), judged.errors())},
           data, figures}};
}

Section curves_section(Workshop& shop) {
  const Commands compare{genera_command(
      "compare @iris --pairs lda-logistic,gnb-squares --sizes 10,20,50,100 --repeats "
      "50 --json -o curves.json")};
  return {
      "curves",
      "Generative or discriminative: learning curves",
      {Paragraph{"Learned from more and more of the flowers and tested on the rest, at random "
                 "over and over. A generative model uses its assumption about *x* to learn "
                 "from few rows; a discriminative one needs more of them, and is not hurt if the "
                 "assumption is wrong. An assumption helps as far as it is cheap to learn: naive "
                 "Bayes has a variance for every species and column, which ten flowers do not "
                 "tell. Lower is better."},
       Figures{{shop.figure(
           compare + Commands{genera_command("plot curves curves.json -o curves.svg")},
           "Mean test error and its standard error against the number of training rows: LDA "
           "and logistic regression; naive Bayes and its counterpart with squares.",
           "Learning curves of generative and discriminative models")}}}};
}

/// Lines of a CSV file as rows.
TextTable filled_table(const std::string& csv, const std::string& commands) {
  TextTable table{.caption = "", .header = {}, .rows = {}, .commands = commands};
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line + ",");
    for (std::string cell; std::getline(row, cell, ',');) {
      const bool is_number = !cell.empty() && cell.find_first_not_of("0123456789.") == cell.npos;
      cells.push_back(is_number ? fixed(std::stod(cell), 2) : spaced(cell));
    }
    if (table.header.empty())
      table.header = std::move(cells);
    else
      table.rows.push_back(std::move(cells));
  }
  return table;
}

Section missing_section(Workshop& shop) {
  const Commands fit{genera_command("fit @iris --model qda -o iris.json")};
  const std::string header = "sepal_length,sepal_width,petal_length,petal_width,species";
  const Commands fill = fit + Commands{file_command("holes.csv", header + "\n5.1,3.5,1.4,,setosa\n"
                                                                          "6.0,2.9,4.5,,\n,,4.5,,"),
                                       genera_command("impute iris.json holes.csv -o filled.csv")};
  shop.run(fill);
  const Model model = shop.model("iris.json");
  const Probability wide =
      probability(model, {.between = {{"petal_width", 1.8}}, .given = {{"petal_length", 4.5}}});
  TextTable shares{
      .caption = "Species, given only that the petal is 4.5 cm long",
      .header = {"species", "p(species | given)", "P(width ≥ 1.8 | given, species)"},
      .rows = {},
      .commands =
          typed(fit + Commands{genera_command("probability iris.json --between petal_width=1.8: "
                                              "--given petal_length=4.5")})};
  for (std::size_t k = 0; k < wide.classes.size(); ++k)
    shares.rows.push_back({model.classes()[k], fixed(wide.classes[k].share, 4),
                           fixed(wide.classes[k].estimate.value, 4)});
  return {
      "missing",
      "Filling in a missing petal width",
      {Paragraph{
           "A joint distribution knows what is missing. Within a species the missing part of a "
           "Gaussian row is Gaussian again, with a mean that moves with what is there:"},
       Formula{"E(x_{m} | x_{o}, k) = μ_{m} + Σ_{mo} Σ_{oo}^{−1} (x_{o} − μ_{o})"},
       Paragraph{"If the species is unknown, too, the expectations are mixed by its posterior. The "
                 "last column but one was empty in all three rows; in the last everything but the "
                 "petal length was:"},
       filled_table(shop.text("filled.csv"), typed(fill)), shares,
       Paragraph{fmt::format("Over all species the width is 1.8 cm or more with probability {}.",
                             fixed(wide.all.value, 4))}}};
}

/// Species by group.
Matrix groups_of(const Model& groups, const Table& iris) {
  const std::vector<std::int32_t> labels = predict(groups, iris);
  Matrix counts(std::ssize(iris.classes), std::ssize(groups.classes()));
  for (std::size_t i = 0; i < labels.size(); ++i) counts(iris.labels[i], labels[i]) += 1;
  return counts;
}

/// 50 versicolor and 50 virginica in one group, 50 setosa in another
std::string groups_in_words(const Matrix& counts, const std::vector<std::string>& species) {
  std::string text;
  for (Index g = 0; g < counts.columns(); ++g) {
    std::string inside;
    for (Index k = 0; k < counts.rows(); ++k) {
      if (counts(k, g) > 0)
        inside += fmt::format("{}{} {}", inside.empty() ? "" : " and ", counts(k, g),
                              species[static_cast<std::size_t>(k)]);
    }
    text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", inside,
                        g == 0 ? "one group" : "another");
  }
  return text;
}

Section groups_section(Workshop& shop) {
  const Commands search{
      genera_command("cluster @iris --target species --components 1-6 --json > search.json")};
  const Commands three{genera_command(
      "cluster @iris --target species --components 3 --covariance full -o three-groups.json")};
  shop.run(three);
  const Table iris = read_csv("@iris");
  ClusterOptions options;
  options.mixture.components = {1, 6};
  const Clustering found = cluster(iris, options, shop.control());
  const ClusterCandidate& best = found.candidates[found.best];
  const Model groups = shop.model("three-groups.json");
  const Matrix counts = groups_of(groups, iris);
  TextTable table{.caption = "Three groups found without labels, against the species",
                  .header = {"species"},
                  .rows = {},
                  .commands = typed(three)};
  for (const std::string& name : groups.classes()) table.header.push_back("group " + name);
  for (Index k = 0; k < counts.rows(); ++k) {
    std::vector<std::string> row{iris.classes[static_cast<std::size_t>(k)]};
    for (Index g = 0; g < counts.columns(); ++g) row.push_back(number(counts(k, g)));
    table.rows.push_back(std::move(row));
  }
  Figures figures{
      {shop.figure(search + Commands{genera_command("plot bic search.json -o bic.svg")},
                   "BIC against the number of components, for each structure of the covariances; "
                   "lower is better.",
                   "BIC of mixtures with one to six components"),
       shop.figure(three + Commands{genera_command("plot predictions three-groups.json @iris --x "
                                                   "petal_length --y petal_width -o groups.svg")},
                   "The three groups on the petals.", "Petals by group found without labels")}};
  return {"groups",
          "Finding the species without labels",
          {Paragraph{fmt::format(
               "A mixture learned by EM needs no labels: it alternates between guessing which "
               "component each flower came from and learning the components from the guess. By BIC "
               "the data ask for {} components (`{}` covariances): {}. Told that there are three, "
               "the groups agree with the species with an adjusted Rand index of {} (1 is perfect, "
               "0 is chance).",
               best.components, name_of(best.covariance),
               groups_in_words(groups_of(found.model, iris), iris.classes),
               fixed(adjusted_rand_index(counts), 3))},
           figures, table}};
}

/// D^2 and log |S| of two columns.
struct Normal2 {
  double mean[2];
  double s[3];  // var, cov, var
  [[nodiscard]] double determinant() const { return s[0] * s[2] - s[1] * s[1]; }
  [[nodiscard]] double distance(double x, double y) const {
    const double u = x - mean[0], v = y - mean[1];
    return (s[2] * u * u - 2 * s[1] * u * v + s[0] * v * v) / determinant();
  }
};

std::vector<Normal2> normals_of(const Model& model) {
  const BlockDescription::Moments moments = describe(model).blocks.front().moments.value();
  std::vector<Normal2> normals;
  for (Index k = 0; k < moments.means.rows(); ++k) {
    const Matrix& s = std::get<Matrix>(
        moments.covariances[moments.covariances.size() == 1 ? 0 : static_cast<std::size_t>(k)]);
    normals.push_back({{moments.means(k, 0), moments.means(k, 1)}, {s(0, 0), s(0, 1), s(1, 1)}});
  }
  return normals;
}

/// The class with the largest score of each row.
template <class Score>
std::vector<std::int32_t> labels_by(const Table& rows, std::size_t classes, Score score) {
  std::vector<std::int32_t> labels;
  for (Index i = 0; i < rows.rows(); ++i) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < classes; ++k) {
      if (score(k, rows.numbers(i, 0), rows.numbers(i, 1)) >
          score(best, rows.numbers(i, 0), rows.numbers(i, 1)))
        best = k;
    }
    labels.push_back(static_cast<std::int32_t>(best));
  }
  return labels;
}

struct Changed {
  Index rows = 0;
  std::string list;  ///< 71: virginica → versicolor
};
Changed changes(const std::vector<std::int32_t>& formula, const std::vector<std::int32_t>& code,
                const std::vector<std::string>& classes) {
  Changed changed;
  std::map<std::string, std::string> by_change;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    if (formula[i] == code[i]) continue;
    ++changed.rows;
    std::string& rows = by_change[classes[static_cast<std::size_t>(formula[i])] + " → " +
                                  classes[static_cast<std::size_t>(code[i])]];
    rows += (rows.empty() ? "" : ", ") + std::to_string(i + 1);
  }
  for (const auto& [change, rows] : by_change)
    changed.list += (changed.list.empty() ? "" : "; ") + change + ": " + rows;
  return changed;
}

Section code_section(Workshop& shop) {
  shop.run(sepal_fit("qda", "sepals.json"));
  shop.run(sepal_fit("lda", "lda.json"));
  const Model qda = shop.model("sepals.json"), lda = shop.model("lda.json");
  const Table iris = shop.rows("@iris", qda);
  const std::vector<Normal2> own = normals_of(qda), pooled = normals_of(lda);
  const MarginalMoments all = marginal_moments(qda).value();
  const Vector log_prior = qda.prior().log();
  // minimises sqrt(|S|) exp(D^2) phi
  const Changed first = changes(predict(qda, iris),
                                labels_by(iris, own.size(),
                                          [&](std::size_t k, double x, double y) {
                                            return -(0.5 * std::log(own[k].determinant()) +
                                                     own[k].distance(x, y) + log_prior[k]);
                                          }),
                                qda.classes());
  const Changed second =
      changes(predict(lda, iris),
              labels_by(iris, own.size(),
                        [&](std::size_t k, double x, double y) {
                          const Normal2 total{
                              {pooled[k].mean[0], pooled[k].mean[1]},
                              {all.covariance(0, 0), all.covariance(0, 1), all.covariance(1, 1)}};
                          return log_prior[k] - 0.5 * total.distance(x, y);
                        }),
              lda.classes());
  TextTable table{
      .caption = fmt::format("Flowers of {} whose label changes (rows from 1): by the formula → by "
                             "the code",
                             iris.rows()),
      .header = {"departure", "labels", "which"},
      .rows = {{"−½ outside of the exponential", whole(first.rows), first.list},
               {"total instead of pooled covariance", whole(second.rows), second.list}}};
  return {
      "code",
      "Where the printed code departs from its formulas",
      {Box{
          "Read the formula, not the code",
          {Paragraph{"In the function that predicts, the −½ stands outside of the exponential. The "
                     "class it picks minimises √|Σ_{k}| · exp(*D*_{k}²) · φ_{k}: the ½ on the "
                     "squared distance *D*² is lost, and a larger prior φ_{k} counts *against* a "
                     "class."},
           Paragraph{
               "Its LDA shares the *total* covariance, that of all flowers around their common "
               "mean, and not the pooled one within the species. The differences between "
               "species then count as noise."},
           Paragraph{
               "Its density in one dimension divides by √(2πσ) instead of √(2π)·σ, which does "
               "not integrate to one unless σ = 1."},
           table}}}};
}

}  // namespace

std::vector<Section> last_chapters(Workshop& shop) {
  std::vector<Section> sections;
  for (Section (*make)(Workshop&) : {logistic_section, notes_section, curves_section,
                                     missing_section, groups_section, code_section})
    sections.push_back(make(shop));
  return sections;
}

}  // namespace genera::cli::tour
