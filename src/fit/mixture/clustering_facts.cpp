#include <genera/mixture.hpp>

namespace genera {

Facts facts(const ClusterCandidate& candidate) {
  return {{"components", candidate.components},
          {"covariance", name_of(candidate.covariance)},
          {"log_likelihood", candidate.log_likelihood},
          {"parameters", candidate.parameters},
          {"bic", candidate.bic},
          {"converged", candidate.converged},
          {"on_floor", candidate.on_floor},
          {"given_up", candidate.given_up}};
}

Facts facts(const Clustering& clustering) {
  Fact::List candidates;
  for (const ClusterCandidate& candidate : clustering.candidates)
    candidates.emplace_back(facts(candidate));
  return {{"best", candidates[clustering.best]}, {"candidates", std::move(candidates)}};
}

}  // namespace genera
