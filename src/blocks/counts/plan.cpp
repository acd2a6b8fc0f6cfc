// The fit of counts: terms of texts, columns of sparse matrices, count columns.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/class_counts.hpp"
#include "blocks/counts/kind.hpp"
#include "blocks/counts/leave_one_out.hpp"
#include "blocks/table_sums.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "kernel/text.hpp"
#include "sums/discrete_sums.hpp"

namespace genera::blocks {
namespace {

using kernel::at;
using sums::sum_at;
using Kind = CountParameters::Kind;

/// The kind of block for counts; empty if another kind models them.
std::optional<Kind> kind_of(CountModel model) {
  if (model == CountModel::bernoulli) return Kind::bernoulli;
  return model == CountModel::multinomial ? std::optional(Kind::multinomial) : std::nullopt;
}

bool contains_a_word(std::string_view term, const NameSet& words) {
  while (!term.empty()) {
    const std::size_t end = std::min(term.find(' '), term.size());
    if (words.find(term.substr(0, end))) return true;
    term.remove_prefix(std::min(term.size(), end + 1));
  }
  return false;
}

/// Total occurrences of each term: sums of counts, or rows that contain it. Statistics for a
/// single estimate keep only one of the two.
Vector totals_of(const PlanInput& input, std::size_t sparse, Vector TermSums::*what) {
  Vector totals(input.statistics.terms()[sparse].names().size());
  for (const ClassStatistics* c : input.classes.statistics) {
    const Vector& sums = c->terms[sparse].*what;
    for (std::size_t j = 0; j < sums.size(); ++j) totals[j] += sums[j];
  }
  return totals;
}

bool keeps_presence(const PlanInput& input, std::size_t sparse) {
  return std::any_of(input.classes.statistics.begin(), input.classes.statistics.end(),
                     [&](const ClassStatistics* c) { return !c->terms[sparse].present.empty(); });
}

/// Keeps the most frequent terms; ties go to the one that sorts first.
void keep_most_frequent(std::vector<std::size_t>& kept, Index max, const Vector& totals,
                        const std::vector<std::string>& names) {
  if (max == 0 || std::ssize(kept) <= max) return;
  const auto before = [&](std::size_t a, std::size_t b) {
    return totals[a] != totals[b] ? totals[a] > totals[b] : names[a] < names[b];
  };
  std::nth_element(kept.begin(), kept.begin() + max, kept.end(), before);
  kept.resize(static_cast<std::size_t>(max));
}

struct Keyed {
  std::uint64_t head;  // the first eight bytes of the name, in sort order
  std::size_t place;
};

std::uint64_t sorting_head(const std::string& name) {
  std::uint64_t head = 0;
  for (std::size_t i = 0; i < 8; ++i)
    head = head << 8U | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0U);
  return head;
}

/// Radix sort by heads, last byte first (Knuth, TAOCP 3, 5.2.5); ties in any order.
void sort_by_head(std::vector<Keyed>& keyed) {
  constexpr std::size_t digits = 8, values = 256;
  const auto digit = [](const Keyed& k, std::size_t d) { return (k.head >> (8 * d)) % values; };
  std::array<std::array<std::size_t, values>, digits> counts{};
  for (const Keyed& k : keyed) {
    for (std::size_t d = 0; d < digits; ++d) ++counts[d][digit(k, d)];
  }
  std::vector<Keyed> sorted(keyed.size());
  for (std::size_t d = 0; d < digits; ++d) {
    std::exclusive_scan(counts[d].begin(), counts[d].end(), counts[d].begin(), std::size_t{0});
    for (const Keyed& k : keyed) sorted[counts[d][digit(k, d)]++] = k;
    keyed.swap(sorted);
  }
}

/// Sorts positions by their names. Most comparisons need only the heads.
void sort_by_name(std::vector<std::size_t>& places, const std::vector<std::string>& names) {
  std::vector<Keyed> keyed;
  keyed.reserve(places.size());
  for (const std::size_t place : places) keyed.push_back({sorting_head(names[place]), place});
  sort_by_head(keyed);
  for (auto begin = keyed.begin(); begin != keyed.end();) {
    const auto end =
        std::find_if(begin, keyed.end(), [&](const Keyed& k) { return k.head != begin->head; });
    if (end - begin > 1)
      std::sort(begin, end,
                [&](const Keyed& a, const Keyed& b) { return names[a.place] < names[b.place]; });
    begin = end;
  }
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = keyed[i].place;
}

/// Sorts as sort_labels does: as numbers if all columns of the matrix are named by numbers.
void sort_columns(std::vector<std::size_t>& places, const std::vector<std::string>& names) {
  std::vector<std::pair<double, std::size_t>> keyed;
  for (const std::size_t place : places) {
    const std::optional<double> number = kernel::number_in(names[place]);
    if (!number) return sort_by_name(places, names);
    keyed.emplace_back(*number, place);
  }
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = keyed[i].second;
}

/// Positions of the terms that remain after the options, in the order of the model.
std::vector<std::size_t> chosen_terms(const PlanInput& input, std::size_t sparse) {
  const std::vector<std::string>& names = input.statistics.terms()[sparse].names();
  const DiscreteOptions& options = input.recipe.discrete;
  const StatisticsSchema& schema = input.statistics.schema();
  const TextOptions& text_options = schema.text;
  if (!options.stop_words.empty() && (text_options.hash_bits > 0 || text_options.chars))
    throw Error(
        Errc::bad_argument,
        text_options.chars ? "character n-grams are not words, so stop words do not apply"
                           : "hashed terms have no names, so stop words do not apply",
        {"leave {} or {} out", {{"stop_words"}, {text_options.chars ? "chars" : "hash_bits"}}});
  const NameSet stop_words(options.stop_words);
  const bool presence = options.counts == CountModel::bernoulli && schema.sparse_matrix;
  const bool ranked = options.min_count > 0 || options.max_terms > 0;
  const Vector seen = totals_of(
      input, sparse, keeps_presence(input, sparse) ? &TermSums::present : &TermSums::sums);
  const Vector totals = ranked && !presence ? totals_of(input, sparse, &TermSums::sums) : seen;
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if ((seen[j] == 0 && !schema.all_columns) || totals[j] < options.min_count) continue;
    if (stop_words.size() > 0 && contains_a_word(names[j], stop_words)) continue;
    kept.push_back(j);
  }
  keep_most_frequent(kept, options.max_terms, totals, names);
  if (schema.all_columns) return kept;  // in the order of the matrix
  if (schema.sparse_matrix) {
    sort_columns(kept, names);
  } else {
    sort_by_name(kept, names);
  }
  return kept;
}

