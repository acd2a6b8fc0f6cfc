#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/stats.hpp>

#include "kernel/text.hpp"
#include "sums/discrete_sums.hpp"
#include "sums/pair_sums.hpp"
#include "sums/schema.hpp"
#include "sums/summarise.hpp"

namespace genera {
namespace {

/// Relative weights below this are rounding errors, not rows.
constexpr double weight_rounding = 1e-12;
/// If the scatter shrinks by a larger factor, few digits remain after subtraction.
constexpr double notable_cancellation = 1e4;

Moments reorder(const Moments& moments, const std::vector<Index>& from) {
  Moments result = moments;
  const auto d = static_cast<Index>(from.size());
  const bool full = moments.scatter.rows() == d && d > 1;
  for (Index i = 0; i < d; ++i) {
    const auto source = static_cast<std::size_t>(from[static_cast<std::size_t>(i)]);
    result.mean[static_cast<std::size_t>(i)] = moments.mean[source];
    result.mean_low[static_cast<std::size_t>(i)] = moments.mean_low[source];
    if (!full) result.scatter(0, i) = moments.scatter(0, static_cast<Index>(source));
    for (Index j = 0; full && j < d; ++j)
      result.scatter(i, j) =
          moments.scatter(static_cast<Index>(source), from[static_cast<std::size_t>(j)]);
  }
  return result;
}

/// Their moments with columns in our order; `other` provides storage for a reordered copy.
const Moments& as_ours(const Moments& theirs, const std::vector<Index>& from, Moments& other) {
  if (sums::is_identity(from)) return theirs;
  other = reorder(theirs, from);
  return other;
}

double spread_at(const Moments& moments, std::size_t j) {
  const auto column = static_cast<Index>(j);
  return moments.scatter(moments.scatter.rows() > 1 ? column : 0, column);
}

/// Largest ratio of a diagonal entry before and after, ignoring columns that became constant.
double cancellation(const Moments& before, const Moments& after) {
  double worst = 1;
  for (std::size_t j = 0; j < before.mean.size(); ++j) {
    const double was = spread_at(before, j), is = spread_at(after, j);
    if (was > 0 && is > 0) worst = std::max(worst, was / is);
  }
  return worst;
}

/// Columns whose remaining scatter is rounding.
std::vector<std::size_t> became_constant(const Moments& before, const Moments& after) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < before.mean.size(); ++j) {
    if (spread_at(before, j) > 0 && spread_at(after, j) == 0) columns.push_back(j);
  }
  return columns;
}

/// Means of columns that became constant are known up to the accuracy of the subtraction: within
/// it, they are set to zero or to the constant of another class.
void agree_on_constants(std::vector<ClassStatistics>& classes, ClassStatistics& ours,
                        const Moments& before) {
  Moments& after = ours.moments;
  for (const std::size_t j : became_constant(before, after)) {
    const double deviation = std::sqrt(spread_at(before, j) / before.weight);
    const double accuracy =
        Moments::forgetting_accuracy * deviation * (before.weight / after.weight);
    if (std::abs(after.mean[j]) <= accuracy) after.mean[j] = after.mean_low[j] = 0;
    for (const ClassStatistics& other : classes) {
      if (&other == &ours || other.moments.weight == 0 || spread_at(other.moments, j) > 0 ||
          std::abs(other.moments.mean[j] - after.mean[j]) > accuracy)
        continue;
      after.mean[j] = other.moments.mean[j];
      after.mean_low[j] = other.moments.mean_low[j];
      break;
    }
  }
}

void warn_of_cancellation(const ClassStatistics& ours, const Moments& before,
                          const std::vector<std::string>& columns, std::vector<Note>& warnings) {
  if (const double ratio = cancellation(before, ours.moments); ratio > notable_cancellation)
    warnings.push_back(
        {fmt::format("class '{}': the scatter shrank by a factor of {:.2g}, so about {:.0f} "
                     "digits are lost",
                     ours.name, ratio, std::min(16.0, std::log10(ratio))),
         Note::Kind::warning});
  std::vector<std::string> constant;
  for (const std::size_t j : became_constant(before, ours.moments)) constant.push_back(columns[j]);
  if (constant.empty() || ours.rows == 1) return;
  warnings.push_back(
      {fmt::format("class '{}': less than {} of the scatter of {} is left, which is "
                   "within the rounding of forgetting: taken as constant",
                   ours.name, Moments::forgetting_accuracy, kernel::quoted_list(constant)),
       Note::Kind::warning});
}

