#include "options/model_file.hpp"
#include "plot/gnuplot.hpp"
#include "plot/options.hpp"
#include "show/output.hpp"
#include "show/report.hpp"

#include <genera/figure.hpp>
#include <genera/io.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <ostream>
#include <system_error>

namespace genera::cli {
namespace {

VerbText plot_text() {
  return {
      "plot",
      "figures: svg, png, pdf, or text",
      "Draws with gnuplot, which must be installed; the extension of -o says which kind of "
      "picture. KIND and what it takes:\n\n"
      "  scatter DATA             the data by class\n"
      "  regions MODEL [DATA]     decision regions, boundaries, ellipses, misclassified rows\n"
      "  density MODEL [DATA]     p(x) and its classes: contours, --surface, one feature, three\n"
      "  posterior MODEL [DATA]   one feature: densities, and the posterior below\n"
      "  predictions MODEL DATA   the data by prediction, wrong ones marked\n",
      {{"KIND", "what is drawn, as above"},
       {"INPUT", "a model, data, or both, as above", 1, 2, "a model or data",
        "genera plot regions iris.json @iris -o regions.svg"}},
      plot_texts(),
      {"genera fit @iris --model qda -o iris.json", "genera plot scatter @iris -o scatter.svg",
       "genera plot regions iris.json @iris -o regions.png",
       "genera plot density iris.json --x sepal_length --between 5:6 -o area.pdf"}};
}

/// What a figure is made of, loaded once.
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
  /// The rows that the model is asked about, with their labels if they have any; null: none are
  /// given.
  const Rows* data() {
    if (options_.inputs.size() < 2) return nullptr;
    if (table_) return &rows_;
    RowStream rows(options_.source.data, options_.source.csv,
                   roles_for(classifier(), Purpose::impute, options_.source.roles.target.name()));
    return read(rows);
  }
  /// Rows without a model.
  const Rows& table() {
    RowStream rows(options_.source.data, options_.source.csv, options_.source.roles);
    read(rows);
    Report(options_.common.quiet).notes(rows.notes());
    return rows_;
  }

 private:
  const Rows* read(RowStream& rows) {
    table_ = read_rows(rows, control());
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

Drawing draw_scatter(Inputs& in) {
  return drawing_of(figure::scatter(in.table(), in.options().figure), in.options().look);
}

Drawing draw_regions(Inputs& in) {
  return drawing_of(figure::regions(in.classifier(), in.data(), in.options().figure, in.control()),
                    in.options().look);
}

Drawing draw_predictions(Inputs& in) {
  return predictions_drawing(
      figure::regions(in.classifier(), in.data(), in.options().figure, in.control()),
      in.options().look);
}

Drawing draw_density(Inputs& in) {
  const PlotOptions& options = in.options();
  const Model& model = in.model("there is no density to draw");
  if (options.figure.axes.size() == 1 || options.between)
    return drawing_of(figure::line(model, in.data(), options.figure, options.between, in.control()),
                      options.look);
  return drawing_of(figure::density(model, in.data(), options.figure, in.control()), options.look);
}

Drawing draw_posterior(Inputs& in) {
  return posterior_drawing(
      figure::line(in.classifier(), in.data(), in.options().figure, {}, in.control()),
      in.options().look);
}

struct Kind {
  std::string name;
  std::size_t least, most;  ///< inputs
  std::string inputs;       ///< in words
  Drawing (*draw)(Inputs&);
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"scatter", 1, 1, "DATA", draw_scatter},
      {"regions", 1, 2, "MODEL [DATA]", draw_regions},
      {"density", 1, 2, "MODEL [DATA]", draw_density},
      {"posterior", 1, 2, "MODEL [DATA]", draw_posterior},
      {"predictions", 2, 2, "MODEL DATA", draw_predictions},
  };
  return all;
}

const Kind& kind_of(const PlotOptions& options) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) {
    names.push_back(kind.name);
    if (kind.name != options.kind) continue;
    const std::size_t given = options.inputs.size();
    if (given >= kind.least && given <= kind.most) return kind;
    throw Error(Errc::bad_argument,
                fmt::format("'plot {}' takes {}, but {} given", kind.name, kind.inputs,
                            given == 1 ? "one file is" : "two files are"),
                fmt::format("write genera plot {} {} -o figure.svg", kind.name, kind.inputs));
  }
  throw Error(Errc::bad_argument, "there is no kind of figure called '" + options.kind + "'",
              suggest(options.kind, names, "see 'genera help plot' for the list of kinds"));
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
  refuse_output_onto(options.common, options.inputs);
  const std::optional<std::string>& output = options.common.output;
  DrawingJob job{.format = output ? image_format(*output) : ImageFormat::svg,
                 .width = options.width};
  Inputs inputs(options);
  job.drawing = kind.draw(inputs);
  if (options.folder) {
    const std::string name = output ? std::filesystem::path(*output).filename().string() : "";
    keep_script(job, *options.folder, name.empty() ? "figure.svg" : name);
  }
  if (output) write_output(options.common, images_of({&job, 1})[0]);
}

}  // namespace

Verb plot_verb() { return {plot_text(), run_plot}; }

}  // namespace genera::cli
