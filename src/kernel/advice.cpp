#include <genera/report.hpp>

#include <cassert>
#include <utility>

namespace genera {
namespace {

std::string with_doubled_braces(std::string_view sentence) {
  std::string text;
  for (const char c : sentence) text.append(c == '{' || c == '}' ? 2 : 1, c);
  return text;
}

/// Traverses a text: calls plain(c) for each character and option() for each `{}`.
template <class Plain, class Option>
void walk(const std::string& text, Plain plain, Option option) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool brace = text[i] == '{' || text[i] == '}';
    if (brace && i + 1 < text.size()) {
      ++i;  // skips the second of two equal braces
      if (text[i - 1] == '{' && text[i] == '}') {
        option();
        continue;
      }
    }
    plain(text[i]);
  }
}

[[maybe_unused]] std::size_t places_in(const std::string& text) {
  std::size_t places = 0;
  walk(
      text, [](char) {}, [&] { ++places; });
  return places;
}

std::string as_member(const OptionUse& option) {
  std::string text = option.name;
  const char* separator = " = ";
  for (const std::string& value : option.values) {
    text += separator + value;
    separator = ", ";
  }
  return text;
}

}  // namespace

Error::Error(Errc code, Advice problem, Advice hint)
    : std::runtime_error(in_words(problem)),
      code_(code),
      problem_(std::move(problem)),
      hint_(std::move(hint)) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

Advice::Advice(const char* sentence) : text(with_doubled_braces(sentence)) {}
Advice::Advice(const std::string& sentence) : text(with_doubled_braces(sentence)) {}

Advice::Advice(std::string with_places, std::vector<OptionUse> of_places)
    : text(std::move(with_places)), options(std::move(of_places)) {
  assert(places_in(text) == options.size());
}

Advice& Advice::operator+=(Advice more) {
  text += more.text;
  for (OptionUse& option : more.options) options.push_back(std::move(option));
  return *this;
}

std::string in_words(const Advice& advice,
                     const std::function<std::string(const OptionUse&)>& word) {
  std::string sentence;
  std::size_t next = 0;
  walk(
      advice.text, [&](char c) { sentence += c; },
      [&] { sentence += next < advice.options.size() ? word(advice.options[next++]) : "{}"; });
  return sentence;
}

std::string in_words(const Advice& advice) { return in_words(advice, as_member); }

std::string in_words(const Note& note, const std::function<std::string(const OptionUse&)>& word) {
  return (note.kind == Note::Kind::warning ? "warning: " : "") + in_words(note.text, word);
}

std::string in_words(const Note& note) { return in_words(note, as_member); }

}  // namespace genera
