// Statistics files, one or two with "\n%%\n" between them: refused, or they survive saving, add up,
// come apart, and every recipe makes a model of them or says why not.
#include "../check.hpp"
#include "../targets.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include <genera/fit.hpp>
#include <genera/io.hpp>
#include <genera/stats.hpp>

namespace genera::fuzz {
namespace {

std::optional<Statistics> loaded(std::string_view bytes) {
  std::optional<Statistics> statistics;
  const std::string refused = refusal([&] { statistics = statistics_from_bytes(bytes, "s"); });
  require(refused.empty() || refused.starts_with("s:"), "a refusal names the file");
  if (!statistics) return {};
  for (const Format format : {Format::json, Format::cbor})
    require(statistics_from_bytes(to_bytes(*statistics, format)) == *statistics,
            "statistics survive saving and loading");
  return statistics;
}

bool is_far(double a, double b) { return !(std::abs(a - b) <= 1e-9 * (std::abs(a) + std::abs(b))); }

void add_and_take_away(const Statistics& first, const Statistics& second) {
  Statistics sum = first;
  if (!refusal([&] { sum.merge(second); }).empty()) return;
  const double weight = first.weight() + second.weight();
  if (std::isfinite(weight))
    require(!is_far(sum.weight(), weight), "the weight of a sum is the sum of the weights");
  Statistics other = second;
  const std::string refused = refusal([&] { other.merge(first); });
  require(refused.empty(), "what can be merged can be merged the other way round");
  if (std::isfinite(weight))
    require(!is_far(sum.weight(), other.weight()), "merging does not depend on the order");
  const std::string not_all = refusal([&] { (void)sum.subtract(second); });
  (void)refusal([&] { (void)to_bytes(without_unused_names(sum)); });
}

void estimate_all(const Statistics& statistics, std::uint64_t hash) {
  Recipe shrunk = qda();
  shrunk.gaussian.shrinkage = {.kind = Shrinkage::Kind::oas};
  shrunk.gaussian.on_singular = OnSingular::shrink;
  const std::array<AnyRecipe, 12> recipes{qda(),         lda(),       gaussian_naive_bayes(),
                                          dlda(),        spherical(), centroid(),
                                          rda(0.3, 0.2), shrunk,      bernoulli(),
                                          poisson(),     joint(),     complement()};
  for (const AnyRecipe& recipe : recipes) {
    std::optional<Classifier> model;
    const std::string refused = refusal([&] { model = estimate(statistics, recipe).model; });
    if (model) check_model(*model, hash);
  }
}

}  // namespace

void statistics(std::string_view bytes) {
  constexpr std::string_view between = "\n%%\n";
  const std::size_t at = bytes.find(between);
  const auto first = loaded(bytes.substr(0, at));
  if (!first) return;
  estimate_all(*first, hash_of(bytes));
  add_and_take_away(*first, *first);
  if (at == std::string_view::npos) return;
  if (const auto second = loaded(bytes.substr(at + between.size())))
    add_and_take_away(*first, *second);
}

}  // namespace genera::fuzz
