#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <genera/classifier.hpp>
#include <genera/control.hpp>
#include <genera/curves.hpp>
#include <genera/evaluate.hpp>
#include <genera/facts.hpp>
#include <genera/mixture.hpp>
#include <genera/random.hpp>
#include <genera/rows.hpp>

/// The content of figures as numbers and names, for any program that draws. Axes are numeric
/// features. Features that are not shown are marginalised exactly or fixed at a mean, as the
/// caption states.
namespace genera::figure {

struct Range {
  double low = 0, high = 1;
};

struct Axis {
  std::string name{};
  Range range{};
};

/// Treatment of the features that are not shown. Softmax regression, which has no distribution of
/// them, always fixes them at the training means.
enum class Others {
  marginal,  ///< marginalised
  mean,      ///< fixed at their expectation given the features shown
};

struct Options {
  /// Features on the axes. Those that are not named are chosen by `separating_features`.
  std::vector<std::string> axes{};
  std::vector<std::optional<Range>> ranges{};  ///< of the axes; empty: chosen to fit the content
  Others others = Others::marginal;
  Index columns = 320, rows = 240;  ///< size of grids
  /// Probability masses of ellipses and contours; empty: 0.5, 0.9 and 0.99, or only 0.5 with more
  /// than six Gaussians.
  Vector masses{};
  Index draws = 0;  ///< rows that `samples` draws; 0: as many as the data have points, or 300
};

/// Numeric features that can be on an axis, in the order of the model. For a joint distribution
/// they must have a density, which excludes counts modelled by presence. With only one, the figures
/// of a plane do not exist, and `line`, `line_of_samples` and `line_of_rows` take their place.
[[nodiscard]] std::vector<std::string> numeric_features(ClassifierRef model);
/// Columns of numbers of the rows.
[[nodiscard]] std::vector<std::string> numeric_features(const Rows& rows);

/// Rows as points. Rows that lack a displayed number are counted and left out.
struct Points {
  std::vector<Vector> at{};             ///< for each axis: the coordinate of each point
  std::vector<std::int32_t> classes{};  ///< of each point; -1: unknown. Empty: all unknown
  /// of each point, using all of its features; may be empty
  std::vector<std::int32_t> predictions{};
  Vector weights{};  ///< of each point; empty: each counts once
  Index left_out = 0;

