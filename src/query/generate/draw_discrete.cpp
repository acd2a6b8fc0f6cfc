#include "query/generate/draw_discrete.hpp"

#include <algorithm>
#include <cmath>

#include <boost/random/binomial_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>

#include "model/joint_cells.hpp"

namespace genera::query {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

template <class Thing>
std::vector<Thing> for_each_class(const Matrix& probabilities) {
  std::vector<Thing> things;
  for (Index k = 0; k < probabilities.rows(); ++k) things.emplace_back(probabilities.row(k));
  return things;
}

/// Sorts, and adds up what is equal.
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

/// One after the other.
TermCounts choose_terms(const Choice& choice, Index count, Rng& rng) {
  TermCounts counts;
  for (Index i = 0; i < count; ++i) counts.emplace_back(choice.draw(rng), 1);
  gather(counts);
  return counts;
}

/// So many that it is quicker to ask each term for its part of what is left.
bool many(Index count, Index terms) { return count > 4096 + 2 * terms; }

TermCounts split_count(std::span<const double> shares, Index count, Rng& rng) {
  TermCounts counts;
  double left = 0;
  for (const double share : shares) left += share;
  for (Index j = 0; j < std::ssize(shares) && count > 0; ++j) {
    const double share = shares[at(j)];
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

}  // namespace

Choice::Choice(std::span<const double> probabilities) {
  double sum = 0;
  for (const double p : probabilities) sums_.push_back(sum += p);
}

Index Choice::draw(Rng& rng) const {
  const double u = rng.uniform() * sums_.back();
  const auto found = std::upper_bound(sums_.begin(), sums_.end(), u);
  return std::min<Index>(found - sums_.begin(), std::ssize(sums_) - 1);
}

ManyCoins::ManyCoins(std::span<const double> probabilities)
    : probabilities_(probabilities.begin(), probabilities.end()) {
  std::vector<Index> order;
  for (Index i = 0; i < std::ssize(probabilities_); ++i) {
    if (probabilities_[at(i)] > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return probabilities_[at(a)] > probabilities_[at(b)]; });
  for (const Index i : order) {
    if (groups_.empty() || probabilities_[at(i)] < groups_.back().bound / 2)
      groups_.push_back({probabilities_[at(i)], {}});
    groups_.back().members.push_back(i);
  }
}

template <class Hit>
void ManyCoins::draw(Rng& rng, Hit hit) const {
  for (const Group& group : groups_) {
    const auto size = static_cast<double>(group.members.size());
    const double log_miss = std::log1p(-std::min(group.bound, 1.0));  // -inf if all happen
    double next = 0;
    while (true) {
      next += std::floor(std::log1p(-rng.uniform()) / log_miss);  // misses before the next
      if (!(next < size)) break;
      const Index i = group.members[static_cast<std::size_t>(next)];
      if (rng.uniform() * group.bound < probabilities_[at(i)]) hit(i);
      next += 1;
    }
  }
}

/// A row that is being completed, and where the block at hand has its columns.
struct DiscreteDrawer::Row {
  Index k;
  Rng& rng;
  Table& table;
  Index row;
  OwnPlaces places{};
  std::vector<TermCounts>& texts;

  [[nodiscard]] std::int32_t& code(Index j) const { return table.codes(row, places.code + j); }
  [[nodiscard]] double& number(Index j) const { return table.numbers(row, places.number + j); }
};

DiscreteDrawer::DiscreteDrawer(const Model& model, const CountRules& rules) : rules_(rules) {
  for (const Block& block : model.blocks()) {
    Drawer& drawer = blocks_.emplace_back();
    if (const auto* levels = std::get_if<CategoricalBlock>(&block)) {
      Levels made;
      for (const Matrix& p : levels->parameters().probabilities)
        made.choices.push_back(for_each_class<Choice>(p));
      drawer = std::move(made);
    }
    if (const auto* joint = std::get_if<JointBlock>(&block))
      drawer =
          Joint{&joint->parameters(), for_each_class<Choice>(joint->parameters().probabilities)};
    if (const auto* counts = std::get_if<CountBlock>(&block)) {
      const CountParameters& p = counts->parameters();
      Counts made{&p};
      if (p.kind == CountParameters::Kind::bernoulli)
        made.coins = for_each_class<ManyCoins>(p.probabilities);
      else
        made.choices = for_each_class<Choice>(p.probabilities);
      drawer = std::move(made);
    }
  }
}

void DiscreteDrawer::draw(Index k, Rng& rng, Place to, std::vector<TermCounts>& texts) const {
  Row row{.k = k, .rng = rng, .table = to.rows.table, .row = to.row, .texts = texts};
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    row.places = to.rows.places[b];
    std::visit([&](const auto& from) { draw(from, row); }, blocks_[b]);
  }
}

void DiscreteDrawer::draw(const Levels& from, Row& to) const {
  for (Index j = 0; j < std::ssize(from.choices); ++j) {
    if (to.code(j) < 0)
      to.code(j) = static_cast<std::int32_t>(from.choices[at(j)][at(to.k)].draw(to.rng));
  }
}

void DiscreteDrawer::draw(const Joint& from, Row& to) const {
  const JointParameters& p = *from.parameters;
  std::vector<std::int32_t> levels(p.levels.size());
  for (std::size_t j = 0; j < levels.size(); ++j) levels[j] = to.code(static_cast<Index>(j));
  const auto known = [](std::int32_t level) { return level >= 0; };
  if (std::all_of(levels.begin(), levels.end(), known)) return;
  std::vector<Index> cells;
  Vector probabilities;
  if (std::any_of(levels.begin(), levels.end(), known)) {
    detail::for_each_cell(p, levels, [&](Index cell) {
      cells.push_back(cell);
      probabilities.push_back(p.probabilities(to.k, cell));
    });
  }
  // What cannot be in this class says nothing of the rest.
  const bool possible =
      std::any_of(probabilities.begin(), probabilities.end(), [](double q) { return q > 0; });
  const Index cell = possible ? cells[at(Choice(probabilities).draw(to.rng))]
                              : from.choices[at(to.k)].draw(to.rng);
  detail::take_apart(p, cell, levels);
  for (std::size_t j = 0; j < levels.size(); ++j) {
    if (to.code(static_cast<Index>(j)) < 0) to.code(static_cast<Index>(j)) = levels[j];
  }
}

void DiscreteDrawer::draw(const Counts& from, Row& to) const {
  if (from.parameters->text.empty())
    draw_columns(from, to);
  else if (rules_.texts)
    to.texts.push_back(draw_terms(from, to));
}

Index DiscreteDrawer::length(const CountParameters& p, Index k) const {
  if (rules_.length) return *rules_.length;
  return p.lengths.empty() ? 1 : std::llround(p.lengths[at(k)]);
}

TermCounts DiscreteDrawer::draw_terms(const Counts& from, Row& to) const {
  if (!from.coins.empty()) {
    TermCounts counts;
    from.coins[at(to.k)].draw(to.rng, [&](Index term) { counts.emplace_back(term, 1); });
    return counts;
  }
  const CountParameters& p = *from.parameters;
  const Index count = length(p, to.k);
  return many(count, p.probabilities.columns())
             ? split_count(p.probabilities.row(to.k), count, to.rng)
             : choose_terms(from.choices[at(to.k)], count, to.rng);
}

TermCounts DiscreteDrawer::draw_rest(const Counts& from, Row& to, const Rest& rest) const {
  if (rest.share == 0) return {};
  const Index count = rest_length(*from.parameters, to, rest);
  return many(count, std::ssize(rest.shares)) ? split_count(rest.shares, count, to.rng)
                                              : choose_terms(Choice(rest.shares), count, to.rng);
}

/// In proportion: the total of counts is Poisson with a mean of which nothing is known, so that it
/// is a gamma variable given the counts observed.
Index DiscreteDrawer::rest_length(const CountParameters& p, Row& to, const Rest& rest) const {
  if (!rules_.in_proportion || rest.share >= 1)
    return std::max<Index>(0, length(p, to.k) - static_cast<Index>(rest.known));
  if (rest.known == 0) return 0;
  const double scale = rest.share / (1 - rest.share);
  const double mean = boost::random::gamma_distribution<double>(rest.known, scale)(to.rng);
  return mean > 0 ? boost::random::poisson_distribution<Index, double>(mean)(to.rng) : 0;
}

void DiscreteDrawer::draw_columns(const Counts& from, Row& to) const {
  const CountParameters& p = *from.parameters;
  const Index terms = std::ssize(p.terms);
  Rest rest{.shares = Vector(at(terms))};
  Index missing = 0;
  for (Index j = 0; j < terms; ++j) {
    if (!std::isnan(to.number(j))) {
      rest.known += to.number(j);
      continue;
    }
    ++missing;
    rest.share += rest.shares[at(j)] = p.probabilities(to.k, j);
  }
  if (missing == 0) return;
  const bool alone = missing == terms || p.kind == CountParameters::Kind::bernoulli;
  const TermCounts drawn = alone ? draw_terms(from, to) : draw_rest(from, to, rest);
  for (const auto& [term, count] : drawn) {
    if (std::isnan(to.number(term))) to.number(term) = count;
  }
  for (Index j = 0; j < terms; ++j) {
    if (std::isnan(to.number(j))) to.number(j) = 0;
  }
}

}  // namespace genera::query
