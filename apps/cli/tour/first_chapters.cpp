#include "tour/chapters.hpp"

#include <genera/description.hpp>
#include <genera/evaluate.hpp>
#include <genera/probability.hpp>
#include <genera/query.hpp>

#include <fmt/format.h>

#include <cmath>
#include <sstream>

namespace genera::cli::tour {
namespace {

constexpr const char* sepals = "--features sepal_length,sepal_width";

Section data_section(Workshop& shop) {
  shop.run(sepal_fit("qda", "sepals.json"));
  const Model model = shop.model("sepals.json");
  const Table iris = shop.rows("@iris", model);
  std::string counts;
  for (std::size_t k = 0; k < model.classes().size(); ++k)
    counts +=
        fmt::format("{}{} {}", k == 0 ? "" : ", ", number(model.counts()[k]), model.classes()[k]);
  return {
      "data",
      "The data",
      {Paragraph{fmt::format(
           "{} iris flowers ({}), each with the length and the width of its sepals and petals in "
           "centimetres (Fisher 1936). The lectures use the two sepal columns *x* = (*x*_{{1}}, "
           "*x*_{{2}}) and the species *y*. Setosa stands apart; versicolor and virginica overlap, "
           "so that no rule can be right about all of them.",
           iris.rows(), counts)},
       Figures{{shop.figure({genera_command("plot scatter @iris --x sepal_length --y sepal_width "
                                            "-o data-sepals.svg")},
                            "The sepals, by species: colour and shape both tell the class.",
                            "Scatter plot of sepal length and width of three iris species"),
                shop.figure({genera_command("plot scatter @iris --x petal_length --y petal_width "
                                            "-o data-petals.svg")},
                            "The petals separate the species far better; they come in later.",
                            "Scatter plot of petal length and width of three iris species")}}}};
}

Section discriminative_section(Workshop& shop) {
  const Commands fit{genera_command(
      fmt::format("fit @iris {} --model logistic --ridge 1e-4 -o softmax.json", sepals))};
  const Figure regions =
      shop.figure(fit + Commands{genera_command("plot regions softmax.json @iris -o softmax.svg")},
                  "Softmax regression: three regions with straight borders. The shade says how "
                  "sure the model is; wrong rows are marked.",
                  "Decision regions of softmax regression on the sepals");
  const Classifier learned = shop.classifier("softmax.json");
  const ClassifierRef softmax = learned;
  const Evaluation judged = evaluate(softmax, shop.rows("@iris", softmax), {}, shop.control());
  TextTable borders{
      .caption = "Where two species are equally probable: the sum is 0",
      .header = {"border", "intercept", "length", "width"},
      .rows = {},
      .commands = typed(fit + Commands{genera_command("inspect softmax.json --boundaries")})};
  for (const Boundary& pair : boundaries(softmax).pairs)
    borders.rows.push_back(
        {fmt::format("{} | {}", softmax.classes()[static_cast<std::size_t>(pair.first)],
                     softmax.classes()[static_cast<std::size_t>(pair.second)]),
         number(pair.intercept), number(pair.coefficients[0]), number(pair.coefficients[1])});
  return {"discriminative",
          "A discriminative model",
          {Paragraph{"Softmax regression asks only which class a flower belongs to, and learns "
                     "*p*(*y* | *x*) directly:"},
           Formula{"p(y = k | x) = exp(β_{k0} + β_{k}ᵀx) / Σ_{l} exp(β_{l0} + β_{l}ᵀx)"},
           Paragraph{fmt::format(
               "The log-odds of two classes are linear in *x*, so the borders are straight lines. "
               "Learned with next to no penalty it is wrong about {} of {} flowers. It says "
               "nothing about what flowers look like: it cannot make a new one, cannot fill in a "
               "missing length, and cannot tell that a row is like no flower at all.",
               judged.errors(), judged.rows())},
           Figures{{regions}}, borders}};
}

/// Two normal densities in one column, as a model by hand.
Command bumps(const std::string& file, const char* prior1, const char* mean1, const char* variance1,
              const char* prior2, const char* mean2, const char* variance2) {
  return file_command(
      file,
      fmt::format(
          "{{\"format\": \"genera-model\", \"version\": 1, \"features\": [\"x\"],\n"
          " \"classes\": [\n"
          "  {{\"name\": \"first\", \"prior\": {}, \"mean\": [{}], \"covariance\": [[{}]]}},\n"
          "  {{\"name\": \"second\", \"prior\": {}, \"mean\": [{}], \"covariance\": [[{}]]}}]}}",
          prior1, mean1, variance1, prior2, mean2, variance2));
}

std::string moments_of(const Model& model) {
  const MarginalMoments moments = marginal_moments(model).value();
  return fmt::format("mean {} and standard deviation {}", number(moments.mean[0]),
                     number(std::sqrt(moments.covariance(0, 0))));
}

Section mixture_section(Workshop& shop) {
  const Commands model{bumps("mixture.json", "0.6", "1", "0.25", "0.4", "-1", "0.25")};
  const Figure density = shop.figure(
      model + Commands{genera_command("plot density mixture.json --x x -o mixture.svg")},
      "The mixture and its two weighted parts.",
      "Density of a mixture of two normal distributions with its two parts");
  const Model mixture = shop.model("mixture.json");
  const double right = probability(mixture, {.between = {{"x", 0}}}).all.value;
  return {
      "mixture",
      "A mixture of Gaussians in one dimension",
      {Paragraph{"A distribution can be put together from simple ones. First choose a part, "
                 "then draw from it:"},
       Formula{"p(x) = 0.6 · N(x; 1, 0.5²) + 0.4 · N(x; −1, 0.5²)"},
       Paragraph{fmt::format(
           "The weights sum to one, so *p* does integrate to one; as a whole it has {}. Which "
           "part a point came from is hidden: it is a class that nobody wrote down. Above 0 lies "
           "{} of the mass, nearly all of it from the first part.",
           moments_of(mixture), number(right))},
       Figures{{density}}}};
}

Section guessed_section(Workshop& shop) {
  const auto guess = [](const char* name, const char* mean) {
    return fmt::format(
        "  {{\"name\": \"{}\", \"prior\": 0.3333333333333333, \"mean\": [{}],\n"
        "   \"covariance\": [[0.05, 0], [0, 0.05]]}}",
        name, mean);
  };
  const Commands model{
      file_command("guessed.json",
                   "{\"format\": \"genera-model\", \"version\": 1, \"target\": \"species\",\n"
                   " \"features\": [\"sepal_length\", \"sepal_width\"],\n \"classes\": [\n" +
                       guess("setosa", "5, 3.5") + ",\n" + guess("versicolor", "6, 2.5") + ",\n" +
                       guess("virginica", "6.5, 3") + "]}")};
  const Commands draw =
      model + Commands{genera_command("sample guessed.json -n 100 -o flowers.csv")};
  shop.run(draw);
  return {
      "guessed",
      "A generative model with guessed parameters",
      {Paragraph{"A generative model says how the data come about: *y* ~ Categorical(φ), then "
                 "*x* | *y* = *k* ~ N(μ_{k}, Σ_{k}). Before learning anything we may simply guess. "
                 "Each species gets φ = 1/3 and the covariance 0.05·I; the means are (5, 3.5), "
                 "(6, 2.5) and (6.5, 3). A model file that holds just this is all it takes."},
       Paragraph{"New flowers are made in two steps: draw a species, then draw its sepals. The "
                 "first ten of a hundred:"},
       Listing{"", csv_listing(shop.text("flowers.csv"), 11), typed(draw)},
       Figures{{shop.figure(
           model + Commands{genera_command("plot samples guessed.json @iris -o guessed.svg")},
           "The data, and as many flowers drawn from the guess, on the same "
           "axes. The guess is not bad, but its clouds are round and too small.",
           "The data beside flowers drawn from the guessed model")}}}};
}

Section components_section(Workshop& shop) {
  const Commands model{bumps("components.json", "0.7", "0", "1", "0.3", "6", "2")};
  const Figure density = shop.figure(
      model + Commands{genera_command("plot density components.json --x x -o components.svg")},
      "Two components far apart: two modes.",
      "Density of the mixture 0.7 N(0, 1) + 0.3 N(6, 2) and its parts");
  const Model mixture = shop.model("components.json");
  const double tail = probability(mixture, {.between = {{"x", 3}}}).all.value;
  return {"components",
          "Two components",
          {Formula{"p(x) = 0.7 · N(x; 0, 1) + 0.3 · N(x; 6, 2)"},
           Paragraph{fmt::format(
               "Here 1 and 2 are variances. The whole has {}: a summary that describes neither "
               "part, because no x is typical of it. Above 3 lies {} of the mass.",
               moments_of(mixture), number(tail))},
           Figures{{density}}}};
}

Section raw_section(Workshop& shop) {
  const Commands data{unlabelled_iris("unlabelled.csv")};
  const auto cluster = [&](const char* count, const char* file) {
    return data + Commands{genera_command(fmt::format("cluster unlabelled.csv --features "
                                                      "petal_length,petal_width --components {} "
                                                      "--covariance full -o {}",
                                                      count, file))};
  };
  const auto density = [&](const Commands& before, const char* model, const char* image,
                           std::string caption) {
    return shop.figure(
        before + Commands{genera_command(fmt::format(
                     "plot predictions {} unlabelled.csv --width 480 -o {}", model, image))},
        std::move(caption), "Petals with ellipses of a learned density");
  };
  const Commands one = cluster("1", "one.json"), two = cluster("2", "two.json");
  Figures figures{
      {shop.figure(data + Commands{genera_command("plot scatter unlabelled.csv --x petal_length "
                                                  "--y petal_width --width 480 -o raw.svg")},
                   "Raw data: the petals, species unknown.", "Scatter plot of petals"),
       density(one, "one.json", "one.svg",
               "One Gaussian: densest where there are hardly any "
               "flowers."),
       density(two, "two.json", "two.svg", "A mixture of two: each clump has its own.")}};
  const auto likelihood = [&](const char* file) {
    const Model model = shop.model(file);
    double sum = 0;
    for (const double log :
         log_density(model, shop.rows("unlabelled.csv", model, Purpose::predict)))
      sum += log;
    return fixed(sum, 1);
  };
  return {"raw",
          "Raw data, one Gaussian, a mixture",
          {Paragraph{fmt::format(
               "Learned from petals without labels, one Gaussian has a log-likelihood of {}, a "
               "mixture of two {}. More parts can bend a density into any shape; how many the data "
               "support is a question for later.",
               likelihood("one.json"), likelihood("two.json"))},
           figures}};
}

Section normals_section(Workshop& shop) {
  struct Normal {
    const char *name, *covariance, *words;
  };
  constexpr Normal normals[] = {
      {"round", "[[1, 0], [0, 1]]", "Σ = I: equal variances, no correlation; circles."},
      {"stretched", "[[2, 0], [0, 0.5]]",
       "Variances 2 and 0.5, no correlation; ellipses along the axes."},
      {"tilted", "[[1, 0.8], [0.8, 1]]",
       "Variances 1, correlation 0.8; ellipses along the diagonal."}};
  std::vector<Item> items{
      Paragraph{
          "A normal density in the plane is a hill whose level lines are ellipses; Σ says how "
          "wide it is, and which way it leans. Each of three as a surface, as contours, and as "
          "a cloud of draws:"},
      Formula{"N(x; μ, Σ) = (2π)^{−d/2} |Σ|^{−1/2} exp(−½ (x − μ)ᵀ Σ^{−1} (x − μ))"}};
  const std::string axes = "--x-range=-4:4 --y-range=-4:4 --width 480";
  for (const Normal& one : normals) {
    const std::string name = one.name;
    const Commands model{file_command(
        name + ".json",
        fmt::format("{{\"format\": \"genera-model\", \"version\": 1, \"features\": [\"x1\", "
                    "\"x2\"],\n \"classes\": [{{\"name\": \"all\", \"prior\": 1, \"mean\": [0, 0], "
                    "\"covariance\": {}}}]}}",
                    one.covariance))};
    const auto figure = [&](const std::string& before, const std::string& plot,
                            const std::string& caption) {
      Commands commands = model;
      if (!before.empty()) commands.push_back(genera_command(before));
      commands.push_back(genera_command(plot));
      return shop.figure(commands, caption, "A bivariate normal distribution, " + name);
    };
    items.emplace_back(Figures{
        {figure("",
                fmt::format("plot density {0}.json --surface {1} -o {0}-surface.svg", name, axes),
                one.words),
         figure("", fmt::format("plot density {0}.json {1} -o {0}-contour.svg", name, axes),
                "The same from above: level lines."),
         figure(
             fmt::format("sample {0}.json -n 300 -o {0}.csv", name),
             fmt::format("plot scatter {0}.csv --x x1 --y x2 {1} -o {0}-samples.svg", name, axes),
             "300 draws from it.")}});
  }
  return {"normals", "Three bivariate normals", std::move(items)};
}

Section area_section(Workshop& shop) {
  const Commands fit = sepal_fit("qda", "sepals.json");
  const Figure area =
      shop.figure(fit + Commands{genera_command(
                            "plot density sepals.json --x sepal_length --between 5:6 -o area.svg")},
                  "p(sepal_length), and the part of its area between 5 and 6.",
                  "Density of sepal length with the area between 5 and 6 filled");
  const Model model = shop.model("sepals.json");
  const Probability found = probability(model, {.between = {{"sepal_length", 5, 6}}});
  TextTable parts{
      .caption = "P(5 ≤ sepal_length ≤ 6) in each class, and over all of them",
      .header = {"species", "prior", "P in the class"},
      .rows = {},
      .commands = typed(fit + Commands{genera_command("probability sepals.json --between "
                                                      "sepal_length=5:6")})};
  for (std::size_t k = 0; k < found.classes.size(); ++k)
    parts.rows.push_back({model.classes()[k], fixed(found.classes[k].share, 4),
                          fixed(found.classes[k].estimate.value, 4)});
  parts.rows.push_back({"all", "", fixed(found.all.value, 4)});
  return {"area",
          "Probability is area",
          {Paragraph{fmt::format(
               "A density is not a probability, and may exceed 1; the area below it is one. Under "
               "the model of the two sepal columns, a flower has sepals between 5 and 6 cm long "
               "with probability {}: the mean of the areas in the classes, weighted by their "
               "priors, each a difference of two values of the normal distribution function.",
               fixed(found.all.value, 4))},
           Figures{{area}}, parts}};
}

Section trivariate_section(Workshop& shop) {
  const Commands fit{genera_command(
      "fit @iris --features sepal_length,sepal_width,petal_length --model qda -o three.json")};
  return {
      "trivariate",
      "Three columns",
      {Paragraph{"With three columns the surface of equal density is an ellipsoid, one for each "
                 "species; inside it lies a fixed share of the flowers of that species."},
       Figures{{shop.figure(
           fit + Commands{genera_command(
                     "plot density three.json @iris --x sepal_length --y sepal_width --z "
                     "petal_length -o trivariate.svg")},
           "Ellipsoids of three trivariate normal densities, learned from the data.",
           "Three ellipsoids in the space of three columns")}}}};
}

}  // namespace

std::vector<Section> first_chapters(Workshop& shop) {
  std::vector<Section> sections;
  for (Section (*make)(Workshop&) :
       {data_section, discriminative_section, mixture_section, guessed_section, components_section,
        raw_section, normals_section, area_section, trivariate_section})
    sections.push_back(make(shop));
  return sections;
}

std::string number(double value) {
  std::string text = fmt::format("{:.4g}", value);
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

std::string fixed(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

std::string csv_listing(const std::string& csv, int count) {
  std::istringstream lines(csv);
  std::string line, out;
  for (int i = 0; i < count && std::getline(lines, line); ++i) {
    std::istringstream cells(line);
    std::string cell, shown;
    while (std::getline(cells, cell, ',')) {
      char* end = nullptr;
      const double value = std::strtod(cell.c_str(), &end);
      const bool is_number = end != cell.c_str() && *end == '\0';
      shown += fmt::format("{:<14}", is_number ? fixed(value, 3) : cell);
    }
    out += shown.substr(0, shown.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

std::string whole(Index count) { return std::to_string(count); }

Commands sepal_fit(const std::string& recipe, const std::string& file) {
  return {genera_command(fmt::format("fit @iris {} --model {} -o {}", sepals, recipe, file))};
}

}  // namespace genera::cli::tour
