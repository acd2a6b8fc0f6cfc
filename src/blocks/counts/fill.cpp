// Draws and expectations of counts, given the known ones.
#include <algorithm>
#include <cmath>

#include <boost/random/binomial_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>

#include "blocks/counts/kind.hpp"
#include "blocks/counts/split_count.hpp"
#include "blocks/dirichlet.hpp"
#include "blocks/fill.hpp"
#include "kernel/choice.hpp"
#include "kernel/index.hpp"

namespace genera::blocks {

TermCounts split_count(std::span<const double> shares, Index count, Rng& rng) {
  TermCounts counts;
  double left = 0;
  for (const double share : shares) left += share;
  for (Index j = 0; j < std::ssize(shares) && count > 0; ++j) {
    const double share = shares[kernel::at(j)];
    if (share == 0) continue;
    const double part = std::min(1.0, share / left);
    const Index own =
        part == 1 ? count : boost::random::binomial_distribution<Index, double>(count, part)(rng);
    if (own > 0) counts.emplace_back(j, static_cast<double>(own));
    count -= own;
    left -= share;
  }
  return counts;
}

namespace {

using kernel::at;

using Kind = CountParameters::Kind;

/// Sorts the terms and adds up equal ones.
void gather(TermCounts& counts) {
  std::sort(counts.begin(), counts.end());
  std::size_t last = 0;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    if (counts[i].first == counts[last].first)
      counts[last].second += 1;
    else
      counts[++last] = counts[i];
  }
  if (!counts.empty()) counts.resize(last + 1);
}

/// Draws one term at a time.
TermCounts choose_terms(const kernel::Choice& choice, Index count, Rng& rng) {
  TermCounts counts;
  for (Index i = 0; i < count; ++i) counts.emplace_back(choice.draw(rng), 1);
  gather(counts);
  return counts;
}

class CountsFiller : public Filler {
 public:
  CountsFiller(const CountBlock& block, const FillRules& given)
      : parameters(block.parameters()), rules(given) {
    if (parameters.kind == Kind::bernoulli)
      coins = kernel::for_each_row<kernel::ManyCoins>(parameters.probabilities);
    else
      choices = kernel::for_each_row<kernel::Choice>(parameters.probabilities);
  }
  [[nodiscard]] std::unique_ptr<FillWorker> worker() const override;

  const CountParameters& parameters;
  FillRules rules;
  std::vector<kernel::Choice> choices;   // multinomial, by class
  std::vector<kernel::ManyCoins> coins;  // Bernoulli, by class
};

class CountsFillWorker : public FillWorker {
 public:
  explicit CountsFillWorker(const CountsFiller& filler) : filler_(filler), p_(filler.parameters) {}

  void expect(const Cells& cells, std::span<const Index> rows, const double* classes) override {
    if (!p_.text.empty()) return;
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      if (p_.kind == Kind::bernoulli)
        expect_presence(cells, rows[lane], classes, lane);
      else
        expect_counts(cells, rows[lane], classes, lane);
    }
  }

