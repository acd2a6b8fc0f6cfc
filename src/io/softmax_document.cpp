// Messages of softmax regression over partitions.
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/io.hpp>

#include "blocks/documents.hpp"
#include "io/document.hpp"
#include "kernel/text.hpp"
#include "score/linear/features.hpp"
#include "score/linear/features_document.hpp"

namespace genera {
namespace {

using io::Field;
using io::Members;
using io::Value;
using Kind = SoftmaxRequest::Kind;

constexpr std::string_view statistics_format = "genera-softmax-statistics";
constexpr std::string_view layout_format = "genera-softmax-layout";
constexpr std::string_view request_format = "genera-softmax-request";
constexpr std::string_view sums_format = "genera-softmax-sums";
constexpr document::Contents message{"message of softmax regression", "send it again"};

constexpr std::array kinds{Kind::column_sums,   Kind::gradient,         Kind::hessian_product,
                           Kind::hessian,       Kind::hessian_diagonal, Kind::scatter,
                           Kind::largest_change};

std::string printed(std::string_view format_name, Members&& members, Format format) {
  members["format"] = Value{std::string(format_name)};
  members["version"] = Value{io::format_version};
  std::ostringstream out;
  io::print(Value{std::move(members)}, format, out);
  return std::move(out).str();
}

Value whole(Index number) { return {static_cast<double>(number)}; }

/// A whole number >= `low`.
Index read_whole(const Field& field, double low) {
  constexpr double largest_exact = 9007199254740992;  // 2^53
  const double number = field.number_at_least(low);
  if (number != std::trunc(number) || number > largest_exact)
    field.refuse(fmt::format("is {}, expected a whole number", number), "send it again");
  return static_cast<Index>(number);
}

Kind read_kind(const Field& field) {
  std::vector<std::string> names;
  for (const Kind kind : kinds) {
    if (field.text() == name_of(kind)) return kind;
    names.emplace_back(name_of(kind));
  }
  field.refuse(fmt::format("is '{}', which is not a kind of request", field.text()),
               kernel::did_you_mean(field.text(), names, "one of " + kernel::quoted_list(names)));
}

/// Ranges and the smallest weight exist only with rows.
void read_ranges(const Field& root, SoftmaxStatistics& read) {
  const bool rows = std::ranges::any_of(read.statistics.classes(),
                                        [](const ClassStatistics& c) { return c.rows > 0; });
  if (rows != root.has("min_weight"))
    root.refuse(rows ? "has rows, but no 'min_weight'" : "has a 'min_weight', but no row",
                "collect the statistics again");
  if (!rows) return;
  read.min_weight = root["min_weight"].number_at_least(0);
  const auto counts = std::ssize(read.statistics.schema().names_of(ColumnType::count));
  read.count_min = root["count_min"].numbers(counts);
  read.count_max = root["count_max"].numbers(counts);
  for (std::size_t j = 0; j < read.count_min.size(); ++j) {
    if (read.count_min[j] > read.count_max[j])
      root["count_min"].refuse(fmt::format("has {}, more than 'count_max'", read.count_min[j]),
                               "collect the statistics again");
  }
}

SoftmaxPart read_part(const Field& field) {
  field.allow_only({"features", "scales", "means"});
  SoftmaxPart part{.features = score::read_features(field["features"])};
  const Index features = std::ssize(names_of(part.features));
  if (field.has("scales")) {
    field["scales"].require_positive();
    part.scales = field["scales"].numbers(features);
  }
  part.means = field["means"].numbers(features);
  return part;
}

/// Checks that products refer to columns of another part.
void check_parts(const SoftmaxLayout& layout, const std::string& name) {
  std::vector<LinearFeatures> all;
  for (const SoftmaxPart& part : layout.parts) all.push_back(part.features);
  blocks::at_place(name, [&] {
    for (const LinearFeatures& part : all) score::check(part, all);
  });
}

}  // namespace

std::string to_bytes(const SoftmaxStatistics& statistics, Format format) {
  Members root;
  root["statistics"] = io::to_document(statistics.statistics);
  root["max_rows"] = whole(statistics.max_rows);
  root["dropped_rows"] = whole(statistics.dropped_rows);
  root["unlabelled_left_out"] = whole(statistics.unlabelled_left_out);
  if (statistics.min_weight) {
    root["min_weight"] = Value{*statistics.min_weight};
    root["count_min"] = Value{statistics.count_min};
    root["count_max"] = Value{statistics.count_max};
  }
  return printed(statistics_format, std::move(root), format);
}

std::string to_bytes(const SoftmaxLayout& layout, Format format) {
  io::List parts;
  for (const SoftmaxPart& part : layout.parts) {
    Members one;
    one["features"] = Value{score::to_document(part.features)};
    if (!part.scales.empty()) one["scales"] = Value{part.scales};
    one["means"] = Value{part.means};
    parts.push_back(Value{std::move(one)});
  }
  Members root;
  root["classes"] = blocks::texts(layout.classes);
  root["parts"] = Value{std::move(parts)};
  root["sparse_matrix"] = Value{layout.sparse_matrix};
  return printed(layout_format, std::move(root), format);
}

std::string to_bytes(const SoftmaxRequest& request, Format format) {
  Members root;
  root["kind"] = Value{std::string(name_of(request.kind))};
  root["point"] = Value{request.point};
  root["along"] = Value{request.along};
  root["step"] = whole(request.step);
  return printed(request_format, std::move(root), format);
}

std::string to_bytes(const SoftmaxSums& sums, Format format) {
  Members root;
  root["kind"] = Value{std::string(name_of(sums.kind))};
  root["weight"] = Value{sums.weight};
  root["value"] = Value{sums.value};
  root["sums"] = Value{sums.sums};
  return printed(sums_format, std::move(root), format);
}

SoftmaxStatistics softmax_statistics_from_bytes(std::string_view bytes, const std::string& name) {
  const Value document = io::parse(bytes, name, message);
  const Field root(document, name);
  io::check_format(root, statistics_format);
  root.allow_only({"format", "version", "statistics", "count_min", "count_max", "min_weight",
                   "max_rows", "dropped_rows", "unlabelled_left_out"});
  (void)root["statistics"];  // required
  const Members& members = std::get<Members>(document.data);
  SoftmaxStatistics read{.statistics = io::to_statistics(members.at("statistics"), name),
                         .max_rows = read_whole(root["max_rows"], 0),
                         .dropped_rows = read_whole(root["dropped_rows"], 0),
                         .unlabelled_left_out = read_whole(root["unlabelled_left_out"], 0)};
  read_ranges(root, read);
  return read;
}

SoftmaxLayout softmax_layout_from_bytes(std::string_view bytes, const std::string& name) {
  const Value document = io::parse(bytes, name, message);
  const Field root(document, name);
  io::check_format(root, layout_format);
  root.allow_only({"format", "version", "classes", "parts", "sparse_matrix"});
  SoftmaxLayout layout{.classes = root["classes"].distinct_texts(),
                       .sparse_matrix = root["sparse_matrix"].flag()};
  for (const Field& part : root["parts"].elements("an object"))
    layout.parts.push_back(read_part(part));
  check_parts(layout, name);
  return layout;
}

SoftmaxRequest softmax_request_from_bytes(std::string_view bytes, const std::string& name) {
  const Value document = io::parse(bytes, name, message);
  const Field root(document, name);
  io::check_format(root, request_format);
  root.allow_only({"format", "version", "kind", "point", "along", "step"});
  return {.kind = read_kind(root["kind"]),
          .point = root["point"].numbers(),
          .along = root["along"].numbers(),
          .step = read_whole(root["step"], 1)};
}

SoftmaxSums softmax_sums_from_bytes(std::string_view bytes, const std::string& name) {
  const Value document = io::parse(bytes, name, message);
  const Field root(document, name);
  io::check_format(root, sums_format);
  root.allow_only({"format", "version", "kind", "weight", "value", "sums"});
  return {.kind = read_kind(root["kind"]),
          .value = root["value"].number(),
          .sums = root["sums"].numbers(),
          .weight = root["weight"].number_at_least(0)};
}

}  // namespace genera
