#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <genera/diagnosis.hpp>
#include <genera/error.hpp>
#include <genera/figure.hpp>
#include <genera/query.hpp>
#include <genera/stats.hpp>

#include "data/columns.hpp"
#include "figure/scene.hpp"
#include "kernel/index.hpp"
#include "score/committee/bound_classifier.hpp"

namespace genera::figure {
namespace {

using kernel::at;
using Names = std::vector<std::string>;

/// The axes: variate a of x is sum_j coefficients(a, j) (x_j - centre_j).
struct Variates {
  Names columns{};
  Matrix coefficients{};  // variates x columns
  Vector centre{};        // of the columns
  Names names{};          // with the proportion of separation of each
};

/// Rows with complete numbers.
std::vector<Index> complete_rows(const Rows& data, const data::NumberColumns& numbers) {
  std::vector<Index> complete;
  for (Index i = 0; i < data.count(); ++i) {
    const Index row = data.row(i);
    bool there = true;
    for (Index j = 0; j < numbers.count() && there; ++j) there = std::isfinite(numbers(row, j));
    if (there) complete.push_back(row);
  }
  return complete;
}

Variates variates_of(const Rows& rows) {
  const Diagnosis diagnosis = diagnose(collect(rows, {.missing = Missing::drop}).statistics);
  if (diagnosis.variates.empty())
    throw Error(Errc::bad_data,
                fmt::format("there are no canonical variates: {}", diagnosis.means.why_not),
                "choose another kind of figure");
  Variates variates{.columns = diagnosis.columns};
  const Index count = std::min<Index>(2, std::ssize(diagnosis.variates));
  const Index d = std::ssize(variates.columns);
  variates.coefficients = Matrix(count, d);
  for (Index a = 0; a < count; ++a) {
    const CanonicalVariate& variate = diagnosis.variates[at(a)];
    std::ranges::copy(variate.coefficients, variates.coefficients.row(a).begin());
    variates.names.push_back(
        fmt::format("canonical variate {} ({:.3g} %)", a + 1, 100 * variate.proportion));
  }
  variates.centre.resize(at(d));
  const data::NumberColumns numbers(rows.data(),
                                    data::number_places(rows.data(), variates.columns));
  for (Index i = 0; i < rows.count(); ++i) {
    for (Index j = 0; j < d; ++j)
      variates.centre[at(j)] += numbers(rows.row(i), j) / static_cast<double>(rows.count());
  }
  return variates;
}

blocks::Normal projected(const blocks::Normal& normal, const Variates& variates) {
  const Matrix& a = variates.coefficients;
  blocks::Normal to{normal.of_class, normal.weight, Vector(at(a.rows())),
                    Matrix(a.rows(), a.rows()), normal.approximate};
  for (Index p = 0; p < a.rows(); ++p) {
    for (Index j = 0; j < a.columns(); ++j)
      to.mean[at(p)] += a(p, j) * (normal.mean[at(j)] - variates.centre[at(j)]);
    for (Index q = 0; q < a.rows(); ++q) {
      for (Index i = 0; i < a.columns(); ++i) {
        for (Index j = 0; j < a.columns(); ++j)
          to.covariance(p, q) += a(p, i) * normal.covariance(i, j) * a(q, j);
      }
    }
  }
  for (Index p = 0; p < a.rows(); ++p)  // exactly symmetric
    for (Index q = 0; q < p; ++q) to.covariance(p, q) = to.covariance(q, p);
  return to;
}

Points project(const Rows& rows, const Variates& variates, const Names& classes) {
  Points points = points_of(rows, variates.columns, classes);
  const Matrix& a = variates.coefficients;
  std::vector<Vector> at_variates(at(a.rows()), Vector(at(points.count())));
  for (Index p = 0; p < a.rows(); ++p) {
    for (Index i = 0; i < points.count(); ++i) {
      for (Index j = 0; j < a.columns(); ++j)
        at_variates[at(p)][at(i)] += a(p, j) * (points.at[at(j)][at(i)] - variates.centre[at(j)]);
    }
  }
  points.at = std::move(at_variates);
  return points;
}

Matrix class_means(const Points& points, Index classes) {
  Matrix means(classes, std::ssize(points.at));
  Vector counts(at(classes));
  for (Index i = 0; i < points.count(); ++i) {
    const std::int32_t k = points.classes[at(i)];
    if (k < 0) continue;
    counts[at(k)] += 1;
    for (Index a = 0; a < means.columns(); ++a)
      means(k, a) += (points.at[at(a)][at(i)] - means(k, a)) / counts[at(k)];
  }
  for (Index k = 0; k < classes; ++k)
    if (counts[at(k)] == 0) std::ranges::fill(means.row(k), std::nan(""));
  return means;
}

/// Section for a linear model: features move with the variates as they do within classes.
class Section : public Shown {
 public:
  Section(const LinearModel& model, const Rows& rows, const Variates& variates,
          const Points& points, const Matrix& means, const Control& control)
      : variates_(variates),
        along_(means.columns(), std::ssize(variates.columns)),
        model_(shown(model, variates.columns, Others::mean, control)) {
    const Points columns = points_of(rows, variates.columns, model.classes());
    const Matrix own = class_means(columns, means.rows());
    Index count = -means.rows();
    for (Index i = 0; i < points.count(); ++i) count += points.classes[at(i)] >= 0 ? 1 : 0;
    for (Index i = 0; i < points.count(); ++i) {
      const std::int32_t k = points.classes[at(i)];
      if (k < 0) continue;
      for (Index p = 0; p < along_.rows(); ++p) {
        for (Index j = 0; j < along_.columns(); ++j)
          along_(p, j) += (points.at[at(p)][at(i)] - means(k, p)) *
                          (columns.at[at(j)][at(i)] - own(k, j)) /
                          static_cast<double>(std::max<Index>(count, 1));
      }
    }
  }

