#include "tour/html.hpp"

#include "tour/texts.hpp"

#include <fmt/format.h>

#include <string_view>

namespace genera::cli::tour {
namespace {

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

std::string command_block(const std::string& commands) {
  if (commands.empty()) return "";
  return "<pre class=\"command\">" + escaped(commands) + "</pre>\n";
}

std::string with_command(const std::string& html, const std::string& commands) {
  return "<div class=\"with-command\">\n" + html + command_block(commands) + "</div>\n";
}

/// Which columns of a table hold words rather than numbers.
std::vector<bool> columns_of_words(const std::vector<std::vector<std::string>>& rows) {
  std::vector<bool> words(rows.front().size());
  for (std::size_t i = 1; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size() && j < words.size(); ++j) {
      const bool number = rows[i][j].find_first_not_of("0123456789.−-+e") == std::string::npos;
      words[j] = words[j] || !number;
    }
  }
  return words;
}

std::string row_html(const std::vector<std::string>& cells, const char* tag,
                     const std::vector<bool>& words) {
  std::string out = "<tr>";
  for (std::size_t j = 0; j < cells.size(); ++j)
    out += fmt::format("<{0}{2}>{1}</{0}>", tag, marked(cells[j]),
                       j < words.size() && words[j] ? " class=\"words\"" : "");
  return out + "</tr>\n";
}

std::string contents(const Page& page) {
  std::string html = "<nav aria-label=\"Contents\">\n<ol>\n";
  for (const Section& section : page.sections)
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, marked(section.title));
  return html + "</ol>\n</nav>\n";
}

std::string section_html(const Section& section, std::size_t number) {
  return (section.part.empty() ? "" : "<h2 class=\"part\">" + marked(section.part) + "</h2>\n") +
         fmt::format(
             "<section id=\"{0}\">\n<h2><span class=\"number\">{1}</span>"
             "<a href=\"#{0}\">{2}</a></h2>\n{3}</section>\n",
             section.id, number, marked(section.title), section.content);
}

}  // namespace

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

std::string paragraph_html(const std::string& text) { return "<p>" + marked(text) + "</p>\n"; }

std::string formula_html(const std::string& text) {
  return "<div class=\"formula\">" + marked(text) + "</div>\n";
}

std::string box_html(const std::string& content) {
  return "<aside class=\"box\">\n" + content + "</aside>\n";
}

std::string listing_html(const std::string& text, const std::string& commands) {
  return with_command("<pre class=\"output\">" + escaped(text) + "</pre>\n", commands);
}

std::string table_html(const TextTable& table) {
  const std::vector<bool> words = columns_of_words(table.rows);
  std::string html =
      (table.caption.empty() ? "" : "<p class=\"caption\">" + marked(table.caption) + "</p>\n") +
      "<div class=\"scroll\"><table>\n<thead>" + row_html(table.rows.front(), "th", words) +
      "</thead>\n<tbody>\n";
  for (std::size_t i = 1; i < table.rows.size(); ++i) html += row_html(table.rows[i], "td", words);
  return with_command(html + "</tbody></table></div>\n", table.commands);
}

std::string figures_html(const std::vector<Figure>& figures) {
  const std::size_t count = figures.size();
  std::string html = fmt::format("<div class=\"figures{}\">\n", count == 1   ? " one"
                                                                : count == 3 ? " three"
                                                                             : "");
  for (const Figure& one : figures)
    html += fmt::format(
        "<figure>\n<a href=\"{0}\"><img src=\"{0}\" alt=\"{1}\" width=\"{2:.0f}\" "
        "height=\"{3:.0f}\"></a>\n<figcaption>{4}</figcaption>\n{5}</figure>\n",
        escaped(one.image), escaped(one.description), one.width, one.height, marked(one.caption),
        command_block(one.commands));
  return html + "</div>\n";
}

std::string page_html(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<header>\n<h1>{}</h1>\n{}{}</header>\n<main>\n",
      escaped(page.title), style, marked(page.title), page.introduction, contents(page));
  for (std::size_t i = 0; i < page.sections.size(); ++i)
    html += section_html(page.sections[i], i + 1);
  return html + "</main>\n<footer>" + page.footer + "</footer>\n</body>\n</html>\n";
}

}  // namespace genera::cli::tour
