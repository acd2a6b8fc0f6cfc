#include "io/document.hpp"

#include "io/model_fields.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/text.hpp"

#include <genera/error.hpp>
#include <genera/names.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace genera::io {
namespace {

constexpr std::array families = {Family::qda,       Family::lda,      Family::gnb, Family::dlda,
                                 Family::spherical, Family::centroid, Family::rda};

/// A number of every class, or of none.
Vector numbers_of_classes(const std::vector<Field>& classes, const std::string& key) {
  const bool any =
      std::any_of(classes.begin(), classes.end(), [&](const Field& one) { return one.has(key); });
  Vector numbers;
  if (any)
    for (const Field& one : classes) numbers.push_back(one[key].number_at_least(0));
  return numbers;
}

/// Classes written by hand come in any order; ties go to the one that sorts first.
void sort_by_name(std::vector<Field>& classes) {
  std::vector<std::string> names;
  for (const Field& one : classes) names.push_back(one["name"].text());
  sort_labels(names);
  const NameSet ranks(names);
  const auto rank = [&](const Field& one) { return *ranks.find(one["name"].text()); };
  std::stable_sort(classes.begin(), classes.end(),
                   [&](const Field& a, const Field& b) { return rank(a) < rank(b); });
}

bool read_unbiased(const Field& field) {
  if (field.text() == "mle") return false;
  if (field.text() == "unbiased") return true;
  field.refuse(fmt::format("is '{}', expected 'mle' or 'unbiased'", field.text()),
               "mle divides by n, unbiased by n - 1");
}

std::string covariance_key(const Field& block) {
  const std::vector<std::string> keys = {"covariances", "covariance", "variances", "variance"};
  std::vector<std::string> found;
  for (const std::string& key : keys)
    if (block.has(key)) found.push_back(key);
  if (found.size() == 1) return found.front();
  block.refuse(found.empty() ? "has no covariances" : "has both " + kernel::quoted_list(found),
               "it needs exactly one of " + kernel::quoted_list(keys));
}

GaussianBlock read_gaussian(const Field& block, const Classes& classes) {
  block.allow_only({"type", "model", "features", "means", "covariances", "covariance", "variances",
                    "variance", "alpha", "gamma", "shrinkage", "raw_units", "divisor", "counts"});
  GaussianParameters parameters;
  parameters.family = read_family(block["model"]);
  parameters.columns = block["features"].distinct_texts();
  parameters.means =
      block["means"].matrix(classes.size(), static_cast<Index>(parameters.columns.size()));
  read_covariances(block, classes.size(), parameters);
  const bool rda = parameters.family == Family::rda;
  if (rda || block.has("alpha")) parameters.alpha = block["alpha"].fraction();
  if (rda || block.has("gamma")) parameters.gamma = block["gamma"].fraction();
  if (block.has("shrinkage")) {
    const auto matrices = static_cast<Index>(parameters.covariances.size());
    parameters.shrinkage = block["shrinkage"].numbers(matrices);
  }
  if (block.has("raw_units")) parameters.raw_units = block["raw_units"].flag();
  if (block.has("divisor")) parameters.unbiased = read_unbiased(block["divisor"]);
  parameters.counts =
      block.has("counts") ? block["counts"].numbers(classes.size()) : classes.counts;
  return make_block(std::move(parameters), classes, block.file() + ": " + block.path());
}

Block read_block(const Field& block, const Classes& classes) {
  const Field type = block["type"];
  const std::string& name = type.text();
  if (name == "gaussian") return read_gaussian(block, classes);
  if (name == "joint") return read_joint(block, classes);
  if (name == "mixture") return read_mixture(block, classes);
  const bool levels = block.has("levels");
  if (name == "categorical" || (name == "bernoulli" && levels))
    return read_categorical(block, classes);
  if (name == "multinomial" || name == "bernoulli") return read_count_block(block, classes);
  const std::vector<std::string> known{"gaussian",  "mixture",     "categorical", "joint",
                                       "bernoulli", "multinomial", "complement",  "logistic"};
  type.refuse(fmt::format("is '{}', which is not a block of this version", name),
              kernel::did_you_mean(name, known, "one of " + kernel::quoted_list(known)));
}

std::vector<Block> read_blocks(const Field& root, const Classes& classes) {
  root.allow_only({"format", "version", "target", "classes", "blocks", "notes"});
  for (const Field& one : classes.fields) one.allow_only({"name", "prior", "count"});
  std::vector<Block> blocks;
  for (const Field& block : root["blocks"].elements("an object"))
    blocks.push_back(read_block(block, classes));
  return blocks;
}

}  // namespace

