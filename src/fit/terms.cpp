// Counts: the terms of texts, the columns of svmlight files, columns of counts.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "fit/discrete.hpp"
#include "kernel/parallel.hpp"

namespace genera::fit_detail {
namespace {

using Kind = CountParameters::Kind;

bool contains_a_word(std::string_view term, const NameSet& words) {
  while (!term.empty()) {
    const std::size_t end = std::min(term.find(' '), term.size());
    if (words.find(term.substr(0, end))) return true;
    term.remove_prefix(std::min(term.size(), end + 1));
  }
  return false;
}

/// How often each term occurs in all: sums of counts, or rows that have it. Statistics for one
/// estimate keep only one of the two.
Vector totals_of(const DiscreteInput& input, std::size_t sparse, Vector TermSums::*what) {
  Vector totals(input.statistics.terms()[sparse].names().size());
  for (const ClassStatistics* c : input.classes.statistics) {
    const Vector& sums = c->terms[sparse].*what;
    for (std::size_t j = 0; j < sums.size(); ++j) totals[j] += sums[j];
  }
  return totals;
}

bool keeps_presence(const DiscreteInput& input, std::size_t sparse) {
  return std::any_of(input.classes.statistics.begin(), input.classes.statistics.end(),
                     [&](const ClassStatistics* c) { return !c->terms[sparse].present.empty(); });
}

/// The most frequent first; of equals the one that sorts first.
void keep_most_frequent(std::vector<std::size_t>& kept, Index most, const Vector& totals,
                        const std::vector<std::string>& names) {
  if (most == 0 || std::ssize(kept) <= most) return;
  const auto before = [&](std::size_t a, std::size_t b) {
    return totals[a] != totals[b] ? totals[a] > totals[b] : names[a] < names[b];
  };
  std::nth_element(kept.begin(), kept.begin() + most, kept.end(), before);
  kept.resize(static_cast<std::size_t>(most));
}

/// Sorts places by their names: mostly by their first eight bytes, which are at hand.
void sort_by_name(std::vector<std::size_t>& places, const std::vector<std::string>& names) {
  std::vector<std::pair<std::uint64_t, std::size_t>> keyed;
  keyed.reserve(places.size());
  for (const std::size_t place : places) {
    std::uint64_t head = 0;
    for (std::size_t i = 0; i < 8; ++i)
      head =
          head << 8U | (i < names[place].size() ? static_cast<unsigned char>(names[place][i]) : 0U);
    keyed.emplace_back(head, place);
  }
  std::sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : names[a.second] < names[b.second];
  });
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = keyed[i].second;
}

/// The same for the indices of an svmlight file, which are numbers.
void sort_by_index(std::vector<std::size_t>& places, const std::vector<std::string>& names) {
  std::vector<std::pair<long long, std::size_t>> keyed;
  for (const std::size_t place : places) keyed.emplace_back(std::stoll(names[place]), place);
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = keyed[i].second;
}

/// Places of the terms that the options leave, in the order of the model.
std::vector<std::size_t> chosen_terms(const DiscreteInput& input, std::size_t sparse) {
  const std::vector<std::string>& names = input.statistics.terms()[sparse].names();
  const DiscreteOptions& options = input.options;
  const TextOptions& cut = input.statistics.schema().text;
  if (!options.stop_words.empty() && (cut.hash_bits > 0 || cut.chars))
    throw Error(Errc::bad_argument,
                cut.chars ? "terms of characters are not words, so no stop word can be found"
                          : "hashed terms have no names, so no stop word can be found",
                {"leave {} or {} out", {{"stop_words"}, {cut.chars ? "chars" : "hash_bits"}}});
  const NameSet stop_words(options.stop_words);
  const bool presence = options.counts == Kind::bernoulli && input.statistics.schema().svmlight;
  const bool ranked = options.min_count > 0 || options.max_terms > 0;
  const Vector seen = totals_of(
      input, sparse, keeps_presence(input, sparse) ? &TermSums::present : &TermSums::sums);
  const Vector totals = ranked && !presence ? totals_of(input, sparse, &TermSums::sums) : seen;
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (seen[j] == 0 || totals[j] < options.min_count) continue;
    if (stop_words.size() > 0 && contains_a_word(names[j], stop_words)) continue;
    kept.push_back(j);
  }
  keep_most_frequent(kept, options.max_terms, totals, names);
  if (input.statistics.schema().svmlight) {
    sort_by_index(kept, names);
  } else {
    sort_by_name(kept, names);
  }
  return kept;
}

TermTable term_table(const DiscreteInput& input, std::size_t sparse) {
  const std::vector<std::size_t> kept = chosen_terms(input, sparse);
  TermTable table;
  table.terms.reserve(kept.size());
  for (const std::size_t j : kept)
    table.terms.push_back(input.statistics.terms()[sparse].names()[j]);
  for (const ClassStatistics* c : input.classes.statistics)
    table.weights.push_back(c->terms[sparse].weight);
  table.sums = Matrix(input.classes.size(), std::ssize(kept));
  kernel::parallel_for(input.classes.size(), input.threads, [&](Index k) {
    const TermSums& from = input.classes.statistics[static_cast<std::size_t>(k)]->terms[sparse];
    const Vector& sums = input.options.counts == Kind::bernoulli ? from.present : from.sums;
    const std::span<double> row = table.sums.row(k);
    for (std::size_t i = 0; i < kept.size(); ++i) row[i] = sum_at(sums, kept[i]);
  });
  return table;
}

