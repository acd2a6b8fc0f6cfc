#include "blocks/gaussian/document.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "blocks/gaussian/kind.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/text.hpp"

namespace genera::blocks {
namespace {

bool read_unbiased(const Field& field) {
  if (field.text() == "mle") return false;
  if (field.text() == "unbiased") return true;
  field.refuse(fmt::format("is '{}', expected 'mle' or 'unbiased'", field.text()),
               "mle divides by n, unbiased by n - 1");
}

/// Other models than rda may have these keys, which are ignored.
std::optional<GaussianParameters::Rda> read_rda(const Field& block, bool used) {
  GaussianParameters::Rda rda;
  if (used || block.has("alpha")) rda.alpha = block["alpha"].fraction();
  if (used || block.has("gamma")) rda.gamma = block["gamma"].fraction();
  return used ? std::optional(rda) : std::nullopt;
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

}  // namespace

GaussianModel read_model(const Field& field) {
  if (const auto model = gaussian_model_named(field.text())) return *model;
  std::vector<std::string> names;
  for (const GaussianModel& model : all_gaussian_models) names.emplace_back(model.name);
  field.refuse(fmt::format("is '{}', which is not a Gaussian model", field.text()),
               kernel::did_you_mean(field.text(), names, "one of " + kernel::quoted_list(names)));
}

void put_means(const GaussianParameters& gaussian, Members& block) {
  block["means"] = rows_of(gaussian.means);
  if (!gaussian.means_low.empty()) block["means_low"] = rows_of(gaussian.means_low);
}

void read_means(const Field& block, Index count, GaussianParameters& parameters) {
  const auto d = static_cast<Index>(parameters.columns.size());
  parameters.means = block["means"].matrix(count, d);
  if (block.has("means_low")) parameters.means_low = block["means_low"].matrix(count, d);
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
                     "give the same numbers above and below the diagonal");
      if (s(i, j) != s(j, i)) s(i, j) = s(j, i) = std::midpoint(s(i, j), s(j, i));
    }
  return s;
}

Matrix positive_rows(const std::vector<Field>& rows, Index d) {
  Matrix variances = document::stacked(rows, d);
  for (const Field& row : rows) row.require_positive();
  return variances;
}

GaussianBlock make_block(GaussianParameters parameters, const DocumentClasses& classes,
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

void put_covariances(const GaussianParameters& gaussian, Members& block) {
  if (gaussian.covariances.size() == 1) {
    block["covariance"] = rows_of(gaussian.covariances.front());
  } else if (!gaussian.covariances.empty()) {
    List list;
    for (const Matrix& covariance : gaussian.covariances) list.push_back(rows_of(covariance));
    block["covariances"] = Value{std::move(list)};
  } else if (gaussian.variances.rows() == 1) {
    block["variance"] = Value{row_of(gaussian.variances, 0)};
  } else {
    block["variances"] = rows_of(gaussian.variances);
  }
}

Members GaussianKind::to_document(const Block& gaussian) {
  const GaussianParameters& parameters = gaussian.parameters();
  Members block;
  block["type"] = Value{"gaussian"};
  block["model"] = Value{std::string(name_of(parameters))};
  block["features"] = texts(parameters.columns);
  put_means(parameters, block);
  put_covariances(parameters, block);
  block["divisor"] = Value{parameters.unbiased ? "unbiased" : "mle"};
  if (const auto& rda = parameters.rda) {
    block["alpha"] = Value{rda->alpha};
    block["gamma"] = Value{rda->gamma};
  }
  if (!parameters.shrinkage.empty()) block["shrinkage"] = Value{parameters.shrinkage};
  if (parameters.variance_prior > 0) block["variance_prior"] = Value{parameters.variance_prior};
  if (parameters.raw_units) block["raw_units"] = Value{true};
  if (!parameters.effective_counts.empty())
    block["effective_counts"] = rows_of(parameters.effective_counts);
  return block;
}

bool GaussianKind::reads(const Field& block) { return has_type(block, types); }

GaussianBlock GaussianKind::from_document(const Field& block, const DocumentClasses& classes) {
  block.allow_only({"type", "model", "features", "means", "means_low", "covariances", "covariance",
                    "variances", "variance", "alpha", "gamma", "shrinkage", "variance_prior",
                    "raw_units", "divisor", "counts", "effective_counts"});
  GaussianParameters parameters;
  const GaussianModel model = read_model(block["model"]);
  parameters.structure = model.covariance;
  parameters.columns = block["features"].distinct_texts();
  read_means(block, classes.size(), parameters);
  read_covariances(block, classes.size(), parameters);
  parameters.rda = read_rda(block, model.rda);
  if (block.has("shrinkage")) {
    const auto matrices = static_cast<Index>(parameters.covariances.size());
    parameters.shrinkage = block["shrinkage"].numbers(matrices);
  }
  if (block.has("variance_prior"))
    parameters.variance_prior = block["variance_prior"].number_at_least(0);
  if (block.has("raw_units")) parameters.raw_units = block["raw_units"].flag();
  if (block.has("divisor")) parameters.unbiased = read_unbiased(block["divisor"]);
  parameters.counts = read_counts(block, classes);
  if (block.has("effective_counts"))
    parameters.effective_counts = document::stacked(
        block["effective_counts"].elements("a list", classes.size()),
        parameters.covariances.empty() ? static_cast<Index>(parameters.columns.size()) : 1);
  return make_block(std::move(parameters), classes, place_of(block));
}

}  // namespace genera::blocks
