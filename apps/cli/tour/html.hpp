#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The parts of the page as HTML. In all texts: `code`, *emphasis*, _{below}, ^{above}; everything
/// else is taken literally.
namespace genera::cli::tour {

/// A text with its marks.
[[nodiscard]] std::string marked(std::string_view text);

[[nodiscard]] std::string paragraph_html(const std::string& text);
/// A formula on a line of its own.
[[nodiscard]] std::string formula_html(const std::string& text);
/// An aside.
[[nodiscard]] std::string box_html(const std::string& content);
/// What a program printed, and the commands that print it.
[[nodiscard]] std::string listing_html(const std::string& text, const std::string& commands);

struct TextTable {
  std::string caption;
  std::vector<std::vector<std::string>> rows;  ///< the first has the names of the columns
  std::string commands;                        ///< that print these numbers; empty: none
};
[[nodiscard]] std::string table_html(const TextTable& table);

struct Figure {
  std::string image;        ///< a file beside the page
  std::string caption;      ///< what it shows
  std::string description;  ///< for readers who do not see it
  std::string commands;     ///< that make it, in an empty folder
  double width = 0, height = 0;
};
/// Side by side, if the page is wide enough.
[[nodiscard]] std::string figures_html(const std::vector<Figure>& figures);

struct Section {
  std::string id, title;
  std::string part;  ///< the title of the part that begins here; empty: none
  std::string content;
};

struct Page {
  std::string title, introduction;
  std::vector<Section> sections;
  std::string footer;
};
/// One file, without scripts, that refers to nothing but the images of its figures.
[[nodiscard]] std::string page_html(const Page& page);

}  // namespace genera::cli::tour
