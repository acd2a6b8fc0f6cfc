#include "blocks/gaussian/estimate/sparse_moments.hpp"

#include <algorithm>
#include <cmath>

#include "blocks/second_pass.hpp"
#include "sums/discrete_sums.hpp"
#include "sums/min_scatter.hpp"

namespace genera::blocks {

using sums::sum_at;

std::vector<std::string> columns_seen(const Statistics& statistics) {
  const std::vector<std::string>& all = statistics.terms().front().names();
  std::vector<std::string> names;
  for (std::size_t j = 0; j < all.size(); ++j) {
    const bool seen = std::any_of(
        statistics.classes().begin(), statistics.classes().end(),
        [&](const ClassStatistics& c) { return sum_at(c.terms.front().present, j) > 0; });
    if (seen) names.push_back(all[j]);
  }
  sort_labels(names);
  return names;
}

Statistics moments_of_sparse(const Statistics& statistics) {
  StatisticsSchema schema{.target = statistics.target(), .scatter = Scatter::diagonal};
  const std::vector<std::string> names = columns_seen(statistics);
  for (const std::string& name : names) schema.features.push_back({name, ColumnType::numeric});
  Statistics result(std::move(schema));
  const NameSet places(statistics.terms().front().names());
  for (const ClassStatistics& from : statistics.classes()) {
    ClassStatistics& to = result.of_class(from.name);
    const TermSums& terms = from.terms.front();
    const double n = from.weight;
    to.rows = from.rows;
    to.weight = to.moments.weight = n;
    for (std::size_t j = 0; j < names.size(); ++j) {
      const auto place = static_cast<std::size_t>(*places.find(names[j]));
      const double m = sum_at(terms.present, place);
      if (m == 0) continue;
      const double sum = terms.sums[place];
      const double mean = sum / m;  // of m entries; n - m more are zero
      const double high = mean * (m / n);
      to.moments.mean[j] = high;
      to.moments.mean_low[j] = (std::fma(-high, n, sum) + sum_at(terms.sums_low, place)) / n;
      double& scatter = to.moments.scatter(0, static_cast<Index>(j));
      scatter = terms.scatter[place] + mean * mean * (m * ((n - m) / n));
      if (scatter == 0 && mean != 0 && m < n) scatter = sums::min_scatter;
    }
  }
  return result;
}

}  // namespace genera::blocks
