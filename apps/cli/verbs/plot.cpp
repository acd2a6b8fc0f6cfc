#include "model_rows.hpp"
#include "options/model_file.hpp"
#include "lists.hpp"
#include "plot/from_json.hpp"
#include "plot/gnuplot.hpp"
#include "options/plot.hpp"
#include "plot/text.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "values.hpp"

#include <genera/figure.hpp>
#include <genera/io.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <ostream>
#include <system_error>

namespace genera::cli {
namespace {

/// With two classes, the index of the named one, or of the second; with more, it is not used.
Index positive_class(const std::vector<std::string>& classes,
                     const std::optional<std::string>& named) {
  if (!named) return classes.size() == 2 ? 1 : 0;
  if (classes.size() != 2)
    throw Error(Errc::bad_argument,
                fmt::format("--positive is for two classes, but the model has {}", classes.size()),
                "leave --positive out: each class has its own curve");
  if (const auto place = find_label(classes, *named)) return *place;
  throw Error(Errc::bad_argument,
              "--positive is '" + *named + "', which is not a class of the model",
              suggest(*named, classes, "its classes are " + joined_list(classes)));
}

/// The model and the rows of a figure, loaded once.
class Inputs {
 public:
  explicit Inputs(const PlotOptions& options)
      : options_(options), progress_(options.common.quiet) {}

  [[nodiscard]] const PlotOptions& options() const { return options_; }
  [[nodiscard]] Control control() { return progress_.control(options_.common.threads); }

  const Classifier& classifier() {
    if (!classifier_) classifier_ = load_classifier(options_.inputs[0]);
    return *classifier_;
  }
  const Model& model(const std::string& cannot) {
    if (!model_) model_ = density_of(classifier(), options_.inputs[0], cannot);
    return *model_;
  }
  /// The rows for the model, with their labels if they have any; null without DATA.
  const Rows* data() {
    if (options_.inputs.size() < 2) return nullptr;
    if (table_) return &rows_;
    RowStream rows(options_.source.rows(), csv_for(classifier(), options_.source),
                   roles_for(classifier(), Purpose::impute, options_.source.roles.target.name()));
    std::vector<std::string> names;
    for (const Column& column : ClassifierRef(classifier()).features())
      names.push_back(column.name);
    return read(rows, names);
  }
  /// Rows without a model.
  const Rows& table() {
    RowStream rows(options_.source.rows(), options_.source.csv, options_.source.roles);
    read(rows);
    Report(options_.common.quiet).notes(rows.notes());
    return rows_;
  }

 private:
  const Rows* read(RowStream& rows, const std::vector<std::string>& names = {}) {
    table_ = read_rows(rows, control());
    if (auto dense = with_numeric_columns(*table_, names)) table_ = std::move(dense);
    rows_ = *table_;
    return &rows_;
  }

