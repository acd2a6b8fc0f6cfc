#include "io/label_type.hpp"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

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

}  // namespace genera::io
