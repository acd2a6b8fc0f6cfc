#pragma once

#include <span>
#include <vector>

#include <genera/recipe.hpp>

/// How many steps a search for mixtures takes, and what they are expected to cost.
namespace genera::fit_detail {

struct Pace {
  int steps_of_all;            ///< of EM, that every start takes
  std::size_t one_goes_on_in;  ///< so many, by then
  int steps_before_following;  ///< in total, of those that go on
  bool accelerated;            ///< steps until then; those that follow always are
  double patience;  ///< a start that needs more steps like the last one to come near the leader
                    ///< than that never will
  double steps_to_follow;  ///< of one that is followed, as far as that can be foreseen
};
[[nodiscard]] const Pace& pace_for(Index rows, Index columns);
/// Whether all candidates are scouted before one is followed: of tables with many numbers.
[[nodiscard]] bool scouts_first(const Pace& pace);

/// How many of the first so many starts go on if it is one in so many.
[[nodiscard]] std::size_t how_many(std::size_t starts, std::size_t one_in);
inline constexpr std::size_t one_followed_in = 5;

/// What is sought.
struct MixtureCandidate {
  Index components;
  GaussianOptions options;
};

/// What a search goes over.
struct SearchSize {
  Index rows, columns;
  int starts;
};

/// In operations, roughly: it is to be compared with that of others.
class SearchCost {
 public:
  explicit SearchCost(const SearchSize& size);

  /// A start of so many components by k-means.
  [[nodiscard]] double start(Index components) const;
  /// A step of EM.
  [[nodiscard]] double step(const MixtureCandidate& candidate) const;
  /// The first steps of all starts, and more of those that go on.
  [[nodiscard]] double scouting(const MixtureCandidate& candidate) const;
  /// The steps of the best of them to their end.
  [[nodiscard]] double following(const MixtureCandidate& candidate) const;
  [[nodiscard]] double all(std::span<const MixtureCandidate> candidates) const;

 private:
  SearchSize size_;
  const Pace& pace_;
};

}  // namespace genera::fit_detail
