#include "lists.hpp"

#include "show/csv_output.hpp"
#include "show/printable.hpp"

#include <genera/error.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace genera::cli {
namespace {

bool blank(char c) { return c == ' ' || c == '\t'; }

/// Reads one item from the front of `rest`, up to its comma.
class ItemReader {
 public:
  ItemReader(const std::string& option, std::string_view rest) : option_(option), rest_(rest) {}

  std::string next() {
    skip_blanks();
    const bool quoted = !rest_.empty() && rest_.front() == '"';
    std::string item = quoted ? quoted_part() : std::string();
    const std::size_t kept = item.size();  // blanks inside the quotes stay
    const std::size_t end = std::min(rest_.find(','), rest_.size());
    item += rest_.substr(0, end);
    rest_.remove_prefix(end);
    while (item.size() > kept && blank(item.back())) item.pop_back();
    if (item.empty() && !quoted)
      throw Error(Errc::bad_argument, option_ + ": the list has an empty item",
                  "separate names by single commas, as in a,b");
    return item;
  }

  /// Skips a comma; false at the end of the list.
  bool more() {
    if (rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && blank(rest_.front())) rest_.remove_prefix(1);
  }

  std::string quoted_part() {
    std::string text;
    rest_.remove_prefix(1);
    for (;;) {
      const std::size_t quote = rest_.find('"');
      if (quote == std::string_view::npos)
        throw Error(Errc::bad_argument, option_ + ": a quote in the list is not closed",
                    "write names that hold commas as \"x, y\", within single quotes of the shell");
      text += rest_.substr(0, quote);
      rest_.remove_prefix(quote + 1);
      if (rest_.empty() || rest_.front() != '"') return text;
      text += '"';
      rest_.remove_prefix(1);
    }
  }

  const std::string& option_;
  std::string_view rest_;
};

/// The text, in quotes if a shell would misread it.
std::string for_shell(const std::string& text) {
  const bool plain = std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80 ||
           std::string_view("_-.+=,").find(static_cast<char>(c)) != std::string_view::npos;
  });
  // What cannot be shown is written as escapes later, which only $'...' understands.
  const bool escapes = printable(text) != text;
  if (plain && !escapes && !text.empty()) return text;
  std::string safe = escapes ? "$'" : "'";
  for (const char c : text) {
    if (c == '\'')
      safe += escapes ? "\\'" : "'\\''";
    else if (c == '\\' && escapes)
      safe += "\\\\";
    else
      safe += c;
  }
  return safe + "'";
}

/// Whether the option is repeated for each value; other options take lists.
bool is_repeated(const std::string& option) { return option == "delimiter" || option == "decimal"; }

}  // namespace

std::vector<std::string> split_list(const std::string& option, std::string_view text) {
  ItemReader reader(option, text);
  std::vector<std::string> items;
  do {
    items.push_back(reader.next());
  } while (reader.more());
  return items;
}

std::vector<std::string> split_lists(const std::string& option,
                                     const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) {
    std::vector<std::string> items = split_list(option, text);
    std::move(items.begin(), items.end(), std::back_inserter(all));
  }
  return all;
}

std::string joined_list(const std::vector<std::string>& items) {
  std::string list;
  for (std::size_t i = 0; i < items.size(); ++i) list += (i > 0 ? "," : "") + csv_cell(items[i]);
  return list;
}

std::string as_typed(const OptionUse& option) {
  if (option == OptionUse{"header", {"false"}}) return "--no-header";
  std::string flag = "--" + option.name;
  std::ranges::replace(flag, '_', '-');
  if (option.values.empty()) return flag;
  if (option.values == std::vector<std::string>{""}) return flag + " ''";
  if (!is_repeated(option.name)) return flag + " " + for_shell(joined_list(option.values));
  std::string text;
  for (const std::string& value : option.values)
    text += (text.empty() ? "" : " ") + flag + " " + for_shell(value);
  return text;
}

std::vector<std::pair<std::string, std::string>> split_pairs(
    const std::string& option, const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& item : split_lists(option, texts)) {
    const std::size_t equals = item.rfind('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == item.size())
      throw Error(Errc::bad_argument, option + ": '" + item + "' is not of the form NAME=VALUE",
                  "write a name, '=' and its value; quote names that hold commas");
    pairs.emplace_back(item.substr(0, equals), item.substr(equals + 1));
  }
  return pairs;
}

}  // namespace genera::cli
