// How uncertain a model is: its parameters, drawn from their posterior.
#include <cmath>
#include <numeric>

#include <boost/random/gamma_distribution.hpp>
#include <fmt/format.h>

#include <genera/impute.hpp>

#include "kernel/text.hpp"
#include "query/generate/gaussian_posterior.hpp"

namespace genera {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double gamma(double shape, Rng& rng) {
  return shape > 0 ? boost::random::gamma_distribution<double>(shape)(rng) : 0;
}

/// A draw from Dirichlet(total p); what is impossible stays impossible.
void draw_shares(std::span<double> p, double total, Rng& rng) {
  Vector drawn;
  for (const double share : p) drawn.push_back(gamma(total * share, rng));
  const double sum = std::accumulate(drawn.begin(), drawn.end(), 0.0);
  if (!(sum > 0)) return;  // all of them underflowed
  for (std::size_t i = 0; i < drawn.size(); ++i) p[i] = drawn[i] / sum;
}

/// The counts behind an estimate are p (N + s V).
void draw_rows(Matrix& probabilities, const Vector& rows, double smoothing, Rng& rng) {
  const auto values = static_cast<double>(probabilities.columns());
  for (Index k = 0; k < probabilities.rows(); ++k)
    draw_shares(probabilities.row(k), rows[at(k)] + smoothing * values, rng);
}

Block drawn(const GaussianBlock& block, Rng& rng) {
  if (block.parameters().counts.empty()) return block;
  return GaussianBlock(query::draw_gaussian(block.parameters(), rng));
}

/// The posterior of a mixture has no closed form: its parameters stay.
Block drawn(const MixtureBlock& block, Rng&) { return block; }

Block drawn(const CategoricalBlock& block, Rng& rng) {
  CategoricalParameters p = block.parameters();
  if (p.counts.empty()) return block;
  for (Matrix& probabilities : p.probabilities)
    draw_rows(probabilities, p.counts, p.smoothing, rng);
  return CategoricalBlock(std::move(p));
}

Block drawn(const JointBlock& block, Rng& rng) {
  JointParameters p = block.parameters();
  if (p.counts.empty()) return block;
  draw_rows(p.probabilities, p.counts, p.smoothing, rng);
  return JointBlock(std::move(p));
}

Block drawn(const CountBlock& block, Rng& rng) {
  CountParameters p = block.parameters();
  const bool presence = p.kind == CountParameters::Kind::bernoulli;
  if (p.counts.empty() || (!presence && p.lengths.empty())) return block;
  Vector behind = p.counts;
  for (std::size_t k = 0; k < behind.size() && !presence; ++k) behind[k] *= p.lengths[k];
  if (!presence) draw_rows(p.probabilities, behind, p.smoothing, rng);
  for (Index k = 0; k < p.probabilities.rows() && presence; ++k) {
    for (double& share : p.probabilities.row(k)) {
      double both[2] = {share, 1 - share};
      draw_shares(both, behind[at(k)] + 2 * p.smoothing, rng);
      share = both[0];
    }
  }
  return CountBlock(std::move(p));
}

/// Whether draw_parameters() leaves a block as it is.
bool stays(const Block& block) {
  return std::visit(
      []<class B>(const B& b) {
        if constexpr (std::is_same_v<B, MixtureBlock>)
          return true;
        else
          return b.parameters().counts.empty();
      },
      block);
}

/// Whether the priors are the shares of the classes among the rows, and not given.
bool estimated_prior(const Model& model) {
  const Vector& counts = model.counts();
  if (counts.empty()) return false;
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (std::abs(model.prior().probabilities()[k] - counts[k] / sum) > 1e-9) return false;
  }
  return true;
}

Prior drawn_prior(const Model& model, Rng& rng) {
  if (!estimated_prior(model)) return model.prior();
  Vector shares;
  for (const double count : model.counts()) shares.push_back(gamma(count + 1, rng));
  return Prior(std::move(shares));
}

}  // namespace

Model draw_parameters(const Model& model, const Rng& rng) {
  Rng of_prior = rng.split(0);
  Prior prior = drawn_prior(model, of_prior);
  std::vector<Block> blocks;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    Rng own = rng.split(b + 1);
    blocks.push_back(
        std::visit([&](const auto& block) { return drawn(block, own); }, model.blocks()[b]));
  }
  return {model.classes(), std::move(prior), std::move(blocks), model.target(), model.notes()};
}

std::vector<std::string> fixed_parameters(const Model& model) {
  std::vector<std::string> notes, columns;
  for (const Block& block : model.blocks()) {
    const auto* counts = std::get_if<CountBlock>(&block);
    const bool no_length = counts && counts->parameters().lengths.empty() &&
                           counts->parameters().kind == CountParameters::Kind::multinomial;
    if (!stays(block) && !no_length) continue;
    for (const Column& column : std::visit([](const auto& b) { return b.features(); }, block))
      columns.push_back(column.name);
  }
  if (!columns.empty())
    notes.push_back(
        fmt::format("the density of {} is taken as certain: the model does not say how "
                    "many rows it was estimated from",
                    kernel::quoted_list(columns)));
  if (!estimated_prior(model) && model.classes().size() > 1)
    notes.emplace_back("the priors are taken as certain: they were given, not estimated");
  return notes;
}

}  // namespace genera
