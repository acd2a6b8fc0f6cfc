#include "evaluate/strata.hpp"

#include <algorithm>

#include "data/join_tables.hpp"
#include "data/row_digests.hpp"
#include "kernel/index.hpp"

namespace genera::select_detail {

using kernel::at;

void shuffle(std::vector<Index>& list, Rng rng) {
  for (std::size_t i = list.size(); i > 1; --i) {
    const auto other = static_cast<std::size_t>(rng.uniform() * static_cast<double>(i));
    std::swap(list[i - 1], list[other]);
  }
}

std::vector<Stratum> shuffled_strata(const Rows& rows, std::uint64_t seed) {
  const CodesView& labels = rows.data().labels;
  std::vector<Stratum> strata;
  for (const std::string& name : labels.names) strata.push_back({name, {}});
  std::vector<Index> labelled;
  for (Index i = 0; i < rows.count() && !labels.empty(); ++i)
    if (labels(rows.row(i)) >= 0 && rows.weight(rows.row(i)) > 0) labelled.push_back(i);
  data::sort_by_content(rows, labelled);
  for (const Index i : labelled) strata[at(labels(rows.row(i)))].positions.push_back(i);
  std::erase_if(strata, [](const Stratum& one) { return one.positions.empty(); });
  std::ranges::sort(strata, {}, &Stratum::label);
  const Rng rng(seed);
  for (std::size_t k = 0; k < strata.size(); ++k) shuffle(strata[k].positions, rng.split(k));
  return strata;
}

std::vector<Index> stratified_sample(const Rows& rows, Index max_rows, std::uint64_t seed) {
  const std::vector<Stratum> strata = shuffled_strata(rows, seed);
  Index labelled = 0;
  for (const Stratum& one : strata) labelled += std::ssize(one.positions);
  std::vector<Index> sample;
  for (const Stratum& one : strata) {
    const Index own = data::rows_of_stratum(std::ssize(one.positions), labelled, max_rows);
    sample.insert(sample.end(), one.positions.begin(), one.positions.begin() + own);
  }
  std::ranges::sort(sample);
  return sample;
}

}  // namespace genera::select_detail