  [[nodiscard]] Index count() const { return at.empty() ? 0 : std::ssize(at[0]); }
  /// True if the point has a class and another one is predicted.
  [[nodiscard]] bool wrong(Index i) const {
    const auto place = static_cast<std::size_t>(i);
    return !predictions.empty() && !classes.empty() && classes[place] >= 0 &&
           classes[place] != predictions[place];
  }
  [[nodiscard]] Index wrong() const;
};

/// A polyline.
struct Curve {
  Vector x{}, y{};
  Index first = -1, second = -1;  ///< of a boundary: the classes on its two sides
};

/// An ellipse of a normal density that contains the probability `mass` of its class or component.
struct Ellipse {
  Index of_class = 0;
  Index component = 0;  ///< index within the class
  double weight = 1;    ///< of the component
  double mass = 0;
  double x = 0, y = 0;          ///< centre
  double major = 0, minor = 0;  ///< half axes
  double angle = 0;             ///< of the major axis to the x-axis
  Curve outline{};              ///< closed
};

/// A rectangular grid. Values at its cells are stored row by row.
struct Grid {
  Vector x{}, y{};
  [[nodiscard]] Index cells() const { return std::ssize(x) * std::ssize(y); }
};

/// Common parts of all figures.
struct Frame {
  std::vector<Axis> axes{};
  std::vector<std::string> classes{};  ///< in the order of the model; without a model sorted
  std::string target{};                ///< name of the label
  std::vector<std::string> caption{};  ///< sentences, for example about features that are not shown
};

struct Scatter {
  Frame frame{};
  Points points{};
};
/// The rows, coloured by class. Throws Error: bad_argument if a feature is unknown (with the
/// nearest name), bad_data if there are fewer than two numeric columns.
[[nodiscard]] Scatter scatter(const Rows& rows, const Options& options = {});

/// The most probable class at each cell and its posterior.
struct Regions {
  Frame frame{};
  Grid grid{};
  Matrix posterior{};                  ///< cells x classes
  std::vector<std::int32_t> labels{};  ///< of the cells
  /// Curves on which the two largest scores (log joint densities) are equal. Three or more classes
  /// meet at their ends.
  std::vector<Curve> boundaries{};
  std::vector<Ellipse> ellipses{};  ///< of Gaussians; empty for a linear model
  Points points{};                  ///< of the data, if any
};
/// `data` may be null; its labels may be unknown. Throws Error: bad_model if the model has fewer
/// than two numeric features, bad_argument if a feature is unknown (with the nearest name) or the
/// ranges of the axes are not determined, bad_data if the rows lack a column of the model.
[[nodiscard]] Regions regions(ClassifierRef model, const Rows* data, const Options& options = {},
                              const Control& control = {});

/// A contour of a density.
struct Contour {
  Index of_class = -1;  ///< -1: of the marginal density
  double mass = 0;      ///< probability inside, where the density is higher
  double level = 0;     ///< density on the contour
  std::vector<Curve> lines{};
};

struct Density {
  Frame frame{};
  Grid grid{};
  Vector density{};                 ///< p(x) at the cells
  Matrix joint{};                   ///< cells x classes: prior times p(x | class)
  std::vector<Contour> contours{};  ///< of p(x), then of each class
  std::vector<Curve> boundaries{};  ///< where the two largest joint densities are equal
  Points points{};
};
[[nodiscard]] Density density(const Model& model, const Rows* data, const Options& options = {},
                              const Control& control = {});

/// Rows on one axis as bars of equal width. The areas of all bars sum to one, so that they compare
/// with p(x), and those of a class to its share of the rows, so that they compare with prior times
/// p(x | class).
struct Histogram {
  Vector edges{};    ///< of m bars: m + 1 places
  Vector density{};  ///< m: of all rows, also those without a known class
  Matrix joint{};    ///< m x classes
};

/// A normal component of a class with several.
struct Part {
  Index of_class = 0, component = 0;
  double weight = 0;  ///< within the class
  Vector density{};   ///< at the places of the figure: prior times weight times the normal density
};

/// A figure over one feature.
struct Line {
  Frame frame{};
  Vector x{};
  Vector density{};     ///< p(x)
  Matrix joint{};       ///< x by classes: prior times p(x | class); empty for a linear model
  Matrix posterior{};   ///< x by classes
  Vector boundaries{};  ///< points at which the most probable class changes
  struct Area {
    Range between{};
    double probability = 0;
  };
  std::optional<Area> area{};
  std::vector<Part> parts{};  ///< of the classes with several components
  Points points{};
  std::optional<Histogram> histogram{};  ///< of the points by class
  std::optional<Histogram> predicted{};  ///< of the same points by predicted class
  std::optional<Histogram> drawn{};      ///< of rows drawn from the model, by class
  Index draws = 0;                       ///< their number
};
/// With `between`, also its probability; for joint distributions only.
[[nodiscard]] Line line(ClassifierRef model, const Rows* data, const Options& options = {},
                        const std::optional<Range>& between = {}, const Control& control = {});
/// The histogram of one feature, without a model. Throws Error as `scatter` does.
[[nodiscard]] Line line_of_rows(const Rows& rows, const Options& options = {});

/// An ellipsoid that contains the probability `mass` of a three-dimensional Gaussian.
struct Ellipsoid {
  Index of_class = 0, component = 0;
  double mass = 0;
  Vector centre{};  ///< 3
  Matrix axes{};    ///< 3 x 3: half axes as rows, the longest first
};
struct Solid {
  Frame frame{};
  std::vector<Ellipsoid> ellipsoids{};
  Points points{};
};
[[nodiscard]] Solid solid(const Model& model, const Rows* data, const Options& options = {},
                          const Control& control = {});

/// Rows drawn from the model beside the rows of the data, on the same axes.
struct Samples {
  Frame frame{};
  Points data{}, drawn{};
};
/// `data` may be null.
[[nodiscard]] Samples samples(const Model& model, const Rows* data, const Rng& rng,
                              const Options& options = {}, const Control& control = {});
/// The same for one feature, with the densities; `data` may be null.
[[nodiscard]] Line line_of_samples(const Model& model, const Rows* data, const Rng& rng,
                                   const Options& options = {}, const Control& control = {});

/// A matrix of panels for all pairs of features.
struct Pairs {
  Frame frame{};                 ///< with an axis for each feature
  std::vector<Line> lines{};     ///< for each feature
  std::vector<Regions> below{};  ///< of (1, 0), (2, 0), (2, 1), (3, 0), ...: features y, x
  Points points{};               ///< one coordinate for each feature
};
/// Of the named features, or of at most `max` features that separate the classes best.
[[nodiscard]] Pairs pairs(ClassifierRef model, const Rows& data, const Options& options = {},
                          Index max = 5, const Control& control = {});

/// The data in the plane of the first two canonical variates (of the classes of the data: see
/// `diagnose`), with the decision regions of the model. A joint distribution is marginalised to the
/// plane; a linear model is evaluated at the expectation of the features within the classes given
/// the variates.
struct Canonical {
  Regions regions{};           ///< empty with two classes, which have one variate
  std::optional<Line> line{};  ///< used instead with two classes
  Matrix means{};              ///< classes x variates: class means of the data
};
/// Rows with missing numbers are left out. Throws Error (bad_data) with the reason if there are no
/// canonical variates.
[[nodiscard]] Canonical canonical(ClassifierRef model, const Rows& data,
                                  const Options& options = {}, const Control& control = {});

/// Confusion matrix.
struct Confusion {
  Frame frame{};
  Matrix counts{};  ///< K x K, true classes as rows
  Matrix shares{};  ///< fractions of each row; 0 in rows without counts
};
[[nodiscard]] Confusion confusion(const Evaluation& evaluation);

struct Reliability {
  Frame frame{};
  std::vector<ReliabilityBin> bins{};  ///< bins with rows
  double error = 0;                    ///< expected calibration error
  Index rows = 0;
};
[[nodiscard]] Reliability reliability(const Evaluation& evaluation);

/// An ROC curve: false positive rate (x) and true positive rate (y).
struct RocCurve {
  std::string name{};  ///< positive class
  Index of_class = 0;
  Vector x{}, y{};  ///< from (0, 0) to (1, 1)
  double area = 0;  ///< area_under_roc
};
struct Roc {
  Frame frame{};
  /// of each class against all others; with two classes, one curve
  std::vector<RocCurve> curves{};
};
/// With two classes, of class `positive`. Throws Error (bad_data) unless some class has both
/// positive and negative rows.
[[nodiscard]] Roc roc(ClassifierRef model, const Rows& data, Index positive = 1,
                      const Control& control = {});
/// The same for posteriors of any classifier, n x K in the order of these classes; of the data only
/// the labels are used.
[[nodiscard]] Roc roc(const std::vector<std::string>& classes, const Matrix& posterior,
                      const Rows& data, Index positive = 1);

/// A quantity to be minimised as a function of a tuning value, for several models.
struct Trend {
  std::string name{};
  bool solid = true;  ///< line style; solid for generative models
  Vector x{}, y{};
  Vector error{};                      ///< standard errors; may be empty
  Vector low{}, high{};                ///< intervals; may be empty
  std::vector<std::uint8_t> usable{};  ///< empty: all
};
struct Trends {
  Frame frame{};  ///< two axes
  bool log_x = false, log_y = false;
  std::vector<Trend> trends{};
  /// indices of a trend and of a point in it
  std::optional<std::pair<std::size_t, std::size_t>> best{};
  Vector marks{};                ///< positions on the x-axis, such as crossings
  std::optional<Trend> guide{};  ///< a line to compare slopes with
};
/// The size at which the curves of two models cross.
struct CurveCrossing {
  std::string first{}, second{};
  double size = 0;
};
/// Means over `repeats` random splits, and the sizes at which curves of pairs cross.
[[nodiscard]] Trends curves(const std::vector<LearningCurve>& curves, Index repeats,
                            Metric metric = Metric::error,
                            const std::vector<CurveCrossing>& crossings = {});
/// Without crossings, which need pairs.
[[nodiscard]] Trends curves(const LearningCurves& curves, Metric metric = Metric::error);
/// Training rows that a model needs to come within some distance of its limit.
struct NeededRows {
  std::string model{};
  bool generative = true;
  Index columns = 0;
  std::optional<double> rows{}, low{}, high{};  ///< empty: outside of the tested sizes
};
/// Rows needed against the number of columns, on logarithmic axes, with a line proportional to the
/// columns: a model that needs O(p) rows is parallel to it, one that needs O(log p) flattens.
/// `within` is that distance. Throws Error (bad_data) if no number of rows is known.
[[nodiscard]] Trends needed(const std::vector<NeededRows>& needed, double within);
[[nodiscard]] Trends needed(const Comparison& comparison);
/// `best` is the index of the chosen candidate.
[[nodiscard]] Trends bic(const std::vector<ClusterCandidate>& candidates,
                         std::optional<std::size_t> best = {});
[[nodiscard]] Trends bic(const Clustering& clustering);

/// Held-out scores for a grid of two parameters.
struct HeatMap {
  Frame frame{};
  Vector x{}, y{};
  Matrix values{};  ///< y by x; NaN where nothing was evaluated
  std::string value_name{};
  std::optional<std::pair<Index, Index>> best{};  ///< indices in y and x
};
/// Held-out score of rda at one point of its grid; NaN if it could not be fitted.
struct GridScore {
  double alpha = 0, gamma = 0;
  double value = 0;
};
/// All evaluated points. `chosen` are the alpha and gamma to mark; if empty or not among the
/// points, the point with the lowest value is marked. Throws Error (bad_data) if there is no point.
[[nodiscard]] HeatMap path(const std::vector<GridScore>& scores,
                           const std::optional<std::pair<double, double>>& chosen = {},
                           Metric metric = Metric::log_loss);

/// A bar: the evidence of a feature.
struct Bar {
  std::string name{};
  double value = 0;
  Index of_class = -1;  ///< -1: all classes
};
struct Features {
  Frame frame{};
  /// Numeric features by decreasing fraction of their variance that lies between the classes.
  std::vector<Bar> separation{};
  /// For each class the levels and terms with the largest log odds for it.
  std::vector<std::vector<Bar>> evidence{};
};
[[nodiscard]] Features features(ClassifierRef model, Index max = 12);

/// The `count` numeric features that separate the classes of a model best: those that, together
/// with `given`, have the largest trace of (W + B)^-1 B (Pillai), where W is the mean within-class
/// covariance and B the covariance of the class means, both weighted by the prior. Features are
/// added one at a time, except that the first two are chosen together among the 40 that separate
/// best alone. Returns names in the order of the model. For a linear model, which has no moments,
/// those of `data` are used, or else the first features. Throws Error: bad_argument if one of
/// `given` is unknown or occurs twice, bad_model if there are too few numeric features.
[[nodiscard]] std::vector<std::string> separating_features(
    ClassifierRef model, Index count, const std::vector<std::string>& given = {},
    const Rows* data = nullptr);

/// The figure as data, for JSON and for other programs that draw.
[[nodiscard]] Facts facts(const Scatter& figure);
[[nodiscard]] Facts facts(const Regions& figure);
[[nodiscard]] Facts facts(const Density& figure);
[[nodiscard]] Facts facts(const Line& figure);
[[nodiscard]] Facts facts(const Solid& figure);
[[nodiscard]] Facts facts(const Samples& figure);
[[nodiscard]] Facts facts(const Pairs& figure);
[[nodiscard]] Facts facts(const Canonical& figure);
[[nodiscard]] Facts facts(const Confusion& figure);
[[nodiscard]] Facts facts(const Reliability& figure);
[[nodiscard]] Facts facts(const Roc& figure);
[[nodiscard]] Facts facts(const Trends& figure);
[[nodiscard]] Facts facts(const HeatMap& figure);
[[nodiscard]] Facts facts(const Features& figure);

}  // namespace genera::figure