/// Index of their names among ours; no map: the same.
struct NameMaps {
  std::vector<std::vector<std::int32_t>> levels, terms;
};

NameMaps map_names(Statistics& ours, const Statistics& theirs, const sums::Match& match) {
  NameMaps maps;
  const auto rename = [&](const std::string& level) {
    return sums::permuted_level(level, match.joint);
  };
  for (std::size_t i = 0; i < match.coded.size(); ++i) {
    const SharedNames& names = theirs.levels()[static_cast<std::size_t>(match.coded[i])];
    maps.levels.push_back(match.joint.empty() ? sums::numbers_in(ours.levels_of(i), names)
                                              : sums::numbers_in(ours.levels_of(i), names, rename));
  }
  for (std::size_t i = 0; i < match.sparse.size(); ++i)
    maps.terms.push_back(sums::numbers_in(
        ours.terms_of(i), theirs.terms()[static_cast<std::size_t>(match.sparse[i])]));
  return maps;
}

/// Combines everything except the moments.
void combine_sums(ClassStatistics& ours, const ClassStatistics& theirs, const sums::Match& match,
                  const NameMaps& maps, double sign) {
  const auto size = [](const auto& list) { return static_cast<std::size_t>(std::ssize(list)); };
  for (std::size_t i = 0; i < size(match.coded); ++i)
    sums::add_mapped(ours.levels[i], theirs.levels[static_cast<std::size_t>(match.coded[i])],
                     maps.levels[i], sign);
  sums::add_pairs(ours.pairs, theirs.pairs, {match.coded, maps.levels}, sign);
  for (std::size_t i = 0; i < size(match.sparse); ++i)
    sums::add_mapped(ours.terms[i], theirs.terms[static_cast<std::size_t>(match.sparse[i])],
                     maps.terms[i], sign);
  for (std::size_t i = 0; i < size(match.counts); ++i) {
    const auto from = static_cast<std::size_t>(match.counts[i]);
    ours.counts.sums[i] += sign * theirs.counts.sums[from];
    ours.counts.observed[i] += sign * theirs.counts.observed[from];
  }
}

bool clear_rounding(ClassStatistics& left, const ClassStatistics& before) {
  bool fits = sums::clear_rounding(left.counts.sums, before.counts.sums) &&
              sums::clear_rounding(left.counts.observed, before.counts.observed);
  for (std::size_t i = 0; i < left.levels.size(); ++i)
    fits = sums::clear_rounding(left.levels[i], before.levels[i]) && fits;
  fits = sums::clear_rounding(left.pairs, before.pairs) && fits;
  for (std::size_t i = 0; i < left.terms.size(); ++i)
    fits = sums::clear_rounding(left.terms[i].weight, before.terms[i].weight) &&
           sums::clear_rounding(left.terms[i].present, before.terms[i].present) && fits;
  for (std::size_t j = 0; j < left.counts.sums.size(); ++j) {
    /// a column without observations has sum 0
    if (left.counts.observed[j] == 0) left.counts.sums[j] = 0;
  }
  for (std::size_t i = 0; i < left.terms.size(); ++i) {
    TermSums& terms = left.terms[i];
    for (std::size_t j = 0; j < terms.sums.size(); ++j) {
      if (j < terms.present.size() && terms.present[j] != 0) continue;
      terms.sums[j] = 0;
      if (j < terms.sums_low.size()) terms.sums_low[j] = 0;
    }
  }
  return fits;
}

/// A column with two levels in one part and others in another is categorical; a matrix of counts
/// and one of numbers give one of numbers.
void take_wider_types(StatisticsSchema& ours, const StatisticsSchema& theirs) {
  for (Column& column : ours.features) {
    for (const Column& other : theirs.features) {
      if (column.name == other.name && column.type != other.type)
        column.type = ColumnType::categorical;
    }
  }
  if (ours.sparse_matrix != theirs.sparse_matrix) ours.sparse_matrix = SparseKind::numbers;
}

