#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <genera/model.hpp>
#include <genera/random.hpp>

#include "query/generate/own_rows.hpp"

namespace genera::query {

/// Draws one of several things with given probabilities, which need not sum to one.
class Choice {
 public:
  explicit Choice(std::span<const double> probabilities);
  [[nodiscard]] Index draw(Rng& rng) const;

 private:
  Vector sums_;  // cumulative
};

/// Draws which of many independent things happen, in time proportional to how many do: things of
/// similar probability are skipped through together and thinned.
class ManyCoins {
 public:
  explicit ManyCoins(std::span<const double> probabilities);
  /// Calls `hit` with the number of each thing that happens.
  template <class Hit>
  void draw(Rng& rng, Hit hit) const;

 private:
  struct Group {
    double bound;  // the largest probability in it
    std::vector<Index> members;
  };
  std::vector<Group> groups_;
  Vector probabilities_;
};

/// How much is counted in rows that are drawn.
struct CountRules {
  std::optional<Index> length{};  ///< of each row; empty: the mean length of its class, rounded
  /// Counts that are missing beside others are as many as these let expect, by their law under a
  /// length of which nothing else is known; not: as many as the length leaves over.
  bool in_proportion = false;
  bool texts = true;  ///< false: texts are not drawn
};

/// Terms of a text and how often each occurs, ascending.
using TermCounts = std::vector<std::pair<Index, double>>;

/// The discrete blocks of a model made ready for drawing.
class DiscreteDrawer {
 public:
  /// The model must outlive it.
  DiscreteDrawer(const Model& model, const CountRules& rules);

  struct Place {
    OwnRows& rows;
    Index row;
  };
  /// Draws what is missing of a row of class k, given what is known; texts go to `texts`, one for
  /// each block of them.
  void draw(Index k, Rng& rng, Place to, std::vector<TermCounts>& texts) const;
  [[nodiscard]] bool draws_texts() const { return rules_.texts; }

 private:
  struct Levels {
    std::vector<std::vector<Choice>> choices;  // by column, by class
  };
  struct Joint {
    const JointParameters* parameters;
    std::vector<Choice> choices{};  // by class
  };
  struct Counts {
    const CountParameters* parameters;
    std::vector<Choice> choices{};   // multinomial, by class
    std::vector<ManyCoins> coins{};  // Bernoulli, by class
  };
  using Drawer = std::variant<std::monostate, Levels, Joint, Counts>;
  struct Row;

  void draw(const std::monostate&, Row&) const {}
  void draw(const Levels& from, Row& to) const;
  void draw(const Joint& from, Row& to) const;
  void draw(const Counts& from, Row& to) const;
  void draw_columns(const Counts& from, Row& to) const;
  [[nodiscard]] TermCounts draw_terms(const Counts& from, Row& to) const;
  struct Rest {        // counts that are missing beside others
    Vector shares;     // their probabilities; 0 for the others
    double share = 0;  // the sum
    double known = 0;  // sum of the others
  };
  [[nodiscard]] TermCounts draw_rest(const Counts& from, Row& to, const Rest& rest) const;
  [[nodiscard]] Index rest_length(const CountParameters& p, Row& to, const Rest& rest) const;
  [[nodiscard]] Index length(const CountParameters& p, Index k) const;

  CountRules rules_;
  std::vector<Drawer> blocks_;  // as in the model
};

}  // namespace genera::query