/// The terms of a block.
struct CountsFrame {
  Kind kind = Kind::multinomial;
  std::optional<std::size_t> sparse{};  // index among the sparse columns; empty: count columns
  std::string text{};
  TextOptions text_options{};
  std::vector<std::string> terms{};
  SharedNames names{};                // all terms of the statistics
  std::vector<std::size_t> places{};  // positions of the terms in `names`
};

class CountsPlan : public BlockPlan {
 public:
  CountsPlan(CountsFrame frame, Index classes, const DiscreteOptions& options)
      : frame_(std::move(frame)),
        classes_(classes),
        smoothing_(options.smoothing),
        min_count_(frame_.sparse ? options.min_count : 0),
        max_terms_(frame_.sparse && options.max_terms > 0) {}

  [[nodiscard]] std::unique_ptr<BlockSums> no_sums() const override {
    return std::make_unique<TableSums>(classes_, std::vector<Index>{std::ssize(frame_.terms)});
  }

  [[nodiscard]] std::unique_ptr<BlockSums> read(const Statistics& statistics) const override {
    const sums::ClassList classes = sums::sorted_classes(statistics);
    auto to = std::make_unique<TableSums>(classes_, std::vector<Index>{});
    std::vector<std::size_t> moved;
    const std::vector<std::size_t>& places =
        has_places_of(statistics) ? frame_.places : (moved = places_in(statistics));
    Matrix table = Matrix::for_overwrite(classes_, std::ssize(places));
    for (Index k = 0; k < classes_; ++k) {
      const ClassStatistics& from = *classes.statistics[at(k)];
      to->weights[at(k)] =
          frame_.sparse ? from.terms[*frame_.sparse].weight : classes.counts[at(k)];
      const Vector& values = sums_of(from);
      std::ranges::transform(places, table.row(k).begin(),
                             [&](std::size_t place) { return sum_at(values, place); });
    }
    to->tables.push_back(std::move(table));
    return to;
  }