  const PlotOptions& options_;
  ProgressLine progress_;
  std::optional<Classifier> classifier_;
  std::optional<Model> model_;
  std::optional<Table> table_;
  Rows rows_;
};

/// The options with a grid of this size.
figure::Options with_grid(figure::Options options, Index columns, Index rows) {
  options.columns = columns;
  options.rows = rows;
  return options;
}

/// A drawing, or text: a figure for the terminal, or JSON.
struct Picture {
  Drawing drawing{};
  std::string text{};
};

/// `text` and `draw` make the text and the drawing of the figure.
template <class Figure, class Text, class Draw>
Picture picture_of(const Inputs& in, const Figure& figure, Text text, Draw draw) {
  if (in.options().common.json) return {.text = json_document(facts(figure))};
  if (in.options().terminal) return {.text = text(figure)};
  return {.drawing = draw(figure, in.options().look)};
}
template <class Figure>
Picture picture_of(const Inputs& in, const Figure& figure) {
  return picture_of(
      in, figure, [](const Figure& known) { return text_of(known); },
      [](const Figure& known, const Look& look) { return drawing_of(known, look); });
}

std::string density_text(const figure::Line& figure) { return text_of(figure); }
Drawing density_drawing(const figure::Line& figure, const Look& look) {
  return drawing_of(figure, look);
}

void refuse_second_axis(const PlotOptions& options) {
  const std::string option = options.look.equal         ? "--equal"
                             : options.figure.ranges[1] ? "--y-range"
                             : options.look.surface     ? "--surface"
                             : options.look.by_class    ? "--by-class"
                                                        : "";
  if (!option.empty())
    throw Error(Errc::bad_argument, option + " is given, but the figure shows one feature",
                "leave " + option + " out" + (option == "--equal" ? ", or add --y" : ""));
}

/// True if there is one feature, and no more are named.
bool of_one_feature(const PlotOptions& options, const std::vector<std::string>& features) {
  if (features.size() != 1 || options.figure.axes.size() > 1) return false;
  refuse_second_axis(options);
  return true;
}
bool of_one_feature(Inputs& in) {
  return of_one_feature(in.options(), figure::numeric_features(in.classifier()));
}

figure::Line line_of(Inputs& in) {
  return figure::line(in.classifier(), in.data(), in.options().figure, in.options().between,
                      in.control());
}

Picture draw_scatter(Inputs& in) {
  const Rows& rows = in.table();
  if (of_one_feature(in.options(), figure::numeric_features(rows)))
    return picture_of(in, figure::line_of_rows(rows, in.options().figure), density_text,
                      density_drawing);
  return picture_of(in, figure::scatter(rows, in.options().figure));
}

Picture draw_regions(Inputs& in) {
  if (of_one_feature(in))
    return picture_of(in, line_of(in), line_predictions_text, line_regions_drawing);
  return picture_of(in,
                    figure::regions(in.classifier(), in.data(), in.options().figure, in.control()));
}

Picture draw_predictions(Inputs& in) {
  if (of_one_feature(in))
    return picture_of(in, line_of(in), line_predictions_text, line_predictions_drawing);
  return picture_of(in,
                    figure::regions(in.classifier(), in.data(),
                                    with_grid(in.options().figure, 2, 2), in.control()),
                    predictions_text, predictions_drawing);
}

Picture draw_density(Inputs& in) {
  const PlotOptions& options = in.options();
  const Model& model = in.model("there is no density to draw");
  const bool surface = options.look.surface || options.look.by_class;
  const std::size_t axes = options.figure.axes.size();
  if (axes == 3)
    return picture_of(in, figure::solid(model, in.data(), options.figure, in.control()));
  const bool single = figure::numeric_features(model).size() == 1 && axes < 2;
  if (single || ((axes == 1 || options.between) && !surface)) {
    refuse_second_axis(options);
    return picture_of(in, line_of(in), density_text, density_drawing);
  }
  const Index side = options.look.by_class && model.classes().size() > 4 ? 40 : 70;
  return picture_of(
      in, figure::density(model, in.data(),
                          surface ? with_grid(options.figure, side, side) : options.figure,
                          in.control()));
}

Picture draw_posterior(Inputs& in) {
  return picture_of(in, line_of(in), posterior_text, posterior_drawing);
}

Picture draw_samples(Inputs& in) {
  const Model& model = in.model("nothing can be drawn");
  const Rng rng(in.options().common.seed);
  const figure::Options& options = in.options().figure;
  if (of_one_feature(in))
    return picture_of(in, figure::line_of_samples(model, in.data(), rng, options, in.control()),
                      line_samples_text, line_samples_drawing);
  return picture_of(in, figure::samples(model, in.data(), rng, options, in.control()));
}

Picture draw_pairs(Inputs& in) {
  return picture_of(
      in, figure::pairs(in.classifier(), *in.data(), in.options().figure, 5, in.control()));
}

Picture draw_canonical(Inputs& in) {
  return picture_of(
      in, figure::canonical(in.classifier(), *in.data(), in.options().figure, in.control()));
}

Evaluation evaluation_of(Inputs& in) {
  return evaluate(in.classifier(), *in.data(), {}, in.control());
}

Picture draw_confusion(Inputs& in) { return picture_of(in, figure::confusion(evaluation_of(in))); }

Picture draw_reliability(Inputs& in) {
  return picture_of(in, figure::reliability(evaluation_of(in)));
}

Picture draw_roc(Inputs& in) {
  const Index positive =
      positive_class(ClassifierRef(in.classifier()).classes(), in.options().positive);
  return picture_of(in, figure::roc(in.classifier(), *in.data(), positive, in.control()));
}

Picture draw_curves(Inputs& in) {
  return picture_of(
      in, curves_from(in.options().inputs[0], in.options().metric.value_or(Metric::error)));
}

Picture draw_path(Inputs& in) {
  return picture_of(
      in, path_from(in.options().inputs[0], in.options().metric.value_or(Metric::log_loss)));
}

Picture draw_needed(Inputs& in) { return picture_of(in, needed_from(in.options().inputs[0])); }

Picture draw_bic(Inputs& in) { return picture_of(in, bic_from(in.options().inputs[0])); }

Picture draw_features(Inputs& in) { return picture_of(in, figure::features(in.classifier())); }

struct Kind {
  std::string name;
  std::size_t min, max;  ///< inputs
  std::string inputs;    ///< in words
  std::string text;
  Picture (*draw)(Inputs&);
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"scatter", 1, 1, "DATA", "the data by class; a histogram if they have one feature",
       draw_scatter},
      {"regions", 1, 2, "MODEL [DATA]",
       "decision regions, shaded by the posterior, with boundaries, ellipses and marks on "
       "misclassified rows",
       draw_regions},
      {"density", 1, 2, "MODEL [DATA]",
       "p(x) and the density of each class: contours, or surfaces (--surface, --by-class); with "
       "one "
       "feature (--x) or three (--x, --y, --z)",
       draw_density},
      {"posterior", 1, 2, "MODEL [DATA]",
       "one feature: densities times priors, and the posteriors below", draw_posterior},
      {"predictions", 2, 2, "MODEL DATA",
       "the data by prediction, with the Gaussians and marks on misclassified rows",
       draw_predictions},
      {"samples", 1, 2, "MODEL [DATA]", "rows drawn from the model beside the data", draw_samples},
      {"pairs", 2, 2, "MODEL DATA",
       "all pairs of features: regions below the diagonal, densities on it, the data above",
       draw_pairs},
      {"canonical", 2, 2, "MODEL DATA",
       "the first two canonical variates, with class means and regions", draw_canonical},
      {"confusion", 2, 2, "MODEL DATA", "rows by truth and prediction", draw_confusion},
      {"reliability", 2, 2, "MODEL DATA", "calibration: accuracy against predicted probability",
       draw_reliability},
      {"roc", 2, 2, "MODEL DATA", "ROC curves of each class against the others", draw_roc},
      {"curves", 1, 1, "JSON", "learning curves of 'compare --json'", draw_curves},
      {"needed", 1, 1, "JSON", "rows needed by number of columns, of 'compare --from --json'",
       draw_needed},
      {"path", 1, 1, "JSON", "alpha and gamma of rda, of 'select --json'", draw_path},
      {"bic", 1, 1, "JSON", "BIC by number of components, of 'cluster --json'", draw_bic},
      {"features", 1, 1, "MODEL",
       "how well numbers separate the classes, and the words and categories with the largest "
       "log-odds",
       draw_features},
  };
  return all;
}

