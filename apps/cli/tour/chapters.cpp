#include "tour/chapters.hpp"

#include "tour/html.hpp"
#include "tour/values.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace genera::cli::tour {
namespace {

using Lines = std::vector<std::string>;
using Row = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool is_blank(const std::string& line) { return line.find_first_not_of(' ') == std::string::npos; }

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// The cells of | a | b |; \| is a bar within a cell.
Row cells_of(const std::string& line) {
  Row cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '|') {
      cells.push_back(trimmed(std::exchange(cell, "")));
    } else {
      if (line[i] == '\\' && line.substr(i + 1, 1) == "|") ++i;
      cell += line[i];
    }
  }
  return cells;
}

/// The attribute of the first tag of an SVG file, as in width="720".
double attribute(const std::string& svg, const std::string& name) {
  const std::size_t at = svg.find(name + "=\"");
  return at == std::string::npos ? 0 : std::strtod(svg.c_str() + at + name.size() + 2, nullptr);
}

std::string spaced(std::string name) {
  for (char& c : name) {
    if (c == '_') c = ' ';
  }
  return name;
}

std::vector<Row> rows_of_csv(const std::string& csv, const std::string& format) {
  std::vector<Row> rows;
  for (const std::string& line : lines_of(csv)) {
    Row& row = rows.emplace_back();
    std::istringstream cells(line + ',');
    for (std::string cell; std::getline(cells, cell, ',');) {
      char* end = nullptr;
      const double value = std::strtod(cell.c_str(), &end);
      const bool is_number = end != cell.c_str() && *end == '\0';
      row.push_back(is_number ? formatted(value, format) : spaced(cell));
    }
  }
  return rows;
}

struct Block {
  std::string kind, argument, commands, caption;
};

class Parser {
 public:
  explicit Parser(CommandRunner& runner) : runner_(runner) {}

  Page page(Lines lines) {
    lines_ = std::move(lines);
    Page page;
    std::string part;
    for (at_ = 0; at_ < lines_.size();) {
      const std::string line = lines_[at_];
      if (line.starts_with("# ")) {
        (page.title.empty() ? page.title : part) = line.substr(2);
        ++at_;
      } else if (line.starts_with("## ")) {
        const std::size_t id = line.find(" {#");
        page.sections.push_back({.id = line.substr(id + 3, line.size() - id - 4),
                                 .title = line.substr(3, id - 3),
                                 .part = std::exchange(part, ""),
                                 .content = {}});
        ++at_;
      } else if (line == "---") {
        ++at_;
        page.footer = items();
      } else {
        (page.sections.empty() ? page.introduction : page.sections.back().content) += item();
      }
    }
    return page;
  }

 private:
  std::string items() {
    std::string html;
    while (at_ < lines_.size()) html += item();
    return html;
  }

  std::string item() {
    const std::string& line = lines_[at_];
    if (is_blank(line)) return ++at_, "";
    if (line.starts_with("### "))
      return "<h3>" + marked(values_.filled(lines_[at_++].substr(4))) + "</h3>\n";
    if (line.starts_with("```")) return block();
    if (line.starts_with("|")) return table({});
    if (line.starts_with(">")) return box();
    if (line.starts_with("    ")) return formula_html(joined("    "));
    return paragraph_html(joined(""));
  }

  /// The lines up to the next one that is blank, or begins otherwise, as one.
  std::string joined(const std::string& begin) {
    std::string text;
    for (; at_ < lines_.size() && !is_blank(lines_[at_]) && lines_[at_].starts_with(begin); ++at_)
      text += (text.empty() ? "" : " ") + trimmed(lines_[at_]);
    return values_.filled(text);
  }

  std::string box() {
    Lines inside;
    for (; at_ < lines_.size() && lines_[at_].starts_with(">"); ++at_)
      inside.push_back(lines_[at_].size() < 2 ? "" : lines_[at_].substr(2));
    Lines outside = std::exchange(lines_, std::move(inside));
    const std::size_t after = std::exchange(at_, 0);
    const std::string content = items();
    lines_ = std::move(outside);
    at_ = after;
    return box_html(content);
  }

  Block read_block() {
    std::istringstream head(lines_[at_].substr(3));
    Block block;
    head >> block.kind >> std::ws;
    std::getline(head, block.argument);
    const std::string opening = lines_[at_];
    for (++at_; at_ < lines_.size() && lines_[at_] != "```"; ++at_)
      block.commands += lines_[at_] + '\n';
    if (at_ == lines_.size())
      throw Error(Errc::bad_data, "the block '" + opening + "' of the tour has no end",
                  "end it with a line ```");
    ++at_;
    block.caption = joined("");
    return block;
  }

  std::string block() {
    if (lines_[at_].starts_with("```figure")) return figures();
    const Block block = read_block();
    const std::string commands = runner_.complete(block.commands);
    const std::string printed = runner_.run(block.commands);
    if (block.kind == "values") return values_.add(block.argument, printed), "";
    if (block.kind == "output") return listing_html(printed, commands);
    if (block.kind == "csv")
      return table_html({block.caption, rows_of_csv(printed, block.argument), commands});
    if (block.kind == "table") {
      while (at_ < lines_.size() && is_blank(lines_[at_])) ++at_;
      return table({block.caption, {}, commands});
    }
    throw Error(Errc::bad_data, "'" + block.kind + "' is not a kind of block of the tour",
                "write values, figure, table, csv or output");
  }

  std::string figures() {
    std::vector<Figure> figures;
    while (at_ < lines_.size() && lines_[at_].starts_with("```figure")) {
      const Block block = read_block();
      runner_.run(block.commands);
      const std::string image = words_of(block.commands).back();
      std::string svg(1000, '\0');
      std::ifstream(image).read(svg.data(), std::ssize(svg));
      figures.push_back({.image = image,
                         .caption = block.caption,
                         .description = block.argument,
                         .commands = runner_.complete(block.commands),
                         .width = attribute(svg, "width"),
                         .height = attribute(svg, "height")});
      while (at_ < lines_.size() && is_blank(lines_[at_])) ++at_;
    }
    return figures_html(figures);
  }

  std::string table(TextTable table) {
    for (; at_ < lines_.size() && lines_[at_].starts_with("|"); ++at_) {
      const std::string& line = lines_[at_];
      if (line.starts_with("|--")) continue;
      const std::size_t items = values_.repetitions(line);
      if (items == 0) table.rows.push_back(cells_of(values_.filled(line)));
      for (std::size_t i = 0; i < items; ++i) {
        std::string one = line;
        for (std::size_t star = one.find("[*]"); star != one.npos; star = one.find("[*]"))
          one.replace(star, 3, fmt::format("[{}]", i));
        table.rows.push_back(cells_of(values_.filled(one)));
      }
    }
    return table_html(table);
  }

  CommandRunner& runner_;
  Values values_;
  Lines lines_;
  std::size_t at_ = 0;
};

}  // namespace

std::string page_of(const std::string& text, CommandRunner& runner) {
  return page_html(Parser(runner).page(lines_of(text)));
}

}  // namespace genera::cli::tour
