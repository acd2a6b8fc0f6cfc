#include "io/origin.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "blocks/documents.hpp"
#include "document/fields.hpp"
#include "kernel/text.hpp"

namespace genera::io {
namespace {

constexpr std::array written_types{LabelType::text, LabelType::integer, LabelType::real,
                                   LabelType::boolean};

}  // namespace

void put_label_type(LabelType type, Members& root) {
  if (type != LabelType::unknown) root["labels"] = Value{std::string(name_of(type))};
}

LabelType read_label_type(const Field& root) {
  if (!root.has("labels")) return LabelType::unknown;
  const std::string& name = root["labels"].text();
  std::vector<std::string> names;
  for (const LabelType type : written_types) {
    if (name == name_of(type)) return type;
    names.emplace_back(name_of(type));
  }
  root["labels"].refuse(fmt::format("is '{}', which is not a type of labels", name),
                        "use one of " + kernel::quoted_list(names) + ", or leave it out");
}

void put_origin(const Origin& origin, Members& root) {
  Members members;
  if (origin.missing_tokens) members["missing_tokens"] = blocks::texts(*origin.missing_tokens);
  if (!origin.target_edges.empty()) members["target_edges"] = Value{origin.target_edges};
  if (!origin.fingerprint.empty()) members["fingerprint"] = Value{origin.fingerprint};
  if (!members.empty()) root["origin"] = Value{std::move(members)};
}

Origin read_origin(const Field& root) {
  if (!root.has("origin")) return {};
  const Field from = root["origin"];
  from.allow_only({"missing_tokens", "target_edges", "fingerprint"});
  Origin origin;
  if (from.has("missing_tokens")) origin.missing_tokens = from["missing_tokens"].texts();
  if (from.has("fingerprint")) origin.fingerprint = from["fingerprint"].text();
  if (from.has("target_edges")) {
    const Field edges = from["target_edges"];
    origin.target_edges = edges.numbers();
    if (std::ranges::adjacent_find(origin.target_edges, std::greater_equal<>()) !=
        origin.target_edges.end())
      edges.refuse("is not in ascending order", "sort the limits, each once");
  }
  return origin;
}

Origin with_levels(Origin origin, const std::vector<std::string>& classes,
                   const std::vector<std::vector<std::string>>& levels) {
  const auto has_token = [](const std::vector<std::string>& names) {
    return std::ranges::find(names, "NA") != names.end();
  };
  const bool value = has_token(classes) || std::ranges::any_of(levels, has_token);
  if (!origin.missing_tokens && value) origin.missing_tokens.emplace();
  return origin;
}

}  // namespace genera::io