VerbText plot_text() {
  VerbText text{
      "plot",
      "figures: svg, png, pdf or text",
      "Draws a figure with gnuplot, which must be installed. The extension of -o selects the "
      "format. "
      "Features that are not shown are marginalised, as the caption states. On a boundary, the two "
      "most probable classes are equally probable. More than 5000 points are drawn as one image.",
      {{"KIND", "the kind of figure, see below"},
       {"INPUT", "a model, data, both, or a JSON file, see below", 1, 2, "a model or data",
        "genera plot regions iris.json @iris -o regions.svg"}},
      plot_texts(),
      {"genera fit @iris --model qda -o iris.json", "genera plot scatter @iris -o scatter.svg",
       "genera plot regions iris.json @iris -o regions.png",
       "genera plot density iris.json --x sepal_length --between 5:6 -o area.pdf"}};
  for (const Kind& kind : kinds()) text.kinds.push_back({kind.name + ' ' + kind.inputs, kind.text});
  return text;
}

const Kind& kind_of(const PlotOptions& options) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) {
    names.push_back(kind.name);
    if (kind.name != options.kind) continue;
    const std::size_t given = options.inputs.size();
    if (given >= kind.min && given <= kind.max) return kind;
    throw Error(Errc::bad_argument,
                fmt::format("'plot {}' takes {}, but {} given", kind.name, kind.inputs,
                            given == 1 ? "one file is" : "two files are"),
                fmt::format("write genera plot {} {} -o figure.svg", kind.name, kind.inputs));
  }
  throw Error(Errc::bad_argument, "there is no kind of figure called '" + options.kind + "'",
              suggest(options.kind, names, "see 'genera help plot' for the list of kinds"));
}

