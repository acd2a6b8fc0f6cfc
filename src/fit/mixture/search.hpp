#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <genera/fit.hpp>

#include "fit/mixture/mixture_em.hpp"
#include "fit/gaussian_input.hpp"

namespace genera::fit_detail {

/// A mixture that was found, and what speaks for it.
struct FoundMixture {
  EmResult em;
  Index components = 0;  ///< as asked for; emptied ones included
  Index parameters = 0;
  double log_likelihood = 0;
  double bic = 0;
};

/// Whether `a` is to be preferred: not on the floor, then the smaller BIC.
[[nodiscard]] bool better(const FoundMixture& a, const FoundMixture& b);

/// Mixtures of one set of rows without labels: several starts for each number of components.
class MixtureSearch {
 public:
  /// `rows`: numbers that all vary, perhaps weights. `pause` is called now and then, by one thread
  /// at a time; what it throws ends the search.
  struct Way {
    int threads = 1;
    std::function<void()> pause;
  };
  MixtureSearch(Table rows, EmScale scale, const MixtureOptions& options, Way way);

  [[nodiscard]] FoundMixture find(Index components, const GaussianOptions& options);

 private:
  using Groups = std::vector<std::int32_t>;
  [[nodiscard]] const std::vector<Groups>& starts(Index components);
  [[nodiscard]] std::vector<EmResult> short_runs(Index components, const GaussianOptions& options);

  Table rows_;
  EmScale scale_;
  MixtureOptions options_;
  Way way_;
  double weight_ = 0;
  Matrix scaled_;    // columns divided by their total standard deviation
  Matrix whitened_;  // rows on the scale of the reference; empty: that is the same
  Vector weights_;   // n
  std::map<Index, std::vector<Groups>> starts_;  // by number of components
};

/// Some rows of a table with these columns of `input`; weights are kept, labels are not.
[[nodiscard]] Table numbers_of(const Table& table, const std::vector<Index>& rows,
                               const GaussianInput& input);

/// The components as a model; they are named by their numbers.
[[nodiscard]] Model component_model(const EmResult& em);

/// The order that puts the heaviest component first.
[[nodiscard]] std::vector<std::size_t> heaviest_first(const EmResult& em, const Vector& weights);

/// Components in this order; others are left out.
[[nodiscard]] GaussianParameters selected(const GaussianParameters& parameters,
                                          const std::vector<std::size_t>& components);

/// Throws Error (bad_argument) on options that mixtures do not have.
void refuse_for_mixtures(const GaussianOptions& options);

}  // namespace genera::fit_detail
