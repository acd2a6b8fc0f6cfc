#pragma once

#include <string>
#include <variant>
#include <vector>

/// A page of text, tables and figures as data, and its writing as HTML.
namespace genera::cli::tour {

/// In all texts: `code`, *emphasis*, _{below}, ^{above}; everything else is taken literally.
struct Paragraph {
  std::string text;
};

/// A formula on a line of its own.
struct Formula {
  std::string text;
};

struct TextTable {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< the first cell names the row
  std::string commands{};                      ///< that print these numbers; empty: none
};

/// What a program printed, or a file.
struct Listing {
  std::string caption;
  std::string text;
  std::string commands{};
};

struct Figure {
  std::string image;        ///< a file beside the page
  std::string caption;      ///< what there is to see
  std::string description;  ///< for those who do not see it
  std::string commands;     ///< that make it, in an empty folder
  double width = 720, height = 540;
};
/// Side by side, where there is room.
struct Figures {
  std::vector<Figure> figures;
};

/// An aside.
struct Box {
  std::string title;
  std::vector<std::variant<Paragraph, Formula, TextTable>> items;
};

using Item = std::variant<Paragraph, Formula, TextTable, Listing, Figures, Box>;

struct Section {
  std::string id;
  std::string title;
  std::vector<Item> items;
};

struct Page {
  std::string title;
  std::vector<Paragraph> introduction;
  std::vector<Section> sections;
  std::string footer;
};

/// One file, without scripts, that refers to nothing but the images of its figures.
[[nodiscard]] std::string html_of(const Page& page);

}  // namespace genera::cli::tour
