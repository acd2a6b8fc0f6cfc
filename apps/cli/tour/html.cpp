#include "tour/page.hpp"

#include <fmt/format.h>

#include <string_view>

namespace genera::cli::tour {
namespace {

/// Colours by role, dark ones where the reader's system is dark; figures stay on light paper, which
/// their colours were chosen for.
constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --ink: #1d2430; --soft: #566072; --paper: #ffffff; --card: #f5f6f9;
  --line: #d9dde5; --accent: #0b6199; --box: #fff6e0; --boxline: #d99a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7ee; --soft: #a3acbd; --paper: #14171d;
  --card: #1e232c; --line: #343b48; --accent: #7cc4f5; --box: #2b2412; --boxline: #c08a1a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.6 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
main, header, footer { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 3rem; }
h1 { font-size: clamp(1.9rem, 5vw, 2.8rem); line-height: 1.15; margin: 0 0 1rem; letter-spacing: -0.02em; }
h2 { font-size: clamp(1.3rem, 3.2vw, 1.65rem); line-height: 1.25; margin: 0 0 .8rem; }
h2 .number { color: var(--accent); font-variant-numeric: tabular-nums; margin-right: .5em; }
h2 a { color: inherit; text-decoration: none; }
section { padding: 2.2rem 0 1rem; border-top: 1px solid var(--line); margin-top: 1.8rem; }
p, .formula, .box { max-width: 44rem; }
p { margin: 0 0 1rem; overflow-wrap: break-word; }
.formula { margin: 0 0 1rem; padding: .2rem 0 .2rem 1.2rem; border-left: 3px solid var(--line);
  font-family: "STIX Two Text", Cambria, "Liberation Serif", Georgia, serif; font-size: 1.08em; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .82em; }
p code, td code, figcaption code { background: var(--card); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
nav { margin: 2rem 0 0; padding: 1.1rem 1.3rem; background: var(--card); border-radius: 10px; }
nav ol { margin: 0; padding-left: 1.6rem; columns: 19rem auto; column-gap: 2.5rem; font-size: .94rem; }
nav li { break-inside: avoid; padding: .1rem 0; } nav li::marker { color: var(--soft); }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
.figures { display: grid; gap: 1.3rem; margin: 0 0 1.4rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.figures.one { max-width: 46rem; }
.figures.three { grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
figure { margin: 0; display: flex; flex-direction: column; min-width: 0; }
figure img { display: block; width: 100%; height: auto; background: #fff; border: 1px solid var(--line); border-radius: 8px; padding: .4rem; }
figcaption { font-size: .9rem; line-height: 1.45; color: var(--soft); margin: .5rem 0; }
pre { margin: 0; padding: .65rem .8rem; background: var(--card); border-radius: 8px; white-space: pre-wrap;
  overflow-wrap: anywhere; line-height: 1.5; }
pre.command { user-select: all; cursor: copy; border-left: 3px solid var(--accent); border-radius: 0 8px 8px 0;
  font-size: .74rem; padding: .5rem .7rem; }
pre.output { white-space: pre; overflow-x: auto; max-width: 46rem; }
.with-command { margin: 0 0 1.4rem; } .with-command > pre.command { max-width: 46rem; }
.caption { font-size: .9rem; color: var(--soft); margin: 0 0 .45rem; }
.scroll { overflow-x: auto; margin: 0 0 .6rem; max-width: 100%; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .3rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th.words, td.words { text-align: left; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
thead th { color: var(--soft); font-weight: 600; border-bottom: 2px solid var(--line); }
.box { background: var(--box); border-left: 4px solid var(--boxline); border-radius: 0 10px 10px 0; padding: 1rem 1.2rem .4rem; margin: 0 0 1.4rem; }
.box h3 { margin: 0 0 .6rem; font-size: 1.08rem; }
.box p code { background: transparent; padding: 0; }
footer { padding-top: 1.5rem; padding-bottom: 3rem; color: var(--soft); font-size: .9rem; }
@media (prefers-color-scheme: dark) { figure img { filter: brightness(.92); border-color: transparent; } }
@media (max-width: 520px) { body { font-size: 16px; } header { padding-top: 1.8rem; }
  main, header, footer { padding-left: 1rem; padding-right: 1rem; } table { font-size: .84rem; } th, td { padding: .28rem .4rem; } nav { padding: .9rem 1rem; } }
@media print { :root { --ink: #000; --soft: #333; --paper: #fff; --card: #f4f4f4; --line: #ccc; --accent: #000; --box: #f4f4f4; --boxline: #888; }
  body { font-size: 10.5pt; } main, header, footer { max-width: none; padding: 0; } nav { break-after: page; }
  section { break-before: auto; } figure, table, .box, .formula, pre { break-inside: avoid; } h2, .caption { break-after: avoid; }
  .figures { grid-template-columns: 1fr 1fr; gap: .4cm; } .figures.one { grid-template-columns: 12cm; }
  .figures.three { grid-template-columns: repeat(3, 1fr); } figure img { filter: none; }
  figcaption, .caption, table { font-size: 8.5pt; } pre.command { font-size: 6.5pt; } section { padding: .5cm 0 .2cm; margin-top: .4cm; } }
)css";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// The texts of a page with their few marks.
std::string marked(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char first = text.front();
    const bool script = (first == '_' || first == '^') && text.substr(1, 1) == "{";
    const bool mark = first == '`' || first == '*';
    const std::size_t begin = script ? 2 : 1;
    const std::size_t end =
        script || mark ? text.find(script ? '}' : first, begin) : std::string_view::npos;
    if (end == std::string_view::npos) {
      out += escaped(text.substr(0, 1));
      text.remove_prefix(1);
      continue;
    }
    const std::string_view inside = text.substr(begin, end - begin);
    const char* tag = first == '`' ? "code" : first == '*' ? "em" : first == '_' ? "sub" : "sup";
    out += fmt::format("<{0}>{1}</{0}>", tag, first == '`' ? escaped(inside) : marked(inside));
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string command_block(const std::string& commands) {
  if (commands.empty()) return "";
  return "<pre class=\"command\">" + escaped(commands) + "</pre>\n";
}

/// Things of which one may be the commands behind it.
std::string with_command(const std::string& html, const std::string& commands) {
  return "<div class=\"with-command\">\n" + html + command_block(commands) + "</div>\n";
}

std::string caption_line(const std::string& caption) {
  return caption.empty() ? "" : "<p class=\"caption\">" + marked(caption) + "</p>\n";
}

/// Which columns of a table hold words rather than numbers.
std::vector<bool> columns_of_words(const TextTable& table) {
  std::vector<bool> words(table.header.size());
  for (const auto& row : table.rows) {
    for (std::size_t j = 0; j < row.size() && j < words.size(); ++j) {
      const bool number =
          row[j].empty() || row[j].find_first_not_of("0123456789.−-+e") == std::string::npos;
      words[j] = words[j] || !number;
    }
  }
  return words;
}

std::string row_html(const std::vector<std::string>& cells, const char* tag,
                     const std::vector<bool>& words) {
  std::string out = "<tr>";
  for (std::size_t j = 0; j < cells.size(); ++j)
    out +=
        fmt::format("<{0}{2}>{1}</{0}>", tag, marked(cells[j]), words[j] ? " class=\"words\"" : "");
  return out + "</tr>\n";
}

struct ItemHtml {
  std::string operator()(const Paragraph& item) const {
    return "<p>" + marked(item.text) + "</p>\n";
  }
  std::string operator()(const Formula& item) const {
    return "<div class=\"formula\">" + marked(item.text) + "</div>\n";
  }
  std::string operator()(const TextTable& item) const {
    const std::vector<bool> words = columns_of_words(item);
    std::string html = caption_line(item.caption) + "<div class=\"scroll\"><table>\n<thead>" +
                       row_html(item.header, "th", words) + "</thead>\n<tbody>\n";
    for (const auto& row : item.rows) html += row_html(row, "td", words);
    return with_command(html + "</tbody></table></div>\n", item.commands);
  }
  std::string operator()(const Listing& item) const {
    return with_command(
        caption_line(item.caption) + "<pre class=\"output\">" + escaped(item.text) + "</pre>\n",
        item.commands);
  }
  std::string operator()(const Figures& item) const {
    const std::size_t count = item.figures.size();
    std::string html = fmt::format("<div class=\"figures{}\">\n", count == 1   ? " one"
                                                                  : count == 3 ? " three"
                                                                               : "");
    for (const Figure& one : item.figures)
      html += fmt::format(
          "<figure>\n<a href=\"{0}\"><img src=\"{0}\" alt=\"{1}\" width=\"{2:.0f}\" "
          "height=\"{3:.0f}\"></a>\n<figcaption>{4}</figcaption>\n{5}</figure>\n",
          escaped(one.image), escaped(one.description), one.width, one.height, marked(one.caption),
          command_block(one.commands));
    return html + "</div>\n";
  }
  std::string operator()(const Box& item) const {
    std::string html = "<aside class=\"box\">\n<h3>" + marked(item.title) + "</h3>\n";
    for (const auto& inside : item.items) html += std::visit(*this, inside);
    return html + "</aside>\n";
  }
};

std::string contents(const Page& page) {
  std::string html = "<nav aria-label=\"Contents\">\n<ol>\n";
  for (const Section& section : page.sections)
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, marked(section.title));
  return html + "</ol>\n</nav>\n";
}

std::string section_html(const Section& section, std::size_t number) {
  std::string html = fmt::format(
      "<section id=\"{0}\">\n<h2><span class=\"number\">{1}</span><a href=\"#{0}\">{2}</a></h2>\n",
      section.id, number, marked(section.title));
  for (const Item& item : section.items) html += std::visit(ItemHtml(), item);
  return html + "</section>\n";
}

}  // namespace

std::string html_of(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<header>\n<h1>{}</h1>\n",
      escaped(page.title), style, marked(page.title));
  for (const Paragraph& paragraph : page.introduction) html += ItemHtml()(paragraph);
  html += contents(page) + "</header>\n<main>\n";
  for (std::size_t i = 0; i < page.sections.size(); ++i)
    html += section_html(page.sections[i], i + 1);
  return html + "</main>\n<footer><p>" + marked(page.footer) + "</p></footer>\n</body>\n</html>\n";
}

}  // namespace genera::cli::tour
