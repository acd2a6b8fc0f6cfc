#include "show/json.hpp"

#include "lists.hpp"
#include "show/json_reading.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

namespace genera::cli {
namespace {

using Node = nlohmann::ordered_json;

Node number_node(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  constexpr double exact_integers = 9007199254740992.0;  // 2^53
  if (value == std::floor(value) && std::abs(value) < exact_integers && !std::signbit(value))
    return static_cast<std::int64_t>(value);
  return value;
}

Node numbers_node(std::span<const double> values) {
  Node array = Node::array();
  for (const double value : values)
    array.push_back(std::isnan(value) ? Node(nullptr) : number_node(value));
  return array;
}

struct ToNode {
  Node operator()(std::monostate) const { return nullptr; }
  Node operator()(bool value) const { return value; }
  Node operator()(Index value) const { return value; }
  Node operator()(double value) const { return number_node(value); }
  Node operator()(const std::string& text) const { return text; }
  Node operator()(const Advice& sentence) const { return in_words(sentence, as_typed); }
  Node operator()(const Fact::Names& names) const { return names; }
  Node operator()(const Fact::Codes& codes) const { return codes; }
  Node operator()(const Vector& numbers) const { return numbers_node(numbers); }
  Node operator()(const Matrix& matrix) const {
    Node rows = Node::array();
    for (Index i = 0; i < matrix.rows(); ++i) rows.push_back(numbers_node(matrix.row(i)));
    return rows;
  }
  Node operator()(const Diagonal& diagonal) const { return (*this)(full_matrix(diagonal)); }
  Node operator()(const Facts& object) const {
    Node node = Node::object();
    for (const Fact& fact : object) node[fact.key] = std::visit(*this, fact.value.is);
    return node;
  }
  Node operator()(const Fact::List& list) const {
    Node array = Node::array();
    for (const Fact::Value& item : list) array.push_back(std::visit(*this, item.is));
    return array;
  }
};

/// Escapes DEL and U+0080 to U+009F, which JSON allows but terminals interpret.
std::string without_controls(std::string_view json) {
  std::string text;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = [&](std::size_t j) -> unsigned {
      return j < json.size() ? static_cast<unsigned char>(json[j]) : 0;
    };
    if (byte(i) == 0x7F) {
      text += "\\u007f";
    } else if (byte(i) == 0xC2 && byte(i + 1) >= 0x80 && byte(i + 1) < 0xA0) {
      fmt::format_to(std::back_inserter(text), "\\u{:04x}", byte(++i));
    } else {
      text += json[i];
    }
  }
  return text;
}

std::string leaf(const Node& value) {
  return without_controls(value.dump(-1, ' ', false, Node::error_handler_t::replace));
}

bool flat(const Node& array) {
  return std::none_of(array.begin(), array.end(), [](const Node& v) { return v.is_structured(); });
}

std::string laid_out(const Node& value, std::size_t depth = 0) {
  if (!value.is_structured() || value.empty()) return leaf(value);
  const bool one_line = value.is_array() && flat(value);
  const std::string newline = '\n' + std::string(2 * depth, ' ');
  std::string text(1, value.is_object() ? '{' : '[');
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (item != value.begin()) text += one_line ? ", " : ",";
    if (!one_line) text += newline + "  ";
    if (value.is_object()) text += leaf(item.key()) + ": ";
    text += laid_out(*item, depth + 1);
  }
  return text + (one_line ? "" : newline) + (value.is_object() ? '}' : ']');
}

}  // namespace

std::string json_document(const Fact::Value& value) {
  return laid_out(std::visit(ToNode(), value.is)) + '\n';
}

std::string json_string(const std::string& text) { return leaf(Node(text)); }

void append_json_number(std::string& text, double value) {
  const char* quote = std::isfinite(value) ? "" : "\"";
  fmt::format_to(std::back_inserter(text), "{0}{1}{0}", quote, value);
}

void append_json_members(std::string& text, std::string_view key,
                         const std::vector<std::string>& names, std::span<const double> values) {
  fmt::format_to(std::back_inserter(text), ", \"{}\": {{", key);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) text += ", ";
    text += names[k] + ": ";
    append_json_number(text, values[k]);
  }
  text += '}';
}

namespace {

constexpr int max_nesting = 64;

JsonTree tree_of(const Node& node, int levels) {
  JsonTree tree;
  if (levels > max_nesting) return tree;
  if (node.is_boolean()) tree.value = node.get<bool>();
  if (node.is_number()) tree.value = node.get<double>();
  if (node.is_string()) tree.value = node.get<std::string>();
  if (node.is_array()) {
    auto& items = tree.value.emplace<std::vector<JsonTree>>();
    for (const Node& item : node) items.push_back(tree_of(item, levels + 1));
  }
  if (node.is_object()) {
    auto& members = tree.value.emplace<JsonTree::Members>();
    for (const auto& [key, item] : node.items())
      members.emplace_back(key, tree_of(item, levels + 1));
  }
  return tree;
}

}  // namespace

const JsonTree* JsonTree::find(std::string_view key) const {
  const auto* members = std::get_if<Members>(&value);
  if (!members) return nullptr;
  const auto found =
      std::find_if(members->begin(), members->end(), [&](const auto& m) { return m.first == key; });
  return found == members->end() ? nullptr : &found->second;
}

const std::vector<JsonTree>& JsonTree::items() const {
  static const std::vector<JsonTree> none;
  const auto* found = std::get_if<std::vector<JsonTree>>(&value);
  return found ? *found : none;
}

double JsonTree::number(std::string_view key) const {
  const JsonTree* found = find(key);
  const double* number = found ? std::get_if<double>(&found->value) : nullptr;
  return number ? *number : std::numeric_limits<double>::quiet_NaN();
}

std::string JsonTree::text(std::string_view key) const {
  const JsonTree* found = find(key);
  const auto* text = found ? std::get_if<std::string>(&found->value) : nullptr;
  return text ? *text : std::string();
}

bool JsonTree::flag(std::string_view key) const {
  const JsonTree* found = find(key);
  const bool* flag = found ? std::get_if<bool>(&found->value) : nullptr;
  return flag && *flag;
}

std::optional<JsonTree> parse_json(const std::string& text) {
  const Node node = Node::parse(text, nullptr, false);
  if (node.is_discarded()) return std::nullopt;
  return tree_of(node, 0);
}

JsonTree read_json(const std::string& path) {
  std::ifstream file(path == "-" ? "/dev/stdin" : path, std::ios::binary);
  if (!file)
    throw Error(Errc::bad_data, path + ": cannot be read",
                "name a file that was written with --json");
  std::optional<JsonTree> tree =
      parse_json({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  if (!tree)
    throw Error(Errc::bad_data, path + ": is not JSON", "name a file that was written with --json");
  return *std::move(tree);
}

}  // namespace genera::cli