Classes read_classes(const Field& root) {
  const Field list = root["classes"];
  Classes classes{.fields = list.elements("an object"), .names = {}, .counts = {}};
  if (classes.fields.empty()) list.refuse("is empty", "a model has at least one class");
  if (!root.has("blocks")) sort_by_name(classes.fields);
  std::set<std::string> seen;
  for (const Field& one : classes.fields) {
    const Field name = one["name"];
    if (!seen.insert(name.text()).second)
      name.refuse(fmt::format("is '{}', the name of another class", name.text()),
                  "give each class a name of its own");
    classes.names.push_back(name.text());
  }
  classes.counts = numbers_of_classes(classes.fields, "count");
  return classes;
}

Prior read_prior(const Classes& classes, const std::string& file) {
  const Vector weights = numbers_of_classes(classes.fields, "prior");
  if (weights.empty()) return Prior::uniform(classes.size());
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  constexpr double tolerance = 1e-3;  // thirds written with a few digits
  if (!(std::abs(sum - 1) <= tolerance))
    throw Error(Errc::bad_model, fmt::format("{}: the priors sum to {:.9g}, expected 1", file, sum),
                "fix the priors, or leave them all out for equal ones");
  return at_place(file, [&] { return Prior(weights); });
}

Family read_family(const Field& field) {
  std::vector<std::string> names;
  for (const Family family : families) {
    if (field.text() == name_of(family)) return family;
    names.emplace_back(name_of(family));
  }
  field.refuse(fmt::format("is '{}', which is not a Gaussian model", field.text()),
               kernel::did_you_mean(field.text(), names, "one of " + kernel::quoted_list(names)));
}

void read_covariances(const Field& block, Index count, GaussianParameters& parameters) {
  const auto d = static_cast<Index>(parameters.columns.size());
  const std::string key = covariance_key(block);
  const Field field = block[key];
  if (key == "covariances") {
    for (const Field& one : field.elements("a list", count))
      parameters.covariances.push_back(symmetric_matrix(one, d));
  } else if (key == "covariance") {
    parameters.covariances.push_back(symmetric_matrix(field, d));
  } else {
    const bool shared = key == "variance";
    parameters.variances =
        positive_rows(shared ? std::vector<Field>{field} : field.elements("a list", count), d);
  }
}

Matrix symmetric_matrix(const Field& field, Index d) {
  Matrix s = field.matrix(d, d);
  constexpr double tolerance = 1e-12;
  for (Index i = 0; i < d; ++i)
    for (Index j = 0; j < i; ++j) {
      const double scale = std::sqrt(std::abs(s(i, i))) * std::sqrt(std::abs(s(j, j)));
      if (!(std::abs(s(i, j) - s(j, i)) <= tolerance * scale))
        field.refuse(fmt::format("is not symmetric: row {} column {} holds {}, row {} column {} {}",
                                 i + 1, j + 1, s(i, j), j + 1, i + 1, s(j, i)),
                     "a covariance is the same above and below its diagonal");
      if (s(i, j) != s(j, i)) s(i, j) = s(j, i) = std::midpoint(s(i, j), s(j, i));
    }
  return s;
}

Matrix positive_rows(const std::vector<Field>& rows, Index d) {
  Matrix variances = stacked(rows, d);
  for (const Field& row : rows) row.require_positive();
  return variances;
}

GaussianBlock make_block(GaussianParameters parameters, const Classes& classes,
                         const std::string& place) {
  return at_place(place, [&] {
    try {
      return GaussianBlock(parameters);
    } catch (const Error&) {
      for (std::size_t k = 0; parameters.covariances.size() > 1 && k < classes.names.size(); ++k) {
        if (!kernel::is_regular(parameters.covariances[k]))
          throw Error(Errc::bad_model,
                      fmt::format("the covariance of class '{}' is not positive definite",
                                  classes.names[k]),
                      "give a symmetric matrix with positive eigenvalues");
      }
      throw;
    }
  });
}

Model to_model(const Value& document, const std::string& place) {
  const Field root(document, place);
  check_format(root, model_format);
  if (const std::string type = linear_type(root); !type.empty())
    throw Error(Errc::bad_model, fmt::format("{}: {} is a scorer, not a density", place, type),
                {"read it with load_classifier, or use {}", {{"model", {"multinomial"}}}});
  const Classes classes = read_classes(root);
  std::vector<Block> blocks = root.has("blocks")
                                  ? read_blocks(root, classes)
                                  : std::vector<Block>{hand_written_block(root, classes)};
  const std::string target = root.has("target") ? root["target"].text() : "class";
  std::vector<std::string> notes;
  if (root.has("notes")) notes = root["notes"].texts();
  const Prior prior = read_prior(classes, place);
  return at_place(place,
                  [&] { return Model(classes.names, prior, std::move(blocks), target, notes); });
}

}  // namespace genera::io