  [[nodiscard]] Matrix scores(const Matrix& points) const override {
    Matrix rows(points.rows(), along_.columns());
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index j = 0; j < rows.columns(); ++j) {
        rows(i, j) = variates_.centre[at(j)];
        for (Index p = 0; p < along_.rows(); ++p) rows(i, j) += points(i, p) * along_(p, j);
      }
    }
    return model_->scores(rows);
  }
  [[nodiscard]] Matrix log_joint(const Matrix& points) const override {
    return model_->log_joint(points);
  }
  [[nodiscard]] std::string about_others() const override {
    return "the features move with the variates as they do within the classes";
  }

 private:
  Variates variates_;
  Matrix along_;  // variates x columns: change of the columns per unit of a variate
  std::unique_ptr<const Shown> model_;
};

}  // namespace

Canonical canonical(ClassifierRef model, const Rows& data, const Options& options,
                    const Control& control) {
  if (model.committee()) score::refuse_committee("plane of canonical variates");
  if (data.data().labels.empty())
    throw Error(Errc::bad_data, "the rows have no labels, and canonical variates are about classes",
                {"name the column that holds the class with {}", {{"target"}}});
  const Names names = numeric_features(model);
  if (names.empty())
    throw Error(Errc::bad_model, "the model has no feature that is a number",
                "choose another kind of figure");
  const std::vector<Index> places = data::number_places(data.data(), names);
  const std::vector<Index> complete = complete_rows(data, data::NumberColumns(data.data(), places));
  Rows numbers(std::make_shared<DataView>(data::only_numbers(data.data(), places)));
  const Variates variates = variates_of(numbers.only(complete));

  Scene scene{.axes = variates.names};
  scene.points = project(numbers.only(complete), variates, model.classes());
  scene.points.left_out = data.count() - std::ssize(complete);
  scene.points.predictions = predict(model, data.only(complete), control);
  Canonical figure{.means = class_means(scene.points, std::ssize(model.classes()))};
  std::optional<Model> plane;
  if (const Model* joint = model.model()) {
    for (const blocks::Normal& normal : normals(*joint, variates.columns))
      scene.normals.push_back(projected(normal, variates));
    if (std::ranges::any_of(scene.normals, &blocks::Normal::approximate))
      throw Error(Errc::bad_model,
                  "the canonical plane takes normal densities, and the model has others",
                  "choose another kind of figure, such as regions");
    plane = Model(model.classes(), model.prior(), {blocks::block_of(scene.normals, variates.names)},
                  model.target())
                .with_temperature(model.temperature());
    scene.model = shown(*plane, variates.names, Others::marginal, control);
  } else {
    scene.model = std::make_unique<Section>(*model.linear(), numbers.only(complete), variates,
                                            scene.points, figure.means, control);
  }
  scene.frame = {.axes = ranges_for(variates.names, options, scene.points, scene.normals, 0.9),
                 .classes = model.classes(),
                 .target = model.target()};
  say(scene.frame, scene.model->about_others());
  if (model.model() && std::ssize(model.features()) > std::ssize(variates.columns))
    say(scene.frame, "features that are not in the variates are marginalised");
  say_left_out(scene.frame, scene.points);
  say_unknown(scene.frame, scene.points);
  if (variates.names.size() == 1) {
    figure.line =
        line_of(std::move(scene), model.prior().probabilities(), options, model.model() != nullptr);
  } else {
    figure.regions = regions_of(std::move(scene), model.prior().probabilities(), options);
  }
  return figure;
}

}  // namespace genera::figure
