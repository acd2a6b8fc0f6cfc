#include "io/document.hpp"

#include "io/discrete_statistics.hpp"
#include "sums/moments_document.hpp"

namespace genera::io {
namespace {

Value class_document(const ClassStatistics& one, Scatter kind) {
  Members members;
  put_size(one, members);
  if (!one.moments.mean.empty() && one.moments.weight != one.weight)
    members["mean_weight"] = Value{one.moments.weight};
  sums::put_moments(one.moments, kind, members);
  put_sums(one, members);
  return {std::move(members)};
}

/// Empty without numeric columns.
Moments read_moments(const Field& one, const Statistics& statistics,
                     const ClassStatistics& of_class) {
  const auto d = static_cast<Index>(statistics.columns().size());
  Moments read = sums::read_moments(one, d, statistics.scatter());
  if (d == 0) {
    read.scatter = {};
    return read;
  }
  read.weight =
      one.has("mean_weight") ? read_weight(one["mean_weight"], of_class.rows) : of_class.weight;
  return read;
}

void read_class(const Field& one, Statistics& statistics) {
  one.allow_only({"name", "rows", "weight", "mean_weight", "mean", "mean_low", "scatter", "levels",
                  "pairs", "counts", "counts_observed", "terms"});
  ClassStatistics& read = read_size(one, statistics);
  read.moments = read_moments(one, statistics, read);
  read_sums(one, statistics, read);
}

}  // namespace

Value to_document(const Statistics& statistics) {
  List classes;
  for (const ClassStatistics& one : statistics.classes())
    classes.push_back(class_document(one, statistics.scatter()));
  Members root;
  root["format"] = Value{std::string(statistics_format)};
  root["version"] = Value{format_version};
  put_schema(statistics, root);
  root["classes"] = Value{std::move(classes)};
  return {std::move(root)};
}

Statistics to_statistics(const Value& document, const std::string& place) {
  const Field root(document, place);
  check_format(root, statistics_format);
  std::vector<std::string> keys = schema_keys();
  keys.insert(keys.end(), {"format", "version", "classes"});
  root.allow_only(keys);
  Statistics statistics = read_schema(root);
  for (const Field& one : root["classes"].elements("an object")) read_class(one, statistics);
  return statistics;
}

}  // namespace genera::io
