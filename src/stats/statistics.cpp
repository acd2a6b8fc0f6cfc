#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/stats.hpp>

#include "kernel/text.hpp"
#include "stats/summarise.hpp"

namespace genera {
namespace {

/// Weights this much smaller (relative) than what there is are rounding, not rows.
constexpr double weight_rounding = 1e-12;
/// Forgetting leaves few digits when the scatter shrinks by more than this.
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

bool is_identity(const std::vector<Index>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<Index>(i)) return false;
  }
  return true;
}

std::vector<std::string> missing_from(const std::vector<std::string>& names,
                                      const std::vector<std::string>& in) {
  const std::set<std::string> known(in.begin(), in.end());
  std::vector<std::string> missing;
  std::copy_if(names.begin(), names.end(), std::back_inserter(missing),
               [&](const std::string& name) { return !known.contains(name); });
  return missing;
}

/// The largest ratio of a diagonal entry before and after.
double cancellation(const Moments& before, const Moments& after) {
  double worst = 1;
  const bool full = before.scatter.rows() > 1;
  for (Index j = 0; j < before.scatter.columns(); ++j) {
    const double was = before.scatter(full ? j : 0, j);
    const double is = after.scatter(full ? j : 0, j);
    if (was > 0) worst = std::max(worst, is > 0 ? was / is : HUGE_VAL);
  }
  return worst;
}

void require_same_target(const Statistics& a, const Statistics& b) {
  if (a.target() == b.target()) return;
  throw Error(
      Errc::bad_data,
      fmt::format("the statistics have different targets: '{}' and '{}'", a.target(), b.target()),
      "make them with the same --target");
}

}  // namespace

Statistics::Statistics(std::vector<std::string> columns, std::string target, Scatter kind)
    : columns_(std::move(columns)), target_(std::move(target)), scatter_(kind) {}

double Statistics::weight() const {
  double total = 0;
  for (const ClassStatistics& c : classes_) total += c.moments.weight;
  return total;
}

ClassStatistics& Statistics::of_class(const std::string& name) {
  const auto at = std::lower_bound(
      classes_.begin(), classes_.end(), name,
      [](const ClassStatistics& c, const std::string& wanted) { return c.name < wanted; });
  if (at != classes_.end() && at->name == name) return *at;
  ClassStatistics fresh{name, 0, Moments(static_cast<Index>(columns_.size()), scatter_)};
  return *classes_.insert(at, std::move(fresh));
}

void Statistics::add(const Table& table, int threads) {
  const stats::Summary summary = stats::summarise_all(table, scatter_, threads);
  if (summary.unlabelled_rows + summary.incomplete_rows > 0)
    throw Error(Errc::bad_data,
                fmt::format("{} of {} rows have no label or a missing value",
                            summary.unlabelled_rows + summary.incomplete_rows, summary.rows),
                "use collect() with Missing::drop, or complete the rows");
  merge(summary.statistics);
}

std::vector<Index> Statistics::match_columns(const Statistics& other) const {
  const std::vector<std::string> extra = missing_from(other.columns_, columns_);
  const std::vector<std::string> lacking = missing_from(columns_, other.columns_);
  if (!extra.empty() || !lacking.empty())
    throw Error(Errc::bad_data,
                fmt::format("the statistics have different columns: {} only on one side",
                            kernel::quoted_list(extra.empty() ? lacking : extra)),
                "make them from tables with the same columns (--features, --drop)");
  if (scatter_ != other.scatter_)
    throw Error(Errc::bad_data, "one side has full scatter matrices, the other only diagonals",
                "make both with the same --model");
  std::vector<Index> order;
  for (const std::string& name : columns_)
    order.push_back(std::find(other.columns_.begin(), other.columns_.end(), name) -
                    other.columns_.begin());
  return order;
}

void Statistics::merge(const Statistics& other) {
  if (other.classes_.empty() && other.columns_.empty()) return;
  if (classes_.empty() && columns_.empty()) {
    *this = other;
    return;
  }
  require_same_target(*this, other);
  const bool same_order = columns_ == other.columns_ && scatter_ == other.scatter_;
  const std::vector<Index> order = same_order ? std::vector<Index>{} : match_columns(other);
  for (const ClassStatistics& theirs : other.classes_) {
    ClassStatistics& ours = of_class(theirs.name);
    ours.rows += theirs.rows;
    ours.moments.merge(is_identity(order) ? theirs.moments : reorder(theirs.moments, order));
  }
}

std::vector<std::string> Statistics::subtract(const Statistics& other) {
  if (other.classes_.empty()) return {};
  require_same_target(*this, other);
  const std::vector<Index> order = match_columns(other);
  Statistics result = *this;
  std::vector<std::string> warnings;
  for (const ClassStatistics& theirs : other.classes_) {
    ClassStatistics& ours = result.of_class(theirs.name);
    const double rounding = weight_rounding * ours.moments.weight;
    if (theirs.moments.weight > ours.moments.weight + rounding || theirs.rows > ours.rows)
      throw Error(
          Errc::bad_data,
          fmt::format("class '{}' has {} rows of weight {:g}: {} rows of weight {:g} cannot "
                      "be forgotten",
                      theirs.name, ours.rows, ours.moments.weight, theirs.rows,
                      theirs.moments.weight),
          "forget only rows that were learned");
    const Moments before = ours.moments;
    ours.rows -= theirs.rows;
    ours.moments.subtract(reorder(theirs.moments, order));
    const bool weightless = ours.moments.weight <= rounding;
    if ((ours.rows == 0) != weightless)
      throw Error(
          Errc::bad_data,
          fmt::format("class '{}' would keep {} rows of weight {:g}: the weights are not those "
                      "that were learned",
                      theirs.name, ours.rows, weightless ? 0 : ours.moments.weight),
          "forget rows with the weights they were learned with (--weights)");
    if (weightless) {
      result.forget_class(theirs.name);
    } else if (const double ratio = cancellation(before, ours.moments);
               ratio > notable_cancellation) {
      warnings.push_back(fmt::format(
          "class '{}': the scatter shrank by a factor of {:.2g}, so about {:.0f} digits are lost",
          theirs.name, ratio, std::min(16.0, std::log10(ratio))));
    }
  }
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
