#include "tour/chapters.hpp"

#include <genera/description.hpp>
#include <genera/evaluate.hpp>
#include <genera/figure.hpp>
#include <genera/fit.hpp>
#include <genera/probability.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace genera::cli::tour {
namespace {

/// Means and covariances of the classes of a model of numbers.
struct ClassMoments {
  Matrix means;
  std::vector<Matrix> covariances;
};
ClassMoments moments_of_classes(const Model& model) {
  const BlockDescription::Moments moments = describe(model).blocks.front().moments.value();
  ClassMoments found{moments.means, {}};
  for (const CovarianceMatrix& covariance : moments.covariances)
    found.covariances.push_back(std::get<Matrix>(covariance));
  return found;
}

Section likelihood_section(Workshop& shop) {
  const Commands fit = sepal_fit("qda", "sepals.json");
  shop.run(fit);
  const Model model = shop.model("sepals.json");
  const ClassMoments moments = moments_of_classes(model);
  const std::string inspect = typed(fit + Commands{genera_command("inspect sepals.json")});
  TextTable means{.caption = "Class proportions and means",
                  .header = {"species", "φ", "sepal length", "sepal width"},
                  .rows = {},
                  .commands = inspect};
  TextTable covariances{
      .caption = "Covariances",
      .header = {"species", "variance of length", "of width", "covariance", "correlation"},
      .rows = {}};
  for (std::size_t k = 0; k < model.classes().size(); ++k) {
    const auto row = static_cast<Index>(k);
    const Matrix& s = moments.covariances[k];
    means.rows.push_back({model.classes()[k], number(model.prior().probabilities()[k]),
                          number(moments.means(row, 0)), number(moments.means(row, 1))});
    covariances.rows.push_back({model.classes()[k], number(s(0, 0)), number(s(1, 1)),
                                number(s(0, 1)), number(s(0, 1) / std::sqrt(s(0, 0) * s(1, 1)))});
  }
  const MarginalMoments all = marginal_moments(model).value();
  covariances.rows.push_back(
      {"p(x) itself", number(all.covariance(0, 0)), number(all.covariance(1, 1)),
       number(all.covariance(0, 1)),
       number(all.covariance(0, 1) / std::sqrt(all.covariance(0, 0) * all.covariance(1, 1)))});
  return {
      "likelihood",
      "Learning by maximum likelihood",
      {Paragraph{
           "The log-likelihood Σ_{i} log *p*(*x*^{(i)}, *y*^{(i)}) falls apart into a sum for "
           "the classes and one for the flowers of each class, so that every parameter has its "
           "maximum in closed form:"},
       Formula{"φ_{k} = n_{k} / n,\u2003 μ_{k} = Σ_{i: y=k} x^{(i)} / n_{k},\u2003"
               "Σ_{k} = Σ_{i: y=k} (x^{(i)} − μ_{k})(x^{(i)} − μ_{k})ᵀ / n_{k}"},
       means, covariances,
       Paragraph{"The last row is the covariance of *p*(*x*), over all species: the mean of the "
                 "covariances plus the covariance of the means. Within each species longer sepals "
                 "are wider; over all of them they seem narrower, only because setosa is short and "
                 "wide."}}};
}

std::string confusion_words(const Evaluation& judged) {
  return fmt::format("wrong about {} of {} flowers", judged.errors(), judged.rows());
}

Section predictions_section(Workshop& shop) {
  const Commands fit = sepal_fit("qda", "sepals.json");
  const auto figure = [&](const char* kind, const char* image, const char* caption) {
    return shop.figure(
        fit + Commands{genera_command(fmt::format("plot {} sepals.json @iris -o {}", kind, image))},
        caption, "Sepals with what the model says of them");
  };
  Figures figures{{figure("predictions", "predictions.svg",
                          "Each flower in the colour of its prediction, with the Gaussians behind "
                          "it; wrong ones are marked."),
                   figure("regions", "regions.svg",
                          "Decision regions: where which species is the most probable. The borders "
                          "are parts of conics.")}};
  const Model model = shop.model("sepals.json");
  const Evaluation judged = evaluate(model, shop.rows("@iris", model), {}, shop.control());
  TextTable confusion{
      .caption = "Truth (rows) and prediction (columns)",
      .header = {""},
      .rows = {},
      .commands = typed(fit + Commands{genera_command("evaluate sepals.json @iris")})};
  for (std::size_t k = 0; k < model.classes().size(); ++k) {
    confusion.header.push_back(model.classes()[k]);
    std::vector<std::string> row{model.classes()[k]};
    for (std::size_t l = 0; l < model.classes().size(); ++l)
      row.push_back(whole(judged.confusion(static_cast<Index>(k), static_cast<Index>(l))));
    confusion.rows.push_back(std::move(row));
  }
  return {"predictions",
          "Predictions and decision regions",
          {Paragraph{"Bayes' rule turns the model round: the class is the one with the largest "
                     "joint probability."},
           Formula{"p(y = k | x) = φ_{k} N(x; μ_{k}, Σ_{k}) / Σ_{l} φ_{l} N(x; μ_{l}, Σ_{l})"},
           Paragraph{fmt::format(
               "With a covariance for each species this is quadratic discriminant analysis. On the "
               "flowers it was learned from it is {}.",
               confusion_words(judged))},
           figures, confusion}};
}

Section family_section(Workshop& shop) {
  struct Member {
    const char *name, *recipe, *file, *image, *words, *covariance;
  };
  constexpr Member members[] = {
      {"QDA", "qda", "sepals.json", "regions.svg", "QDA: conics.", "its own, full: Σ_{k}"},
      {"LDA", "lda", "lda.json", "lda.svg", "LDA: straight lines.", "one for all: Σ"},
      {"naive Bayes", "gnb", "gnb.json", "gnb.svg", "Naive Bayes: conics along the axes.",
       "its own, diagonal"},
      {"RDA, α = 0.5", "rda --alpha 0.5", "rda.json", "rda.svg", "RDA: between QDA and LDA.",
       "α Σ_{k} + (1 − α) Σ"}};
  Figures figures;
  TextTable table{.caption =
                      "Four members of one family, learned from and asked about the same "
                      "flowers",
                  .header = {"model", "covariance of a class", "parameters", "errors", "log loss"},
                  .rows = {}};
  for (const Member& one : members) {
    const Commands fit = sepal_fit(one.recipe, one.file);
    figures.figures.push_back(
        shop.figure(fit + Commands{genera_command(
                              fmt::format("plot regions {} @iris -o {}", one.file, one.image))},
                    one.words, std::string("Decision regions of ") + one.name));
    const Model model = shop.model(one.file);
    const Evaluation judged = evaluate(model, shop.rows("@iris", model), {}, shop.control());
    table.rows.push_back({one.name, one.covariance, whole(model.free_parameters().total()),
                          whole(judged.errors()), fixed(judged.log_loss(), 3)});
  }
  return {
      "family",
      "One family: LDA, QDA, naive Bayes, RDA",
      {Paragraph{"The members differ in one thing only: what is asked of the covariances. If all "
                 "classes share one, the quadratic terms cancel in the log-odds and borders are "
                 "straight (LDA); if none is shared, they are conics (QDA); if columns are "
                 "independent within a class, Σ_{k} is diagonal (naive Bayes). Regularised "
                 "discriminant analysis moves continuously between them:"},
       Formula{"Σ_{k}(α, γ) = (1 − γ) (α Σ_{k} + (1 − α) Σ) + γ diag(α Σ_{k} + (1 − α) Σ)"},
       Paragraph{"α = 1, γ = 0 is QDA; α = 0, γ = 0 is LDA; α = 1, γ = 1 is naive Bayes. More "
                 "freedom fits the same flowers better, not necessarily the next ones: compare "
                 "by held-out rows (`genera select @iris`)."},
       figures, table}};
}

Section bivariate_section(Workshop& shop) {
  const Commands model{file_command(
      "correlated.json",
      "{\"format\": \"genera-model\", \"version\": 1, \"features\": [\"x1\", \"x2\"],\n "
      "\"classes\": "
      "[{\"name\": \"all\", \"prior\": 1, \"mean\": [0, 0], \"covariance\": [[1, 0.6], [0.6, "
      "1]]}]}")};
  Figures figures{
      {shop.figure(model + Commands{genera_command(
                               "plot density correlated.json --surface -o correlated-surface.svg")},
                   "The surface of the density, ρ = 0.6.", "Surface of a bivariate normal density"),
       shop.figure(model + Commands{genera_command(
                               "plot density correlated.json -o correlated-contour.svg")},
                   "Its contours: ellipses that lean towards the diagonal.",
                   "Contours of a bivariate normal density")}};
  const Model correlated = shop.model("correlated.json");
  const double rho = moments_of_classes(correlated).covariances[0](0, 1);
  const Probability both =
      probability(correlated, {.between = {{"x1", 0}, {"x2", 0}}}, Rng(1), shop.control());
  const Probability given =
      probability(correlated, {.between = {{"x2", 0}}, .given = {{"x1", 1.0}}});
  return {"bivariate",
          "The bivariate normal: what correlation does",
          {Formula{"p(x_{1}, x_{2}) = exp(−(x_{1}² − 2ρ x_{1}x_{2} + x_{2}²) / (2(1 − ρ²))) / "
                   "(2π √(1 − ρ²))"},
           Paragraph{fmt::format(
               "Two standard normal columns with correlation ρ = {}. Knowing *x*_{{1}} moves the "
               "mean of *x*_{{2}} to ρ*x*_{{1}} and shrinks its variance to 1 − ρ² = {}; its own "
               "distribution, without that knowledge, stays the standard normal. Both are positive "
               "with probability {}, and the formula ¼ + arcsin ρ / 2π says {}; without "
               "correlation it would be ¼. Given *x*_{{1}} = 1, *x*_{{2}} is positive with "
               "probability {}.",
               number(rho), number(1 - rho * rho), fixed(both.all.value, 6),
               fixed(0.25 + std::asin(rho) / (2 * M_PI), 6), fixed(given.all.value, 4))},
           figures,
           Listing{"", fmt::format("P(x1 >= 0, x2 >= 0) = {:.10f}\n", both.all.value),
                   typed(model + Commands{genera_command(
                                     "probability correlated.json --between x1=0:,x2=0:")})}}};
}

Section posterior_section(Workshop& shop) {
  const Commands fit{
      genera_command("fit @iris --features petal_length --model qda -o petal-length.json")};
  const Figure posterior = shop.figure(
      fit + Commands{genera_command(
                "plot posterior petal-length.json @iris --x petal_length -o posterior.svg")},
      "Above: each density times its prior. Below: what share of the sum each has, the posterior.",
      "Class densities of petal length and the posterior of each class");
  const Model model = shop.model("petal-length.json");
  const figure::Line line = figure::line(model, nullptr, {.axes = {"petal_length"}});
  std::string borders;
  for (const double x : line.boundaries) borders += (borders.empty() ? "" : " and ") + fixed(x, 2);
  const Table iris = shop.rows("@iris", model);
  return {"posteriors",
          "One column, three posteriors",
          {Paragraph{fmt::format(
               "Petal length alone tells the species apart in all but {} of {} flowers. The "
               "posterior is the height of one weighted density as a share of the sum of all "
               "three; the most probable species changes at {} cm. Far outside all data the "
               "posterior is still sure: it compares classes, and does not ask whether any of them "
               "fits.",
               evaluate(model, iris).errors(), iris.rows(), borders)},
           Figures{{posterior}}}};
}

Section naive_section(Workshop& shop) {
  const auto petals = [](const char* recipe, const char* file) {
    return Commands{genera_command(fmt::format(
        "fit @iris --features petal_length,petal_width --model {} -o {}", recipe, file))};
  };
  const auto figure = [&](const Commands& fit, const char* file, const char* image,
                          const char* caption) {
    return shop.figure(
        fit + Commands{genera_command(fmt::format("plot regions {} @iris -o {}", file, image))},
        caption, "Decision regions on the petals");
  };
  return {
      "naive",
      "Naive Bayes is not linear",
      {Paragraph{"It is often said that naive Bayes is a linear classifier. With Gaussian columns "
                 "it is one only if the classes share their variances: the log-odds of two "
                 "classes are"},
       Formula{"log φ_{k}/φ_{l} + Σ_{j} [ log σ_{lj}/σ_{kj} − (x_{j} − μ_{kj})² / 2σ_{kj}² + "
               "(x_{j} − μ_{lj})² / 2σ_{lj}² ]"},
       Paragraph{"and the squares cancel if σ_{kj} = σ_{lj}. Independent columns alone make the "
                 "ellipses upright, not the borders straight. (Of columns that are counted or "
                 "have two values, naive Bayes is linear: see below.)"},
       Figures{{figure(petals("gnb", "petals-gnb.json"), "petals-gnb.json", "naive.svg",
                       "Variances of their own: curved borders."),
                figure(petals("dlda", "petals-dlda.json"), "petals-dlda.json", "naive-shared.svg",
                       "Shared variances (`dlda`): straight borders.")}}}};
}

/// @iris with every number changed, as CSV.
template <class Change>
std::string changed_iris(const Table& iris, Change change) {
  std::string csv;
  for (const std::string& name : iris.number_names()) csv += name + ',';
  csv += "species\n";
  for (Index i = 0; i < iris.rows(); ++i) {
    for (Index j = 0; j < iris.numbers.columns(); ++j) csv += change(iris.numbers(i, j), j) + ',';
    csv += iris.classes[static_cast<std::size_t>(iris.labels[static_cast<std::size_t>(i)])] + '\n';
  }
  return csv;
}

/// Numbers above which a third and two thirds of a column lie.
std::vector<std::pair<double, double>> thirds_of(const Table& iris) {
  std::vector<std::pair<double, double>> thirds;
  for (Index j = 0; j < iris.numbers.columns(); ++j) {
    Vector column;
    for (Index i = 0; i < iris.rows(); ++i) column.push_back(iris.numbers(i, j));
    std::ranges::sort(column);
    thirds.emplace_back(column[column.size() / 3], column[column.size() * 2 / 3]);
  }
  return thirds;
}

Section parameters_section(Workshop&) {
  const Table iris = read_csv("@iris");
  const auto thirds = thirds_of(iris);
  const std::string levels = changed_iris(iris, [&](double x, Index j) {
    const auto [low, high] = thirds[static_cast<std::size_t>(j)];
    return std::string(x < low ? "low" : x < high ? "middle" : "high");
  });
  const std::string counts =
      changed_iris(iris, [](double x, Index) { return fmt::format("{:.0f}", 10 * x); });
  const Table in_levels = read_csv(Source::text(levels));
  const Table in_counts = read_csv(Source::text(counts), Roles{.default_type = ColumnType::count});
  const Index p = iris.numbers.columns(), classes = std::ssize(iris.classes), values = 3;
  const auto of = [](const Table& table, const Recipe& recipe) {
    return whole(fit(table, recipe).model.free_parameters().total());
  };
  TextTable table{
      .caption = fmt::format(
          "Free parameters, priors included; p = {} columns, L = {} classes, K = {} values of a "
          "column that is cut into levels, V = p terms that are counted",
          p, classes, values),
      .header = {"model", "formula", "Iris"},
      .rows = {
          {"joint discrete", "K^{p}·L − 1", of(in_levels, joint())},
          {"naive discrete", "L − 1 + L·p·(K − 1)", of(in_levels, qda())},
          {"Gaussian naive Bayes", "L − 1 + 2·L·p", of(iris, gaussian_naive_bayes())},
          {"LDA", "L − 1 + L·p + p(p + 1)/2", of(iris, lda())},
          {"QDA", "L − 1 + L·p + L·p(p + 1)/2", of(iris, qda())},
          {"multinomial", "L − 1 + L·(V − 1)", of(in_counts, multinomial())},
          {"logistic", "(L − 1)(p + 1)", whole(fit(iris, logistic()).model.free_parameters())}}};
  return {
      "parameters",
      "How many parameters",
      {Paragraph{"A joint table has a number for every combination of values and grows "
                 "exponentially with the columns; every other model buys modesty with an "
                 "assumption. Counted on models learned from this data (for the discrete ones "
                 "each column is cut into thirds; for the multinomial, millimetres are "
                 "counts):"},
       table, Paragraph{"The discriminative model has the fewest: it describes only the border."}}};
}

}  // namespace

std::vector<Section> learned_chapters(Workshop& shop) {
  std::vector<Section> sections;
  for (Section (*make)(Workshop&) :
       {likelihood_section, predictions_section, family_section, bivariate_section,
        posterior_section, naive_section, parameters_section})
    sections.push_back(make(shop));
  return sections;
}

}  // namespace genera::cli::tour
