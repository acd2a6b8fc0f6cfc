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

/// What a figure shows, as plain numbers and names, for whoever draws it. Nothing here draws.
/// Axes are features that are numbers. Features that are not shown are marginalised exactly, or put
/// at a mean; the caption says which.
namespace genera::figure {

struct Range {
  double low = 0, high = 1;
};

struct Axis {
  std::string name{};
  Range range{};
};

/// What becomes of the features that are not shown. Softmax regression has no distribution of them:
/// they are at the means of the training rows, whatever is asked for.
enum class Others {
  marginal,  ///< they are integrated out
  mean,      ///< they are where they are expected to be at each place of the figure
};

struct Options {
  /// The features on the axes. Those that are not named are chosen: see `separating_features`.
  std::vector<std::string> axes{};
  std::vector<std::optional<Range>> ranges{};  ///< of the axes; none: what there is to see
  Others others = Others::marginal;
  Index columns = 320, rows = 240;  ///< of grids
  /// Probabilities inside of ellipses and contours; empty: 0.5, 0.9 and 0.99, of more than six
  /// Gaussians 0.5 alone.
  Vector masses{};
};

/// Rows as points. Those that lack a number that is shown are counted, and left out.
struct Points {
  std::vector<Vector> at{};                 ///< for each axis: a number for each point
  std::vector<std::int32_t> classes{};      ///< of each point; -1: unknown. Empty: of all
  std::vector<std::int32_t> predictions{};  ///< of each point, by all of its features; or empty
  Index left_out = 0;