  [[nodiscard]] Block estimate(const BlockSums& sums, const Estimating& how,
                               Report&) const override {
    const auto& from = sums_as<TableSums>(sums);
    CountParameters p{.kind = frame_.kind,
                      .text = frame_.text,
                      .text_options = frame_.text_options,
                      .terms = frame_.terms,
                      .probabilities = probabilities_of(from, how.threads),
                      .smoothing = smoothing_,
                      .counts = how.class_weights};
    if (frame_.kind != Kind::bernoulli)
      p.lengths = mean_lengths(from.tables.front(), from.weights, how.threads);
    return CountBlock(std::move(p), how.threads);
  }

  [[nodiscard]] std::unique_ptr<const LeaveOneOut> leave_one_out(
      const LeaveOneOutInput& input) const override {
    return leave_terms_out(input, min_count_, max_terms_);
  }

  [[nodiscard]] bool statistics_tell_likelihood() const override { return false; }
  [[nodiscard]] double log_likelihood(const Block& block, const BlockSums& sums) const override {
    const auto& from = sums_as<TableSums>(sums);
    double total = from.constant + blocks::log_likelihood(from.tables.front(), table_of(block));
    if (frame_.kind == Kind::bernoulli)
      total += blocks::log_likelihood(absences(from), complements(table_of(block)));
    return total;
  }
  [[nodiscard]] double log_prior(const Block& block,
                                 std::span<const CollapsePrior>) const override {
    double total = log_smoothing(smoothing_, table_of(block));
    if (frame_.kind == Kind::bernoulli)
      total += log_smoothing(smoothing_, complements(table_of(block)));
    return total;
  }
  [[nodiscard]] double change(const Block& before, const Block& after) const override {
    return largest_difference(table_of(before), table_of(after));
  }

 private:
  [[nodiscard]] static const Matrix& table_of(const Block& block) {
    return block_as<CountBlock>(block).parameters().probabilities;
  }
  [[nodiscard]] static Matrix complements(const Matrix& probabilities) {
    Matrix rest(probabilities.rows(), probabilities.columns());
    for (Index k = 0; k < rest.rows(); ++k)
      std::ranges::transform(probabilities.row(k), rest.row(k).begin(),
                             [](double p) { return 1 - p; });
    return rest;
  }
  [[nodiscard]] static Matrix absences(const TableSums& sums) {
    Matrix rest(sums.tables.front().rows(), sums.tables.front().columns());
    for (Index k = 0; k < rest.rows(); ++k)
      std::ranges::transform(sums.tables.front().row(k), rest.row(k).begin(),
                             [&](double p) { return sums.weights[at(k)] - p; });
    return rest;
  }

  /// Whether the terms have the same positions in these statistics as in those of the plan.
  [[nodiscard]] bool has_places_of(const Statistics& statistics) const {
    // Count columns are in the order of the schema.
    return !frame_.sparse || statistics.terms()[*frame_.sparse].shared_with(frame_.names);
  }

  /// Positions of the terms in these statistics, usually the same as in those of the plan; beyond
  /// all positions for absent terms.
  [[nodiscard]] std::vector<std::size_t> places_in(const Statistics& statistics) const {
    const NameSet& names = statistics.terms()[*frame_.sparse];
    std::vector<std::size_t> places = frame_.places;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] < names.names().size() && names.names()[places[i]] == frame_.terms[i]) continue;
      const auto found = names.find(frame_.terms[i]);
      places[i] =
          found ? static_cast<std::size_t>(*found) : std::numeric_limits<std::size_t>::max();
    }
    return places;
  }
  [[nodiscard]] const Vector& sums_of(const ClassStatistics& from) const {
    if (!frame_.sparse) return from.counts.sums;
    const TermSums& terms = from.terms[*frame_.sparse];
    return frame_.kind == Kind::bernoulli ? terms.present : terms.sums;
  }

  /// Presence: (n_j + s) / (rows + 2 s).
  [[nodiscard]] Matrix probabilities_of(const TableSums& from, int threads) const {
    const Matrix& sums = from.tables.front();
    if (frame_.kind == Kind::multinomial) return smoothed(sums, smoothing_, threads);
    Matrix p = Matrix::for_overwrite(sums.rows(), sums.columns());
    kernel::parallel_for(p.rows(), threads, [&](Index k) {
      const double total = from.weights[at(k)] + 2 * smoothing_;
      std::ranges::transform(sums.row(k), p.row(k).begin(), [&](double present) {
        return total > 0 ? std::min(1.0, (present + smoothing_) / total) : 0.5;
      });
    });
    return p;
  }

  CountsFrame frame_;
  Index classes_;
  double smoothing_;
  double min_count_;  // total of a term
  bool max_terms_;    // only the most frequent terms are kept
};

