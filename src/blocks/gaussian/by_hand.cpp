#include <string>

#include <fmt/format.h>

#include "blocks/gaussian/document.hpp"

namespace genera::blocks {
namespace {

struct Shape {
  bool shared = false;  ///< one covariance at the top
  bool full = false;    ///< a matrix, not only its diagonal
};

Shape shape_of(const Field& root, const DocumentClasses& classes) {
  const bool shared = root.has("covariance") || root.has("variance");
  const Field& holder = shared ? root : classes.fields.front();
  return {shared, holder.has("covariance") || !holder.has("variance")};
}

void check_keys(const Field& root, const DocumentClasses& classes, Shape shape) {
  root.allow_only({"format", "version", "target", "classes", "features", "covariance", "variance",
                   "notes", "temperature", "origin"});
  for (const Field& one : classes.fields)
    one.allow_only({"name", "prior", "count", "mean", "covariance", "variance"});

  const std::string key = shape.full ? "covariance" : "variance";
  const std::string other = shape.full ? "variance" : "covariance";
  const std::string hint =
      "give one 'covariance' or 'variance' for all, or the same of the two in every class";
  if (shape.shared && root.has(other))
    root[other].refuse("is given in addition to '" + key + "'", hint);
  for (const Field& one : classes.fields) {
    if (one.has(other)) one[other].refuse("is given in addition to '" + key + "'", hint);
    if (shape.shared && one.has(key)) one[key].refuse("is given in addition to a shared one", hint);
  }
}

std::vector<std::string> feature_names(const Field& root, const DocumentClasses& classes) {
  if (root.has("features")) return root["features"].distinct_texts();
  const Field mean = classes.fields.front()["mean"];
  const std::size_t d = mean.is_number() ? 1 : mean.numbers().size();
  std::vector<std::string> names;
  for (std::size_t j = 1; j <= d; ++j) names.push_back(fmt::format("x{}", j));
  return names;
}

std::vector<Field> each(const std::vector<Field>& holders, const std::string& key) {
  std::vector<Field> fields;
  for (const Field& holder : holders) fields.push_back(holder[key]);
  return fields;
}

}  // namespace

Block hand_written_block(const Field& root, const DocumentClasses& classes) {
  const Shape shape = shape_of(root, classes);
  check_keys(root, classes, shape);
  GaussianParameters parameters;
  parameters.structure = shape.full ? (shape.shared ? Covariance::tied : Covariance::full)
                                    : (shape.shared ? Covariance::tied_diag : Covariance::diag);
  parameters.columns = feature_names(root, classes);
  parameters.counts = classes.counts;
  const auto d = static_cast<Index>(parameters.columns.size());
  parameters.means = document::stacked(each(classes.fields, "mean"), d);
  const std::vector<Field> holders = shape.shared ? std::vector<Field>{root} : classes.fields;
  if (shape.full)
    for (const Field& one : each(holders, "covariance"))
      parameters.covariances.push_back(symmetric_matrix(one, d));
  else
    parameters.variances = positive_rows(each(holders, "variance"), d);
  return make_block(std::move(parameters), classes, root.file());
}

}  // namespace genera::blocks
