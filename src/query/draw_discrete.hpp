#pragma once

#include <vector>

#include <genera/model.hpp>
#include <genera/random.hpp>

namespace genera::query {

/// Draws one of several things with given probabilities.
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

/// What was drawn for one row: codes of the categories, counts of the terms of each count block.
struct DrawnCounts {
  std::vector<std::int32_t> codes;
  std::vector<std::vector<std::pair<Index, double>>> counts;
};

/// The discrete blocks of a model made ready for drawing.
class DiscreteDrawer {
 public:
  explicit DiscreteDrawer(const Model& model);
  [[nodiscard]] DrawnCounts draw(Index k, Rng& rng) const;

 private:
  struct Levels {
    std::vector<std::vector<Choice>> choices;  // by column, by class
  };
  struct Joint {
    std::vector<Choice> choices;  // by class
    std::vector<Index> levels;    // of each column
  };
  struct Counts {
    std::vector<Choice> choices{};   // multinomial, by class
    std::vector<ManyCoins> coins{};  // Bernoulli, by class
    Vector lengths{};
  };
  using Drawer = std::variant<Levels, Joint, Counts>;

  static void draw(const Levels& from, Index k, Rng& rng, DrawnCounts& to);
  static void draw(const Joint& from, Index k, Rng& rng, DrawnCounts& to);
  static void draw(const Counts& from, Index k, Rng& rng, DrawnCounts& to);

  std::vector<Drawer> blocks_;
};

}  // namespace genera::query