void refuse_more_than_there_is(const ClassStatistics& ours, const ClassStatistics& theirs,
                               double rounding) {
  if (theirs.weight <= ours.weight + rounding && theirs.rows <= ours.rows) return;
  throw Error(Errc::bad_data,
              fmt::format("class '{}' has {} of weight {:g}: {} of weight {:g} cannot be forgotten",
                          theirs.name, counted(ours.rows, "row"), ours.weight,
                          counted(theirs.rows, "row"), theirs.weight),
              "forget only rows that were learned");
}

}  // namespace

Statistics::Statistics(const Statistics&) = default;
Statistics::Statistics(Statistics&&) noexcept = default;
Statistics& Statistics::operator=(const Statistics&) = default;
Statistics& Statistics::operator=(Statistics&&) noexcept = default;
Statistics::~Statistics() = default;

Statistics::Statistics(StatisticsSchema schema)
    : schema_(std::move(schema)),
      numeric_(schema_.names_of(ColumnType::numeric)),
      levels_(schema_.coded().size()),
      terms_(schema_.sparse().size()) {
  validate(schema_.text);
}

double Statistics::weight() const {
  double total = 0;
  for (const ClassStatistics& c : classes_) total += c.weight;
  return total;
}

ClassStatistics& Statistics::of_class(const std::string& name) {
  const auto at = std::ranges::lower_bound(classes_, name, {}, &ClassStatistics::name);
  if (at != classes_.end() && at->name == name) return *at;
  return *classes_.insert(at, empty_class(name, no_moments()));
}

ClassStatistics& Statistics::add_class(const std::string& name, Moments moments) {
  const auto at = std::ranges::lower_bound(classes_, name, {}, &ClassStatistics::name);
  if (at != classes_.end() && at->name == name)
    throw Error(Errc::bad_argument, "there is a class '" + name + "' already",
                "add to what of_class() gives");
  if (moments.mean.size() != numeric_.size())
    throw Error(Errc::bad_argument, "moments of another number of columns",
                "give those of columns()");
  return *classes_.insert(at, empty_class(name, std::move(moments)));
}

Moments Statistics::no_moments() const {
  return {static_cast<Index>(numeric_.size()), schema_.scatter};
}

ClassStatistics Statistics::empty_class(const std::string& name, Moments moments) const {
  const std::size_t counts = schema_.names_of(ColumnType::count).size();
  return {.name = name,
          .moments = std::move(moments),
          .levels = std::vector<Vector>(levels_.size()),
          .counts = {Vector(counts), Vector(counts)},
          .terms = std::vector<TermSums>(terms_.size()),
          .pairs = std::vector<Matrix>(schema_.pairs ? sums::count_of_pairs(levels_.size()) : 0)};
}

void Statistics::add_classes_of(const Statistics& other) {
  const auto known = std::ssize(classes_);
  auto ours = classes_.begin();
  std::vector<ClassStatistics> fresh;
  for (const ClassStatistics& theirs : other.classes_) {
    while (ours != classes_.end() && ours->name < theirs.name) ++ours;
    if (ours == classes_.end() || ours->name != theirs.name)
      fresh.push_back(  // moments of no rows, replaced by those of the other
          empty_class(theirs.name, theirs.moments.weight > 0 ? Moments() : no_moments()));
  }
  std::ranges::move(fresh, std::back_inserter(classes_));
  std::ranges::inplace_merge(classes_, classes_.begin() + known, {}, &ClassStatistics::name);
}

void Statistics::add(const Rows& rows, const Control& control) {
  const bool empty = classes_.empty() && schema_.empty();
  if (schema_.pairs) {
    Collected more = collect(
        rows, {.scatter = schema_.scatter, .pairs = true, .cuts = cuts_of(schema_)}, control);
    return merge(std::move(more.statistics));
  }
  const sums::SchemaChoice choice{schema_.scatter, schema_.joint};
  sums::Summary summary = sums::summarise_all(rows, {choice, Missing::refuse}, control);
  if (const Index lost = summary.unlabelled_rows + summary.incomplete_rows; lost > 0)
    throw Error(Errc::bad_data,
                fmt::format("{} of {} {} no label or a missing value", lost,
                            counted(summary.rows, "row"), lost == 1 ? "has" : "have"),
                "use collect() with Missing::drop, or complete the rows");
  if (empty)
    *this = std::move(summary.statistics);
  else
    merge(std::move(summary.statistics));
}

