#include "manual.hpp"

#include "help.hpp"

#include <genera/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace genera::cli {
namespace {

/// The UTF-8 character at `i`; moves `i` behind it.
char32_t next_character(const std::string& text, std::size_t& i) {
  const auto head = static_cast<unsigned char>(text[i++]);
  if (head < 0x80) return head;
  const int more = head >= 0xF0 ? 3 : head >= 0xE0 ? 2 : 1;
  char32_t code = head & (0x3FU >> static_cast<unsigned>(more));
  for (int j = 0; j < more && i < text.size(); ++j)
    code = code << 6U | (static_cast<unsigned char>(text[i++]) & 0x3FU);
  return code;
}

/// The text with the commands of roff escaped.
std::string roff(const std::string& text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_character(text, i);
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else if (c == '\'')
      safe += "\\(aq";
    else if (c == '"')
      safe += "\\(dq";
    else if (c >= 0x80)
      safe += fmt::format("\\[u{:04X}]", static_cast<unsigned>(c));
    else
      safe += static_cast<char>(c);
  }
  return !safe.empty() && safe.front() == '.' ? "\\&" + safe : safe;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string paragraph(const std::string& text) { return ".PP\n" + roff(text) + '\n'; }

/// A term and its explanation.
std::string item(const std::string& term, const std::string& text) {
  return ".TP\n" + term + '\n' + roff(text) + '\n';
}

std::string commands(const std::vector<std::string>& lines) {
  std::string text = ".PP\n.nf\n.RS\n";
  for (const std::string& line : lines) text += roff(line) + '\n';
  return text + ".RE\n.fi\n";
}

std::string term_of(const OptionText& option) {
  const std::size_t comma = option.names.find(',');
  std::string term = comma == std::string::npos
                         ? bold(option.names)
                         : bold(option.names.substr(0, comma)) + ", " + bold(option.long_name());
  return option.value.empty() ? term : term + ' ' + italic(option.value);
}

std::string section_of(const VerbText& verb) {
  std::string usage = "genera " + verb.name;
  for (const ArgumentText& argument : verb.arguments)
    usage += argument.min == 0 ? " [" + argument.name + "]" : ' ' + argument.name;
  std::string text = ".SS " + roff(usage) + '\n' + roff(verb.description) + '\n';
  for (const ArgumentText& argument : verb.arguments)
    text += item(italic(argument.name), argument.text);
  for (const ArgumentText& kind : verb.kinds) text += item(bold(kind.name), kind.text);
  for (const OptionGroup& group : verb.groups) {
    text += paragraph(group.title + ":");
    for (const OptionText& option : group.options) text += item(term_of(option), option.text);
  }
  return text + paragraph("Examples:") + commands(verb.examples);
}

}  // namespace

std::string manual_page(const VerbText& verb) {
  std::string name = "genera-" + verb.name;
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(
             ".TH {} 1 \"\" \"genera {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n"
             ".SH DESCRIPTION\n",
             roff(title), roff(version), roff(name), roff(verb.summary)) +
         section_of(verb) + ".SH SEE ALSO\n" + bold("genera") + "(1)\n";
}

std::string manual_page(const std::vector<Verb>& verbs) {
  std::string text = fmt::format(
      ".TH GENERA 1 \"\" \"genera {}\" \"User Commands\"\n.SH NAME\ngenera \\- {}\n.SH SYNOPSIS\n"
      ".B genera\n.I VERB ARGUMENTS\n[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n{}\n",
      roff(version), roff(program_summary()), roff(program_description()));
  text += ".SH VERBS\n";
  for (const Verb& verb : verbs) text += section_of(verb.text);
  text += ".SH EXIT STATUS\n" + item("0", "done") +
          item("1", "the data or the model cannot be used") +
          item("2", "the command line is wrong");
  text +=
      ".SH ENVIRONMENT\n" +
      item(bold("NO_COLOR"), "if it is set and not empty, nothing is coloured") +
      item(bold("TMPDIR"), "where a pipe is copied to if it has to be read twice (default /tmp)");
  return text;
}

}  // namespace genera::cli