  void draw(const Cells& cells, std::span<const Index> rows, Index k,
            std::span<Rng> streams) override {
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      if (p_.text.empty())
        draw_columns(cells, rows[lane], k, streams[lane]);
      else if (filler_.rules.texts)
        (*cells.texts)[at(rows[lane])].push_back(draw_terms(k, streams[lane]));
    }
  }

 private:
  void expect_presence(const Cells& cells, Index row, const double* classes, std::size_t lane) {
    for (Index j = 0; j < std::ssize(p_.terms); ++j) {
      double& cell = cells.at_number(row, j);
      if (!std::isnan(cell)) continue;
      double share = 0;
      for (Index k = 0; k < p_.probabilities.rows(); ++k)
        share += class_weight(classes, k, lane) * p_.probabilities(k, j);
      cell = share > 0.5 ? 1 : 0;
    }
  }

  /// Expected number of terms of total probability 1 in a row of class k, if terms of total
  /// probability `missing_share` are unknown and the others sum to `known`.
  [[nodiscard]] double expected_length(Index k, double known, double missing_share) const {
    if (missing_share < 1) return known / (1 - missing_share);
    return p_.lengths.empty() ? 1 : p_.lengths[at(k)];
  }

  void expect_counts(const Cells& cells, Index row, const double* classes, std::size_t lane) {
    std::vector<Index> missing;
    double known = 0;
    for (Index j = 0; j < std::ssize(p_.terms); ++j) {
      if (std::isnan(cells.at_number(row, j)))
        missing.push_back(j);
      else
        known += cells.at_number(row, j);
    }
    const bool alone = std::ssize(missing) == std::ssize(p_.terms);
    for (const Index j : missing) cells.at_number(row, j) = 0;
    for (Index k = 0; k < p_.probabilities.rows() && !missing.empty(); ++k) {
      double share = 0;
      for (const Index j : missing) share += p_.probabilities(k, j);
      const double length = expected_length(k, known, alone ? 1 : share);
      for (const Index j : missing)
        cells.at_number(row, j) += class_weight(classes, k, lane) * length * p_.probabilities(k, j);
    }
  }

  [[nodiscard]] Index length(Index k) const {
    if (filler_.rules.length) return *filler_.rules.length;
    return p_.lengths.empty() ? 1 : std::llround(p_.lengths[at(k)]);
  }

  [[nodiscard]] TermCounts draw_terms(Index k, Rng& rng) const {
    if (!filler_.coins.empty()) {
      TermCounts counts;
      filler_.coins[at(k)].draw(rng, [&](Index term) { counts.emplace_back(term, 1); });
      return counts;
    }
    const Index count = length(k);
    return many(count, p_.probabilities.columns())
               ? split_count(p_.probabilities.row(k), count, rng)
               : choose_terms(filler_.choices[at(k)], count, rng);
  }

  struct Rest {        // missing counts of a row with known ones
    Vector shares;     // probabilities of missing terms; 0 for known ones
    double share = 0;  // the sum
    double known = 0;  // sum of the known counts
  };

  [[nodiscard]] TermCounts draw_rest(const Rest& rest, Index k, Rng& rng) const {
    if (rest.share == 0) return {};
    const Index count = rest_length(rest, k, rng);
    return many(count, std::ssize(rest.shares))
               ? split_count(rest.shares, count, rng)
               : choose_terms(kernel::Choice(rest.shares), count, rng);
  }

  /// In proportion: the total of the counts is Poisson with an unknown mean, so given the observed
  /// counts it is a gamma variable.
  [[nodiscard]] Index rest_length(const Rest& rest, Index k, Rng& rng) const {
    if (!filler_.rules.in_proportion || rest.share >= 1)
      return std::max<Index>(0, length(k) - static_cast<Index>(rest.known));
    if (rest.known == 0) return 0;
    const double scale = rest.share / (1 - rest.share);
    const double mean = boost::random::gamma_distribution<double>(rest.known, scale)(rng);
    return mean > 0 ? boost::random::poisson_distribution<Index, double>(mean)(rng) : 0;
  }

  void draw_columns(const Cells& cells, Index row, Index k, Rng& rng) const {
    const Index terms = std::ssize(p_.terms);
    Rest rest{.shares = Vector(at(terms))};
    Index missing = 0;
    for (Index j = 0; j < terms; ++j) {
      if (!std::isnan(cells.at_number(row, j))) {
        rest.known += cells.at_number(row, j);
        continue;
      }
      ++missing;
      rest.share += rest.shares[at(j)] = p_.probabilities(k, j);
    }
    if (missing == 0) return;
    const bool alone = missing == terms || p_.kind == Kind::bernoulli;
    const TermCounts drawn = alone ? draw_terms(k, rng) : draw_rest(rest, k, rng);
    for (const auto& [term, count] : drawn) {
      if (std::isnan(cells.at_number(row, term))) cells.at_number(row, term) = count;
    }
    for (Index j = 0; j < terms; ++j) {
      if (std::isnan(cells.at_number(row, j))) cells.at_number(row, j) = 0;
    }
  }

  const CountsFiller& filler_;
  const CountParameters& p_;
};

std::unique_ptr<FillWorker> CountsFiller::worker() const {
  return std::make_unique<CountsFillWorker>(*this);
}

}  // namespace

Layout CountsKind::layout(const Block& block) {
  const CountParameters& p = block.parameters();
  return {.numbers = p.text.empty() ? std::ssize(p.terms) : 0, .text = p.text};
}

std::unique_ptr<const Filler> CountsKind::filler(const Block& block, const FillRules& rules) {
  return std::make_unique<CountsFiller>(block, rules);
}

RowLength CountsKind::row_length(const Block& block) {
  const CountParameters& p = block.parameters();
  if (p.kind != Kind::multinomial) return RowLength::none;
  return p.lengths.empty() ? RowLength::unknown : RowLength::known;
}

std::optional<std::vector<std::string>> CountsKind::text_terms(const Block& block) {
  if (block.parameters().text.empty()) return std::nullopt;
  return block.parameters().terms;
}

bool CountsKind::is_certain(const Block& block) {
  const CountParameters& p = block.parameters();
  return p.counts.empty() || (p.kind != Kind::bernoulli && p.lengths.empty());
}

CountBlock CountsKind::drawn(const Block& block, Rng& rng) {
  CountParameters p = block.parameters();
  const bool presence = p.kind == Kind::bernoulli;
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

}  // namespace genera::blocks
