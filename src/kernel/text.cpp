#include "kernel/text.hpp"

#include <genera/error.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <utility>

#include <fast_float/fast_float.h>
#include <utf8proc.h>

namespace genera::kernel {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                        std::tolower(static_cast<unsigned char>(b[j - 1]));
      const std::size_t replaced = std::exchange(diagonal, row[j]) + (same ? 0 : 1);
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

/// Of ASCII letters; other bytes as they are.
static std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::vector<std::string> nearest(std::string_view word,
                                 const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 100;  // the cost is quadratic
  if (word.size() > longest) return {};
  const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  const std::size_t tolerated = 1 + (word.size() - dashes) / 3;
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::size_t longer = std::max(candidate.size(), word.size());
    const std::size_t shorter = std::min(candidate.size(), word.size());
    if (longer - shorter > tolerated) continue;
    const std::size_t distance = edit_distance(in_lower_case(word), in_lower_case(candidate));
    if (distance <= tolerated && distance < longer) near.emplace_back(distance, candidate);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, near.size()); ++i)
    names.push_back(std::move(near[i].second));
  return names;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         std::string_view otherwise) {
  const std::vector<std::string> near = nearest(word, candidates);
  if (near.empty()) return std::string(otherwise);
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += i + 1 == near.size() ? " or " : ", ";
    text += "'" + near[i] + "'";
  }
  return text + "?";
}

std::string quoted_list(const std::vector<std::string>& names, std::size_t max) {
  std::string text;
  const std::size_t shown = names.size() <= max ? names.size() : max - 1;
  for (std::size_t i = 0; i < shown; ++i) text += (i > 0 ? ", '" : "'") + names[i] + "'";
  if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

namespace {

/// Position after the UTF-8 character that begins at `at`.
std::size_t behind(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
  return at;
}

}  // namespace

// Only the last * needs to be retried; an earlier one could not match more.
bool matches(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0;
  std::optional<std::size_t> star;  // position after the last *, in the pattern
  std::size_t tried = 0;  // position in the text from which the rest of the pattern was tried
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      tried = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      t = behind(text, t);
      ++p;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++t;
      ++p;
    } else if (star) {
      t = tried = behind(text, tried);
      p = *star;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool parse_whole(std::string_view text, double& value) noexcept {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-' && text[1] != '+')
    text.remove_prefix(1);
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::optional<double> number_in(std::string_view name) noexcept {
  double value = 0;
  if (!parse_whole(name, value) || std::isnan(value)) return std::nullopt;
  return value;
}

bool is_all_nul(std::string_view bytes) {
  constexpr std::size_t far_enough = 4096;
  return !bytes.empty() && bytes.substr(0, far_enough).find_first_not_of('\0') == bytes.npos;
}

std::string as_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    utf8proc_int32_t code = -1;
    const utf8proc_ssize_t bytes =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                         static_cast<utf8proc_ssize_t>(text.size()), &code);
    const auto taken = static_cast<std::size_t>(std::max<utf8proc_ssize_t>(bytes, 1));
    valid += bytes > 0 ? text.substr(0, taken) : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(taken);
  }
  return valid;
}

}  // namespace genera::kernel

namespace genera {

std::string suggest(std::string_view word, const std::vector<std::string>& candidates,
                    std::string_view otherwise) {
  return kernel::did_you_mean(word, candidates, otherwise);
}

std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

std::string counted(std::ptrdiff_t count, std::string_view one, std::string_view many) {
  std::string text = std::to_string(count) + ' ';
  text += count == 1 || many.empty() ? one : many;
  return count != 1 && many.empty() ? text + 's' : text;
}

}  // namespace genera
