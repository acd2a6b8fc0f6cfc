#pragma once

#include <span>
#include <vector>

#include <genera/recipe.hpp>

/// Number of EM steps in a search for mixtures, and their expected cost.
namespace genera::fit_detail {

struct Pace {
  int steps_of_all;             ///< EM steps of every start
  std::size_t continue_one_in;  ///< one in this many starts continues after these steps
  int steps_before_following;   ///< total EM steps of the starts that continue
  bool accelerated;             ///< whether these steps are accelerated; later steps always are
  double patience;              ///< a start is given up if it needs more steps like its last one
                                ///< to come near the leader
  double steps_to_follow;       ///< expected steps of a start that runs to its end
};
[[nodiscard]] const Pace& pace_for(Index rows, Index columns);
/// Whether all candidates are tried briefly before one runs to its end: for large tables.
[[nodiscard]] bool scouts_first(const Pace& pace);

/// Number of starts that continue if one in `one_in` does.
[[nodiscard]] std::size_t continuing(std::size_t starts, std::size_t one_in);
inline constexpr std::size_t one_followed_in = 5;

/// A structure and a number of components.
struct MixtureCandidate {
  Index components;
  GaussianOptions options;
};

/// The size of the search.
struct SearchSize {
  Index rows, columns;
  int starts;
};

/// Rough numbers of operations, comparable with other costs.
class SearchCost {
 public:
  explicit SearchCost(const SearchSize& size);

  /// A k-means start with this number of components.
  [[nodiscard]] double start(Index components) const;
  /// One EM step.
  [[nodiscard]] double step(const MixtureCandidate& candidate) const;
  /// The first steps of all starts, and more steps of those that continue.
  [[nodiscard]] double scouting(const MixtureCandidate& candidate) const;
  /// The steps of the best starts to their end.
  [[nodiscard]] double following(const MixtureCandidate& candidate) const;
  [[nodiscard]] double all(std::span<const MixtureCandidate> candidates) const;

 private:
  SearchSize size_;
  const Pace& pace_;
};

}  // namespace genera::fit_detail