struct OptionOfSomeKinds {
  std::string option;
  std::vector<std::string> kinds;
};

const std::vector<OptionOfSomeKinds>& options_of_some_kinds() {
  static const std::vector<OptionOfSomeKinds> all{
      {"--x", {"scatter", "regions", "density", "posterior", "predictions", "samples"}},
      {"--y", {"scatter", "regions", "density", "predictions", "samples"}},
      {"--z", {"density"}},
      {"--features", {"pairs"}},
      {"--others", {"regions", "posterior", "predictions", "pairs"}},
      {"--x-range",
       {"scatter", "regions", "density", "posterior", "predictions", "samples", "canonical"}},
      {"--y-range", {"scatter", "regions", "density", "predictions", "samples", "canonical"}},
      {"--equal", {"scatter", "regions", "density", "predictions", "samples", "canonical"}},
      {"--mass", {"regions", "density", "predictions", "pairs", "canonical"}},
      {"--between", {"density"}},
      {"--rows", {"samples"}},
      {"--surface", {"density"}},
      {"--by-class", {"density"}},
      {"--positive", {"roc"}},
      {"--metric", {"curves", "path"}}};
  return all;
}

/// Throws Error (bad_argument) if this kind does not use an option.
void refuse_options_of_other_kinds(const Words& words, const std::string& kind) {
  for (const auto& [option, kinds] : options_of_some_kinds()) {
    if (!words.has(option) || std::ranges::find(kinds, kind) != kinds.end()) continue;
    throw Error(Errc::bad_argument,
                fmt::format("{} belongs to the figures {}, but this is {}", option,
                            alternatives(kinds), kind),
                fmt::format("leave {} out", option));
  }
}

void keep_script(const DrawingJob& job, const std::string& folder, const std::string& image) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Error(Errc::bad_data, folder + ": cannot be made: " + error.message(),
                "name another folder for --script");
  for (const KeptFile& file : kept_script(job, image))
    write_file((std::filesystem::path(folder) / file.name).string(),
               [&](std::ostream& out) { out << file.bytes; });
}

void run_plot(const Words& words) {
  const PlotOptions options = plot_options(words);
  const Kind& kind = kind_of(options);
  refuse_options_of_other_kinds(words, kind.name);
  refuse_output_onto(options.common, options.inputs);
  const std::optional<std::string>& output = options.common.output;
  DrawingJob job{
      .format = output && !options.common.json ? image_format(*output) : ImageFormat::svg,
      .width = options.width};
  Inputs inputs(options);
  Picture picture = kind.draw(inputs);
  if (options.terminal || options.common.json) return write_output(options.common, picture.text);
  job.drawing = std::move(picture.drawing);
  if (options.folder) {
    const std::string name = output ? std::filesystem::path(*output).filename().string() : "";
    const bool plain = !name.empty() && name.find('\'') == std::string::npos;
    keep_script(job, *options.folder, plain ? name : "figure.svg");
  }
  if (output) write_output(options.common, images_of({&job, 1})[0]);
}

}  // namespace

Verb plot_verb() { return {plot_text(), run_plot}; }

}  // namespace genera::cli