/// (n_j + s) / (rows + 2 s).
Matrix presence(TermTable& table, double smoothing, int threads) {
  Matrix p = std::move(table.sums);
  kernel::parallel_for(p.rows(), threads, [&](Index k) {
    const double total = table.weights[static_cast<std::size_t>(k)] + 2 * smoothing;
    for (double& value : p.row(k))
      value = total > 0 ? std::min(1.0, (value + smoothing) / total) : 0.5;
  });
  return p;
}

/// The sums of the table are used up.
Matrix probabilities_of(TermTable& table, Kind kind, const DiscreteInput& input) {
  const double smoothing = input.options.smoothing;
  if (kind == Kind::bernoulli) return presence(table, smoothing, input.threads);
  return smoothed(std::move(table.sums), smoothing, input.threads);
}

Block block_of(TermTable table, const DiscreteInput& input, CountParameters p) {
  p.smoothing = input.options.smoothing;
  p.counts = input.classes.counts;
  if (p.kind != Kind::bernoulli) p.lengths = mean_lengths(table, input.threads);
  p.probabilities = probabilities_of(table, p.kind, input);
  p.terms = std::move(table.terms);
  return CountBlock(std::move(p), input.threads);
}

}  // namespace

Vector mean_lengths(const TermTable& table, int threads) {
  Vector lengths(table.weights.size());
  kernel::parallel_for(table.sums.rows(), threads, [&](Index k) {
    const auto row = table.sums.row(k);
    const double weight = table.weights[static_cast<std::size_t>(k)];
    if (weight > 0)
      lengths[static_cast<std::size_t>(k)] = std::accumulate(row.begin(), row.end(), 0.0) / weight;
  });
  return lengths;
}

std::optional<TermTable> counted_columns(const DiscreteInput& input) {
  TermTable table{.terms = input.statistics.schema().names_of(ColumnType::count),
                  .sums = {},
                  .weights = input.classes.counts};
  if (table.terms.empty()) return std::nullopt;
  table.sums = Matrix(input.classes.size(), std::ssize(table.terms));
  for (Index k = 0; k < table.sums.rows(); ++k) {
    const Vector& sums = input.classes.statistics[static_cast<std::size_t>(k)]->counts;
    std::copy(sums.begin(), sums.end(), table.sums.row(k).begin());
  }
  return table;
}

std::optional<TermTable> counted_terms(const DiscreteInput& input, std::size_t sparse,
                                       Report& report) {
  TermTable table = term_table(input, sparse);
  if (!table.terms.empty()) return table;
  const std::string name = input.statistics.schema().sparse()[sparse];
  if (!name.empty()) report.columns_left_out.push_back(name);
  report.notes.push_back({name.empty()
                              ? "no column is left"
                              : fmt::format("column '{}' has no term that is left", name)});
  return std::nullopt;
}

std::optional<Block> count_block(const DiscreteInput& input, Report&) {
  auto table = counted_columns(input);
  if (!table) return std::nullopt;
  return block_of(*std::move(table), input, {.kind = Kind::multinomial});
}

std::optional<Block> term_block(const DiscreteInput& input, std::size_t sparse, Report& report) {
  auto table = counted_terms(input, sparse, report);
  if (!table) return std::nullopt;
  const StatisticsSchema& schema = input.statistics.schema();
  return block_of(
      *std::move(table), input,
      {.kind = input.options.counts, .text = schema.sparse()[sparse], .text_options = schema.text});
}

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

Statistics moments_of_svmlight(const Statistics& statistics) {
  StatisticsSchema schema{.target = statistics.target(), .scatter = Scatter::diagonal};
  const std::vector<std::string> names = columns_seen(statistics);
  for (const std::string& name : names) schema.features.push_back({name, ColumnType::numeric});
  Statistics result(std::move(schema));
  const NameSet places(statistics.terms().front().names());
  for (const ClassStatistics& from : statistics.classes()) {
    ClassStatistics& to = result.of_class(from.name);
    const TermSums& terms = from.terms.front();
    const double n = from.moments.weight;
    to.rows = from.rows;
    to.moments.weight = n;
    for (std::size_t j = 0; j < names.size(); ++j) {
      const auto place = static_cast<std::size_t>(*places.find(names[j]));
      const double m = sum_at(terms.present, place);
      if (m == 0) continue;
      const double mean = terms.sums[place] / m;  // of the entries; n - m more are zero
      to.moments.mean[j] = mean * (m / n);
      to.moments.scatter(0, static_cast<Index>(j)) =
          terms.scatter[place] + mean * mean * (m * ((n - m) / n));
    }
  }
  return result;
}

}  // namespace genera::fit_detail
