#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "blocks/documents.hpp"
#include "blocks/gaussian/document.hpp"
#include "blocks/mixture/kind.hpp"
#include "kernel/cholesky.hpp"

namespace genera::blocks {
namespace {

/// The number of components of each class.
Vector read_components(const Field& field, const DocumentClasses& classes) {
  constexpr double max = 1e6;
  Vector numbers = field.numbers(classes.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const double count = numbers[k];
    if (!(count >= 1) || count != std::floor(count) || count > max)
      field.refuse(fmt::format("holds {} for class '{}'", count, classes.names[k]),
                   "give the number of components of each class, at least 1");
  }
  return numbers;
}

/// The class of each component.
std::vector<Index> component_classes(const Vector& components) {
  std::vector<Index> component_class;
  for (std::size_t k = 0; k < components.size(); ++k)
    component_class.insert(component_class.end(), static_cast<std::size_t>(components[k]),
                           static_cast<Index>(k));
  return component_class;
}

void refuse_singular(const MixtureParameters& p, const DocumentClasses& classes) {
  for (std::size_t c = 0; c < p.components.covariances.size(); ++c) {
    if (kernel::is_regular(p.components.covariances[c])) continue;
    const bool shared = p.components.covariances.size() < p.component_class.size();
    throw Error(
        Errc::bad_model,
        shared ? "the covariance is not positive definite"
               : fmt::format("the covariance of component {}, of class '{}', is not positive "
                             "definite",
                             c + 1, classes.names[static_cast<std::size_t>(p.component_class[c])]),
        "give a symmetric matrix with positive eigenvalues");
  }
}

}  // namespace

Members MixtureKind::to_document(const Block& mixture) {
  const MixtureParameters& p = mixture.parameters();
  Members block;
  block["type"] = Value{"mixture"};
  block["model"] = Value{std::string(name(mixture))};
  if (p.kernel) {
    block["bandwidth"] = Value{p.kernel->bandwidth};
    block["gamma"] = Value{p.kernel->gamma};
    block["keeps_rows"] = Value{true};
  }
  block["structure"] = Value{std::string(name_of(p.components))};
  block["features"] = texts(p.components.columns);
  Numbers components;
  for (Index k = 0; k < mixture.classes(); ++k)
    components.push_back(static_cast<double>(mixture.first(k + 1) - mixture.first(k)));
  block["components"] = Value{std::move(components)};
  block["weights"] = Value{p.weights};
  put_means(p.components, block);
  put_covariances(p.components, block);
  if (p.components.raw_units) block["raw_units"] = Value{true};
  return block;
}

bool MixtureKind::reads(const Field& block) { return has_type(block, types); }

MixtureBlock MixtureKind::from_document(const Field& block, const DocumentClasses& classes) {
  block.allow_only({"type", "model", "structure", "features", "components", "weights", "means",
                    "means_low", "covariances", "covariance", "variances", "variance", "raw_units",
                    "counts", "bandwidth", "gamma", "keeps_rows"});
  const bool is_kernel = block.has("model") && block["model"].text() == "kernel";
  if (block.has("model") && !is_kernel && block["model"].text() != "mda")
    block["model"].refuse(fmt::format("is '{}', expected 'mda' or 'kernel'", block["model"].text()),
                          "give the structure of the covariances in 'structure'");
  MixtureParameters p;
  const Vector of_classes = read_components(block["components"], classes);
  const auto components =
      static_cast<Index>(std::accumulate(of_classes.begin(), of_classes.end(), 0.0));
  p.weights = block["weights"].numbers(components);  // bounds the size by that of the file
  p.component_class = component_classes(of_classes);
  p.components.structure = read_model(block["structure"]).covariance;
  p.components.columns = block["features"].distinct_texts();
  read_means(block, components, p.components);
  read_covariances(block, components, p.components);
  if (block.has("raw_units")) p.components.raw_units = block["raw_units"].flag();
  if (is_kernel) p.kernel = {block["bandwidth"].number(), block["gamma"].fraction()};
  p.counts = read_counts(block, classes);
  return at_place(place_of(block), [&] {
    refuse_singular(p, classes);
    return MixtureBlock(p);
  });
}

}  // namespace genera::blocks