void Statistics::merge(const Statistics& other) { merge(other, nullptr); }
void Statistics::merge(Statistics&& other) { merge(other, &other); }

void Statistics::merge(const Statistics& other, Statistics* owned) {
  const auto blank = [](const Statistics& s) { return s.classes_.empty() && s.schema_.empty(); };
  if (blank(other)) return;
  if (blank(*this)) {
    if (owned)
      *this = std::move(*owned);
    else
      *this = other;
    return;
  }
  const sums::Match match = sums::match(schema_, other.schema_);
  const NameMaps maps = map_names(*this, other, match);
  if (!(schema_ == other.schema_)) take_wider_types(schema_, other.schema_);
  add_classes_of(other);
  Moments moments;
  for (std::size_t k = 0; k < other.classes_.size(); ++k) {
    const ClassStatistics& theirs = other.classes_[k];
    ClassStatistics& ours = of_class(theirs.name);
    ours.rows += theirs.rows;
    ours.weight += theirs.weight;
    const Moments& added = as_ours(theirs.moments, match.numeric, moments);
    if (ours.moments.weight == 0 && added.weight > 0 && owned && &added == &theirs.moments)
      ours.moments = std::move(owned->classes_[k].moments);
    else
      ours.moments.merge(added);
    combine_sums(ours, theirs, match, maps, 1);
  }
}

std::vector<Note> Statistics::subtract(const Statistics& other) {
  if (other.classes_.empty()) return {};
  Statistics result = *this;
  const sums::Match match = sums::match(schema_, other.schema_);
  const NameMaps maps = map_names(result, other, match);
  std::vector<Note> warnings;
  std::vector<std::string> gone;  // sorted
  Moments moments;
  for (const ClassStatistics& theirs : other.classes_) {
    ClassStatistics& ours = result.of_class(theirs.name);
    const double rounding = weight_rounding * ours.weight;
    refuse_more_than_there_is(ours, theirs, rounding);
    const ClassStatistics before = ours;
    ours.rows -= theirs.rows;
    ours.weight = std::max(0.0, ours.weight - theirs.weight);
    ours.moments.subtract(as_ours(theirs.moments, match.numeric, moments));
    combine_sums(ours, theirs, match, maps, -1);
    if (!clear_rounding(ours, before))
      throw Error(Errc::bad_data,
                  fmt::format("class '{}': the rows to be forgotten are not among those that were "
                              "learned",
                              theirs.name),
                  "forget only rows that were learned, with the same weights");
    const bool weightless = ours.weight <= rounding;
    if ((ours.rows == 0) != weightless)
      throw Error(
          Errc::bad_data,
          fmt::format("class '{}' would keep {} of weight {:g}: the weights are not those that "
                      "were learned",
                      theirs.name, counted(ours.rows, "row"), weightless ? 0 : ours.weight),
          {"forget rows with the weights they were learned with ({})", {{"weights"}}});
    if (weightless) {
      ours.moments.weight = 0;
      gone.push_back(theirs.name);
      continue;
    }
    agree_on_constants(result.classes_, ours, before.moments);
    warn_of_cancellation(ours, before.moments, numeric_, warnings);
  }
  std::erase_if(result.classes_,
                [&](const ClassStatistics& c) { return std::ranges::binary_search(gone, c.name); });
  *this = std::move(result);
  return warnings;
}

void Statistics::forget_class(const std::string& name) {
  const auto removed =
      std::erase_if(classes_, [&](const ClassStatistics& c) { return c.name == name; });
  if (removed > 0) return;
  std::vector<std::string> names;
  for (const ClassStatistics& c : classes_) names.push_back(c.name);
  throw Error(Errc::bad_argument, fmt::format("there is no class '{}'", name),
              kernel::did_you_mean(name, names, "the classes are " + kernel::quoted_list(names)));
}

}  // namespace genera
