// Draws of rows of counts of any length.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
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

/// The rest in log x! = x log x - x + rest.
double stirling_rest(double x) {
  if (x == 0) return 0;
  const double root = 0.5 * std::log(2 * std::numbers::pi * x);
  if (x > 100) return root + (1 - 1 / (30 * x * x)) / (12 * x);
  return kernel::log_factorial(x) - (x * std::log(x) - x);
}

/// Shared by threads: the probabilities of terms, 0 for missing counts.
struct TermChoices {
  TermChoices(const Matrix& all, std::span<const Index> missing)
      : probabilities(all), log_shares(at(all.rows())) {
    for (Index c = 0; c < probabilities.rows(); ++c) {
      double share = 0;
      for (const Index term : missing) share += std::exchange(probabilities(c, term), 0.0);
      log_shares[at(c)] = share < 1 ? std::log1p(-share) : 0;
    }
    choices = kernel::for_each_row<kernel::Choice>(probabilities);
  }

  Matrix probabilities;  // K x V
  Vector log_shares;     // K: log probability of all terms that are counted
  std::vector<kernel::Choice> choices;
};

class CountLengths : public LengthDraws {
 public:
  CountLengths(const detail::TermWeights& density, std::shared_ptr<const TermChoices> terms)
      : density_(density),
        terms_(std::move(terms)),
        counts_(at(terms_->probabilities.columns())),
        sums_(at(density_.classes())) {}

  [[nodiscard]] std::unique_ptr<LengthDraws> another() const override {
    return std::make_unique<CountLengths>(density_, terms_);
  }

  [[nodiscard]] double cost(Index length) const override {
    return static_cast<double>(std::min(length, max_chosen(std::ssize(counts_))));
  }

  void draw(Index k, const Rng& stream, std::span<const Index> lengths, double* scores) override {
    const Index classes = density_.classes();
    Rng rng = stream;
    std::fill(sums_.begin(), sums_.end(), 0.0);
    Drawn row;
    for (const Index wanted : lengths) {
      if (many(wanted, std::ssize(counts_))) {
        Rng own = stream.split(static_cast<std::uint64_t>(wanted));
        score_long(split_count(terms_->probabilities.row(k), wanted, own), wanted, scores);
      } else {
        while (row.length < wanted) add_some(k, wanted, rng, row);
        for (Index c = 0; c < classes; ++c)
          scores[c] = sums_[at(c)] + row.coefficient -
                      static_cast<double>(wanted) * terms_->log_shares[at(c)];
      }
      scores += classes;
    }
    for (const Index term : touched_) counts_[at(term)] = 0;
    touched_.clear();
  }

 private:
  /// The state of a row while it is drawn.
  struct Drawn {
    Index length = 0;
    double coefficient = 0;  // log length! / prod_j x_j!
  };

  /// Adds some terms, up to the requested length; prefetches their probabilities.
  void add_some(Index k, Index wanted, Rng& rng, Drawn& row) {
    std::array<Index, 32> terms;
    const auto count = std::min(terms.size(), at(wanted - row.length));
    for (std::size_t i = 0; i < count; ++i) {
      terms[i] = terms_->choices[at(k)].draw(rng);
      kernel::prefetch(&counts_[at(terms[i])]);
      const auto weights = density_.weights(terms[i]);
      constexpr std::size_t line = 8;
      for (std::size_t c = 0; c < weights.size(); c += line) kernel::prefetch(&weights[c]);
    }
    for (std::size_t i = 0; i < count; ++i) row.coefficient += add_one(terms[i], ++row.length);
  }

  /// Returns the increment of the coefficient.
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

  /// The factorials of long rows are much larger than their sum with the log probabilities. By
  /// Stirling's formula, their large parts are combined with the probabilities before adding.
  void score_long(const TermCounts& row, Index length, double* scores) const {
    const auto total = static_cast<double>(length);
    double rest = stirling_rest(total);
    for (const auto& [term, x] : row) rest -= stirling_rest(x);
    for (Index c = 0; c < density_.classes(); ++c) {
      const double observed = std::exp(terms_->log_shares[at(c)]);
      double score = rest;
      for (const auto& [term, x] : row)
        score += x * std::log(terms_->probabilities(c, term) * (total / (x * observed)));
      scores[c] = score;
    }
  }

  const detail::TermWeights& density_;
  std::shared_ptr<const TermChoices> terms_;
  Vector counts_;               // of the current row
  std::vector<Index> touched_;  // terms with a count above 0
  Vector sums_;                 // K
  Vector logs_;                 // of 0, 1, 2, ..., as far as needed so far
};

}  // namespace

std::unique_ptr<LengthDraws> CountsKind::length_draws(const Block& block,
                                                      std::span<const Index> missing) {
  if (block.parameters().kind != CountParameters::Kind::multinomial) return nullptr;
  return std::make_unique<CountLengths>(
      block.density(),
      std::make_shared<const TermChoices>(block.parameters().probabilities, missing));
}

}  // namespace genera::blocks
