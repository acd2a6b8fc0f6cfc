// Rows of counts of any length.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "blocks/counts/kind.hpp"
#include "blocks/counts/split_count.hpp"
#include "blocks/counts/term_weights.hpp"
#include "kernel/bytes.hpp"
#include "kernel/choice.hpp"
#include "kernel/index.hpp"
#include "kernel/log_factorial.hpp"

namespace genera::blocks {
namespace {

using kernel::at;

/// log x! = x log x - x + this.
double stirling_rest(double x) {
  if (x == 0) return 0;
  const double root = 0.5 * std::log(2 * std::numbers::pi * x);
  if (x > 100) return root + (1 - 1 / (30 * x * x)) / (12 * x);
  return kernel::log_factorial(x) - (x * std::log(x) - x);
}

class CountLengths : public LengthDraws {
 public:
  CountLengths(const CountBlock& block, std::span<const Index> missing)
      : density_(block.density()),
        probabilities_(block.parameters().probabilities),
        counts_(block.parameters().terms.size()),
        sums_(at(density_.classes())),
        log_shares_(at(density_.classes())) {
    leave_out(missing);
    choices_ = kernel::for_each_row<kernel::Choice>(probabilities_);
  }

  [[nodiscard]] double cost(Index length) const override {
    return static_cast<double>(std::min(length, most_chosen(std::ssize(counts_))));
  }

  void draw(Index k, const Rng& stream, std::span<const Index> lengths, double* scores) override {
    const Index classes = density_.classes();
    Rng rng = stream;
    std::fill(sums_.begin(), sums_.end(), 0.0);
    double coefficient = 0;
    Index length = 0;
    for (const Index wanted : lengths) {
      if (many(wanted, std::ssize(counts_))) {
        Rng own = stream.split(static_cast<std::uint64_t>(wanted));
        score_long(split_count(probabilities_.row(k), wanted, own), wanted, scores);
      } else {
        while (length < wanted) add_some(k, wanted, rng, length, coefficient);
        for (Index c = 0; c < classes; ++c)
          scores[c] = sums_[at(c)] + coefficient - static_cast<double>(wanted) * log_shares_[at(c)];
      }
      scores += classes;
    }
    for (const Index term : touched_) counts_[at(term)] = 0;
    touched_.clear();
  }

 private:
  /// Of columns that are missing nothing is counted.
  void leave_out(std::span<const Index> missing) {
    for (Index c = 0; c < probabilities_.rows(); ++c) {
      double share = 0;
      for (const Index term : missing) share += std::exchange(probabilities_(c, term), 0.0);
      log_shares_[at(c)] = share < 1 ? std::log1p(-share) : 0;
    }
  }

  /// Adds some more terms, up to the wanted length; what is known of them is asked for ahead.
  /// The coefficient is log length! / prod_j x_j!.
  void add_some(Index k, Index wanted, Rng& rng, Index& length, double& coefficient) {
    std::array<Index, 32> terms;
    const auto count = std::min(terms.size(), at(wanted - length));
    for (std::size_t i = 0; i < count; ++i) {
      terms[i] = choices_[at(k)].draw(rng);
      kernel::prefetch(&counts_[at(terms[i])]);
      const auto weights = density_.weights(terms[i]);
      constexpr std::size_t line = 8;
      for (std::size_t c = 0; c < weights.size(); c += line) kernel::prefetch(&weights[c]);
    }
    for (std::size_t i = 0; i < count; ++i) coefficient += add_one(terms[i], ++length);
  }

  double add_one(Index term, Index length) {
    const double* weights = density_.weights(term).data();
    for (std::size_t c = 0; c < sums_.size(); ++c) sums_[c] += weights[c];
    double& count = counts_[at(term)];
    if (count == 0) touched_.push_back(term);
    count += 1;
    return log_of(length) - log_of(static_cast<Index>(count));
  }

  double log_of(Index n) {
    for (Index i = std::ssize(logs_); i <= n; ++i)
      logs_.push_back(std::log(static_cast<double>(i)));
    return logs_[at(n)];
  }

  /// The factorials of long rows are much larger than what they leave: with Stirling's formula
  /// their large parts meet the probabilities before they are added up.
  void score_long(const TermCounts& row, Index length, double* scores) const {
    const auto total = static_cast<double>(length);
    double rest = stirling_rest(total);
    for (const auto& [term, x] : row) rest -= stirling_rest(x);
    for (Index c = 0; c < density_.classes(); ++c) {
      const double observed = std::exp(log_shares_[at(c)]);
      double score = rest;
      for (const auto& [term, x] : row)
        score += x * std::log(probabilities_(c, term) * (total / (x * observed)));
      scores[c] = score;
    }
  }

  const detail::TermWeights& density_;
  Matrix probabilities_;  // K x V; 0 where the count is missing
  std::vector<kernel::Choice> choices_;
  Vector counts_;               // of the row at hand
  std::vector<Index> touched_;  // those that are not 0
  Vector sums_;                 // K
  Vector logs_;                 // of 0, 1, 2, ... as far as they were asked for
  Vector log_shares_;           // K: of what can be counted
};

}  // namespace

std::unique_ptr<LengthDraws> CountsKind::length_draws(const Block& block,
                                                      std::span<const Index> missing) {
  if (block.parameters().kind != CountParameters::Kind::multinomial) return nullptr;
  return std::make_unique<CountLengths>(block, missing);
}

}  // namespace genera::blocks