/// The terms of a text column, or the columns of a sparse matrix.
std::optional<CountsFrame> terms_frame(const PlanInput& input, Kind kind, std::size_t sparse,
                                       Report& report) {
  const StatisticsSchema& schema = input.statistics.schema();
  CountsFrame frame{.kind = kind,
                    .sparse = sparse,
                    .text = schema.sparse()[sparse],
                    .text_options = schema.text,
                    .terms = {},
                    .names = input.statistics.terms()[sparse],
                    .places = chosen_terms(input, sparse)};
  if (frame.places.empty()) {
    if (!frame.text.empty()) report.columns_left_out.push_back(frame.text);
    report.notes.push_back({frame.text.empty()
                                ? "no column remains"
                                : fmt::format("no term of column '{}' remains", frame.text)});
    return std::nullopt;
  }
  frame.terms.reserve(frame.places.size());
  for (const std::size_t place : frame.places)
    frame.terms.push_back(input.statistics.terms()[sparse].names()[place]);
  return frame;
}

/// Throws because no other kind reads terms.
[[noreturn]] void refuse_terms(const PlanInput& input) {
  const std::string text = input.statistics.schema().sparse().front();
  const std::string name(name_of(input.recipe.discrete.counts));
  const OptionUse instead{"model", {std::string(name_of(CountModel::multinomial))}};
  if (text.empty())
    throw Error(Errc::bad_argument,
                fmt::format("{} needs columns of counts, and these rows are a sparse matrix", name),
                {"use {}", {instead}});
  throw Error(Errc::bad_argument,
              fmt::format("{} needs columns of counts, and '{}' is a text", name, text),
              {"leave it out ({}), or use {}", {{"drop", {text}}, instead}});
}

/// The terms of the blocks of a recipe, block by block.
std::vector<CountsFrame> frames_of(const PlanInput& input, Report& report) {
  std::vector<CountsFrame> frames;
  const StatisticsSchema& schema = input.statistics.schema();
  const std::optional<Kind> kind = kind_of(input.recipe.discrete.counts);
  if (auto names = schema.names_of(ColumnType::count); kind && !names.empty()) {
    CountsFrame frame{.kind = Kind::multinomial, .terms = std::move(names)};
    frame.places.resize(frame.terms.size());
    std::iota(frame.places.begin(), frame.places.end(), std::size_t{0});
    frames.push_back(std::move(frame));
  }
  if (schema.sparse_matrix && !input.recipe.discrete.sparse_counts) return frames;
  for (std::size_t s = 0; s < input.statistics.terms().size(); ++s) {
    if (!kind) refuse_terms(input);
    if (auto frame = terms_frame(input, *kind, s, report)) frames.push_back(*std::move(frame));
  }
  return frames;
}

}  // namespace

BlockPlans CountsKind::plans(const PlanInput& input, Report& report) {
  BlockPlans plans;
  for (CountsFrame& frame : frames_of(input, report))
    plans.push_back(std::make_unique<CountsPlan>(std::move(frame), input.classes.size(),
                                                 input.recipe.discrete));
  return plans;
}

std::vector<ClassCounts> class_counts(const PlanInput& input, Report& report) {
  std::vector<ClassCounts> parts;
  for (const CountsFrame& frame : frames_of(input, report)) {
    const auto sums =
        CountsPlan(frame, input.classes.size(), input.recipe.discrete).read(input.statistics);
    auto& table = sums_as<TableSums>(*sums);
    parts.push_back({frame.text, frame.text_options, frame.terms, std::move(table.tables.front()),
                     std::move(table.weights)});
  }
  return parts;
}

}  // namespace genera::blocks