  [[nodiscard]] Index count() const { return at.empty() ? 0 : std::ssize(at[0]); }
  /// It has a class, and another one is predicted.
  [[nodiscard]] bool wrong(Index i) const {
    const auto place = static_cast<std::size_t>(i);
    return !predictions.empty() && !classes.empty() && classes[place] >= 0 &&
           classes[place] != predictions[place];
  }
  [[nodiscard]] Index wrong() const;
};

/// A line through points one after the other.
struct Curve {
  Vector x{}, y{};
  Index first = -1, second = -1;  ///< of a boundary: the classes on both sides
};

/// Of a normal density: inside of it is the probability `mass` of its class or component.
struct Ellipse {
  Index of_class = 0;
  Index component = 0;  ///< of the class
  double weight = 1;    ///< of the component
  double mass = 0;
  double x = 0, y = 0;          ///< the centre
  double major = 0, minor = 0;  ///< half of the axes
  double angle = 0;             ///< of the major axis, against the x-axis
  Curve outline{};              ///< closed
};

/// Places, in columns and rows; what there is of each of them stands row after row.
struct Grid {
  Vector x{}, y{};
  [[nodiscard]] Index cells() const { return std::ssize(x) * std::ssize(y); }
};

/// What all figures have.
struct Frame {
  std::vector<Axis> axes{};
  std::vector<std::string> classes{};  ///< in the order of the model; of data sorted
  std::string target{};                ///< what the classes are called
  std::vector<std::string> caption{};  ///< sentences: what became of the other features, and so on
};

struct Scatter {
  Frame frame{};
  Points points{};
};
/// The rows by their class. Throws Error: bad_argument if a feature is unknown (with the nearest),
/// bad_data if there are not two columns of numbers.
[[nodiscard]] Scatter scatter(const Rows& rows, const Options& options = {});

/// Which class is the most probable one at each place, and how probable.
struct Regions {
  Frame frame{};
  Grid grid{};
  Matrix posterior{};                  ///< cells x classes
  std::vector<std::int32_t> labels{};  ///< of the cells
  /// Where the two largest of the scores that classes are compared by (log joint densities) are
  /// equal; several classes meet where curves end.
  std::vector<Curve> boundaries{};
  std::vector<Ellipse> ellipses{};  ///< of the Gaussians; none of a linear model
  Points points{};                  ///< of the data, if there are any
};
/// `data` may be null; labels in it need not be known. Throws Error: bad_model if the model has
/// fewer than two numeric features, bad_argument if a feature is unknown (with the nearest) or
/// nothing says how far the axes reach, bad_data if the rows lack a column of the model.
[[nodiscard]] Regions regions(ClassifierRef model, const Rows* data, const Options& options = {},
                              const Control& control = {});

/// A contour of a density.
struct Contour {
  Index of_class = -1;  ///< -1: of all classes together
  double mass = 0;      ///< inside of it: where the density is higher
  double level = 0;     ///< the density on it
  std::vector<Curve> lines{};
};

struct Density {
  Frame frame{};
  Grid grid{};
  Vector density{};                 ///< p(x), of the cells
  Matrix joint{};                   ///< cells x classes: prior times p(x | class)
  std::vector<Contour> contours{};  ///< of p(x), and then of each class
  std::vector<Curve> boundaries{};  ///< where the two largest joint densities are equal
  Points points{};
};
[[nodiscard]] Density density(const Model& model, const Rows* data, const Options& options = {},
                              const Control& control = {});

/// One feature.
struct Line {
  Frame frame{};
  Vector x{};
  Vector density{};     ///< p(x)
  Matrix joint{};       ///< x by classes: prior times p(x | class); empty of a linear model
  Matrix posterior{};   ///< x by classes
  Vector boundaries{};  ///< where the most probable class changes
  struct Area {
    Range between{};
    double probability = 0;
  };
  std::optional<Area> area{};
  Points points{};
};
/// With `between` its probability, of a joint distribution only.
[[nodiscard]] Line line(ClassifierRef model, const Rows* data, const Options& options = {},
                        const std::optional<Range>& between = {}, const Control& control = {});

/// The surface in three dimensions inside of which a Gaussian has the probability `mass`.
struct Ellipsoid {
  Index of_class = 0, component = 0;
  double mass = 0;
  Vector centre{};  ///< 3
  Matrix axes{};    ///< 3 x 3: the half axes, row by row, the longest first
};
struct Solid {
  Frame frame{};
  std::vector<Ellipsoid> ellipsoids{};
  Points points{};
};
[[nodiscard]] Solid solid(const Model& model, const Rows* data, const Options& options = {},
                          const Control& control = {});

/// Rows drawn from the model beside those of the data, on the same axes.
struct Samples {
  Frame frame{};
  Points data{}, drawn{};
};
/// As many rows as the data have points, and at least one.
[[nodiscard]] Samples samples(const Model& model, const Rows& data, const Rng& rng,
                              const Options& options = {}, const Control& control = {});

/// All pairs of some features.
struct Pairs {
  Frame frame{};                 ///< with an axis for each feature
  std::vector<Line> lines{};     ///< of each feature
  std::vector<Regions> below{};  ///< of (1, 0), (2, 0), (2, 1), (3, 0), ...: features y, x
  Points points{};               ///< with a coordinate for each feature
};
/// Of the features named, or of those that separate the classes best, at most `max` of them.
[[nodiscard]] Pairs pairs(ClassifierRef model, const Rows& data, const Options& options = {},
                          Index max = 5, const Control& control = {});

/// The data in the plane of the first two canonical variates (of the data's own classes: see
/// `diagnose`), with the regions that the model has there. A joint distribution is marginalised to
/// the plane; a linear model is asked where the features are expected to be, within the classes,
/// given the variates.
struct Canonical {
  Regions regions{};           ///< empty if there is only one variate: of two classes
  std::optional<Line> line{};  ///< which is then here
  Matrix means{};              ///< classes x variates, of the data
};
/// Rows that lack a number are left out. Throws Error (bad_data) if there are no canonical
/// variates, saying why.
[[nodiscard]] Canonical canonical(ClassifierRef model, const Rows& data,
                                  const Options& options = {}, const Control& control = {});

/// Rows by truth and prediction.
struct Confusion {
  Frame frame{};
  Matrix counts{};  ///< K x K, the truth by rows
  Matrix shares{};  ///< of each row; 0 where there is none
};
[[nodiscard]] Confusion confusion(const Evaluation& evaluation);

struct Reliability {
  Frame frame{};
  std::vector<ReliabilityBin> bins{};  ///< those with rows
  double error = 0;                    ///< the expected calibration error
  Index rows = 0;
};
[[nodiscard]] Reliability reliability(const Evaluation& evaluation);

/// How many negatives are taken for positives (x) to find so many of the positives (y).
struct RocCurve {
  std::string name{};  ///< the positive class
  Index of_class = 0;
  Vector x{}, y{};  ///< shares, from (0, 0) to (1, 1)
  double area = 0;  ///< area_under_roc
};
struct Roc {
  Frame frame{};
  std::vector<RocCurve> curves{};  ///< of each class against all others; of two classes one curve
};
/// Of two classes that of `positive`. Throws Error (bad_data) if no class has both rows of its own
/// and rows of others.
[[nodiscard]] Roc roc(ClassifierRef model, const Rows& data, Index positive = 1,
                      const Control& control = {});

/// Something on which lower is better, against something that was tried, for several models.
struct Trend {
  std::string name{};
  bool solid = true;  ///< of two sorts that are drawn differently: generative ones
  Vector x{}, y{};
  Vector error{};                      ///< standard errors, or empty
  std::vector<std::uint8_t> usable{};  ///< or empty: all of them
};
struct Trends {
  Frame frame{};  ///< two axes
  bool log_x = false;
  std::vector<Trend> trends{};
  std::optional<std::pair<std::size_t, std::size_t>> best{};  ///< a trend, and a place in it
  Vector marks{};                                             ///< on the x-axis: crossings
};
/// Means of so many random splits, and the sizes at which curves of pairs cross.
[[nodiscard]] Trends curves(const std::vector<LearningCurve>& curves, Index repeats,
                            Metric metric = Metric::error, const Vector& crossings = {});
/// Without the crossings of pairs, which the curves alone do not name.
[[nodiscard]] Trends curves(const LearningCurves& curves, Metric metric = Metric::error);
/// `best` is the place of the one that was chosen.
[[nodiscard]] Trends bic(const std::vector<ClusterCandidate>& candidates,
                         std::optional<std::size_t> best = {});
[[nodiscard]] Trends bic(const Clustering& clustering);

/// Held-out scores of two parameters.
struct HeatMap {
  Frame frame{};
  Vector x{}, y{};
  Matrix values{};  ///< y by x; NaN where nothing was tried
  std::string value_name{};
  std::optional<std::pair<Index, Index>> best{};  ///< places in y and x
};
/// What rda is worth at one point of its grid; NaN: it could not be used there.
struct GridScore {
  double alpha = 0, gamma = 0;
  double value = 0;
};
/// All points that were tried. `chosen` are its alpha and gamma; none, or not among them: the point
/// with the least value. Throws Error (bad_data) if there is no point.
[[nodiscard]] HeatMap path(const std::vector<GridScore>& scores,
                           const std::optional<std::pair<double, double>>& chosen = {},
                           Metric metric = Metric::log_loss);

/// What speaks for the classes.
struct Bar {
  std::string name{};
  double value = 0;
  Index of_class = -1;  ///< -1: of all
};
struct Features {
  Frame frame{};
  /// Numbers, the largest first: the share of their variance that is between the classes.
  std::vector<Bar> separation{};
  /// For each class the levels and terms that speak most for it: log odds.
  std::vector<std::vector<Bar>> evidence{};
};
[[nodiscard]] Features features(ClassifierRef model, Index max = 12);

/// The numeric features that separate the classes of a model best: among all sets of `count`
/// features that contain those given, the largest trace of (W + B)^-1 B (Pillai's), where W is the
/// mean covariance within the classes and B that of their means, both weighted by the prior;
/// features are added one at a time except that the first two are chosen together, among the 40
/// that separate best alone. Names in the order of the model. A linear model has no moments: `data`
/// has, if there are any; else they are the first ones. Throws Error: bad_argument if one of
/// `given` is unknown or given twice, bad_model if there are not enough numbers.
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
